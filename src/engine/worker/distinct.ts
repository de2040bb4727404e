import { quoteIdentifier } from '../../util/sql-text.js'
import { toFault } from './duckdb-error.js'
import type { DistinctRequest } from './protocol.js'
import type { OpenQuery } from './query.js'
import type { Task } from './tasks.js'

/** Distinct tuples of a relation's columns without NULLs, as texts; at most `limit`. */
export async function distinctKeys(
  query: OpenQuery,
  request: DistinctRequest,
  task: Task,
): Promise<{ keys: string[][] }> {
  const { connection } = query
  const columns = request.columns.map(quoteIdentifier)
  const selected = columns.map((column) => `CAST(${column} AS VARCHAR)`).join(', ')
  const present = columns.map((column) => `${column} IS NOT NULL`).join(' AND ')
  const table = [request.catalog, request.schema, request.name].map(quoteIdentifier).join('.')
  const sql = `SELECT DISTINCT ${selected} FROM ${table} WHERE (${request.where}) AND ${present} LIMIT ${Math.trunc(request.limit)}`
  try {
    const reader = await task.on(connection, () => connection.runAndReadAll(sql))
    return { keys: reader.getRows().map((row) => row.map(String)) }
  } catch (error) {
    task.check()
    throw toFault(error, query.hidden)
  }
}
