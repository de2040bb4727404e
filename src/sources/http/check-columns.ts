import { QuerentError } from '../../errors/querent-error.js'
import { rowExpressionFault } from '../../policy/row-expression.js'
import { quoteLiteral } from '../../util/sql-text.js'
import type { Introspection } from '../source-context.js'
import type { HttpTable } from './http-table.js'
import { tableText } from './parameter-errors.js'

/** Throws engine.column_sql for a column whose SQL the engine would refuse. Reads no row. */
export async function checkColumns(
  tables: Iterable<HttpTable>,
  introspection: Introspection,
  signal: AbortSignal,
): Promise<void> {
  for (const table of tables) {
    for (const { name: column, sql } of table.columns) {
      if (sql === undefined) continue
      const message = await faultOf(sql, introspection, signal)
      if (message !== undefined)
        throw new QuerentError('engine.column_sql', { table: tableText(table), column, message })
    }
  }
}

async function faultOf(sql: string, introspection: Introspection, signal: AbortSignal): Promise<string | undefined> {
  const value = `(${sql}\n)`
  const ask = (statement: string): ReturnType<Introspection['query']> =>
    introspection.query({ sql: statement, files: [], signal })
  const serialize = `json_serialize_sql(${quoteLiteral(`SELECT ${value}`)}, skip_null := true, skip_default := true)`
  // Only what was found to be one harmless expression becomes a part of a statement.
  const [row] = await ask(`SELECT CAST(${serialize} AS VARCHAR)`)
  const fault = typeof row?.[0] === 'string' ? rowExpressionFault(row[0]) : 'it cannot be parsed'
  if (fault !== undefined) return fault
  try {
    await ask(`SELECT ${value} FROM (SELECT CAST(NULL AS JSON) AS row) WHERE ${value} IS NOT NULL LIMIT 0`)
    return undefined
  } catch (error) {
    signal.throwIfAborted()
    return error instanceof QuerentError ? error.message : 'it cannot be bound'
  }
}
