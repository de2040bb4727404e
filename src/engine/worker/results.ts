import { existsSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import { quoteIdentifier, quoteLiteral } from '../../util/sql-text.js'
import { AnswerRows } from './answer-rows.js'
import { connected, rollback } from './connected.js'
import { toFault } from './duckdb-error.js'
import { EngineFault } from './engine-fault.js'
import type { ExecutingInstances, SharedInstance } from './executing-instances.js'
import { keptTables } from './kept-result.js'
import type { CallRequest, FetchAnswer, FetchRequest } from './protocol.js'
import { BrokenStream, RowStream } from './row-stream.js'
import type { Task } from './tasks.js'

interface KeptColumn {
  readonly name: string
  readonly type: string
}

interface KeptFile {
  readonly shared: SharedInstance
  readonly connection: DuckDBConnection
  readonly rows: string
  readonly columns: readonly KeptColumn[]
}

/** Opens a kept result, read-only, on an instance that can touch its folder alone. */
async function withKept<T>(
  instances: ExecutingInstances,
  path: string,
  task: Task,
  work: (file: KeptFile) => Promise<T>,
): Promise<T> {
  if (!existsSync(path)) throw new EngineFault('engine.result_missing')
  const folder = dirname(path)
  const shared = await instances.acquire({ callerKey: `results ${folder}`, folder, files: [] })
  try {
    const alias = `result ${path}`
    const detach = await shared.attachments.attach({ path, alias, readOnly: true }, task)
    try {
      return await connected(shared.instance, task, async (connection) => {
        const database = quoteIdentifier(alias)
        const columns = await readColumns(connection, database)
        return work({ shared, connection, rows: `${database}.main.${keptTables.rows}`, columns })
      })
    } catch (error) {
      throw toFault(error, { catalogs: [alias], folders: [folder] })
    } finally {
      await detach()
    }
  } finally {
    shared.release()
  }
}

async function readColumns(connection: DuckDBConnection, database: string): Promise<KeptColumn[]> {
  const sql = `SELECT name, type FROM ${database}.main.${keptTables.columns} ORDER BY position`
  const rows = (await connection.runAndReadAll(sql)).getRows()
  return rows.map(([name, type]) => ({ name: String(name), type: String(type) }))
}

export function fetchRows(instances: ExecutingInstances, request: FetchRequest, task: Task): Promise<FetchAnswer> {
  return withKept(instances, request.path, task, async ({ connection, rows, columns }) => {
    const [count] = (await connection.runAndReadAll(`SELECT count(*) FROM ${rows}`)).getRows().flat()
    const answer = await readPage(connection, rows, request, task)
    return {
      columns: columns.map((column) => column.name),
      columnTypes: columns.map((column) => column.type),
      rows: answer.rows,
      totalRows: Number(count),
      shortenedCells: answer.shortenedCells,
    }
  })
}

async function readPage(
  connection: DuckDBConnection,
  rows: string,
  request: FetchRequest,
  task: Task,
): Promise<AnswerRows> {
  await connection.run('BEGIN TRANSACTION READ ONLY')
  const page = `FROM ${rows} LIMIT ${wholeNumber(request.maxRows)} OFFSET ${wholeNumber(request.offset)}`
  const stream = await RowStream.open(connection, page, task)
  const answer = new AnswerRows(stream.types, request)
  try {
    await answer.collect(stream)
  } catch (error) {
    if (!(error instanceof BrokenStream)) throw error
    throw new EngineFault('engine.io', { message: 'The kept result cannot be read.', hint: 'Run the query again.' })
  }
  await rollback(connection)
  return answer
}

function wholeNumber(value: number): number {
  return Math.max(0, Math.trunc(value))
}

let exportsMade = 0

/** Writes all rows to a file, which stands there whole or not at all. */
export function exportRows(
  instances: ExecutingInstances,
  request: CallRequest<'exportResult'>,
  task: Task,
): Promise<{ bytes: number }> {
  const part = `${request.target}.part-${process.pid}-${++exportsMade}`
  return withKept(instances, request.path, task, async ({ connection, rows, columns }) => {
    const names = request.format === 'csv' ? columns.map((column) => column.name) : distinctNames(columns)
    const selected = names.map(
      (name, index) => `c${index} AS ${quoteIdentifier(name === '' ? `column${index}` : name)}`,
    )
    const copy = `COPY (SELECT ${selected.join(', ')} FROM ${rows}) TO ${quoteLiteral(part)} (${formats[request.format]})`
    try {
      await connection.run(copy)
      renameSync(part, request.target)
    } finally {
      rmSync(part, { force: true })
    }
    return { bytes: statSync(request.target).size }
  })
}

const formats = {
  csv: 'FORMAT csv, HEADER true',
  json: 'FORMAT json, ARRAY true',
  parquet: 'FORMAT parquet, COMPRESSION zstd',
}

/** `a`, `a_1`, `a_2`: keys of JSON objects and Parquet columns must differ, whatever their case. */
function distinctNames(columns: readonly KeptColumn[]): string[] {
  const taken = new Set<string>()
  return columns.map(({ name }) => {
    let candidate = name
    for (let number = 1; taken.has(candidate.toLowerCase()); number++) candidate = `${name}_${number}`
    taken.add(candidate.toLowerCase())
    return candidate
  })
}
