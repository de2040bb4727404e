import { existsSync, rmSync, statSync } from 'node:fs'
import type { DuckDBAppender, DuckDBConnection, DuckDBDataChunk } from '@duckdb/node-api'
import { quoteIdentifier, quoteLiteral } from '../../util/sql-text.js'
import { chunkBytes } from './chunk-bytes.js'
import { EngineFault } from './engine-fault.js'
import type { OpenQuery } from './query.js'
import type { RowStream } from './row-stream.js'
import type { Task } from './tasks.js'

/** Inside a kept file: the rows under column names `c0`, `c1` …, and the result's own names, which may repeat. */
export const keptTables = { rows: 'rows', columns: 'result_columns' }

/** Result files are read by this version alone, so they may hold every type it has. */
export const keptStorage = ", STORAGE_VERSION 'latest'"

export interface KeepOptions {
  readonly path: string
  readonly maxRows: number
  readonly maxBytes: number
}

export interface Kept {
  readonly rows: number
  readonly bytes: number
  /** false: the result has more rows. */
  readonly complete: boolean
}

/** Writes the rows read so far, and the stream's others up to the limits, to a new DuckDB file. */
export async function keepRows(
  query: OpenQuery,
  options: KeepOptions & { readonly stream: RowStream; readonly read: readonly DuckDBDataChunk[] },
  task: Task,
): Promise<Kept> {
  if (existsSync(options.path))
    throw new EngineFault('internal.unexpected', { message: 'a kept result is there already' })
  const alias = `${query.request.queryId}_kept`
  let done = false
  const detach = await query.attach(options.path, alias, task, keptStorage)
  try {
    const connection = await query.shared.instance.connect()
    try {
      const kept = await task.on(connection, () => writeRows(connection, alias, options))
      await detach()
      done = true
      return { ...kept, bytes: statSync(options.path).size }
    } finally {
      connection.closeSync()
    }
  } finally {
    if (!done) {
      await detach()
      for (const suffix of ['', '.wal']) rmSync(`${options.path}${suffix}`, { force: true })
    }
  }
}

type Source = KeepOptions & { readonly stream: RowStream; readonly read: readonly DuckDBDataChunk[] }

async function writeRows(
  connection: DuckDBConnection,
  alias: string,
  source: Source,
): Promise<Pick<Kept, 'rows' | 'complete'>> {
  await connection.run(['BEGIN', ...tableStatements(alias, source.stream)].join(';\n'))
  const appender = await connection.createAppender(keptTables.rows, 'main', alias)
  const written = await appendAll(appender, source)
  appender.closeSync()
  await connection.run('COMMIT')
  return written
}

function tableStatements(alias: string, stream: RowStream): string[] {
  const database = quoteIdentifier(alias)
  const types = stream.typeNames
  const columns = types.map((type, index) => `c${index} ${type}`)
  const names = stream.names.map(
    (name, index) => `(${index}, ${quoteLiteral(name)}, ${quoteLiteral(types[index] ?? '')})`,
  )
  return [
    `CREATE TABLE ${database}.main.${keptTables.rows} (${columns.join(', ')})`,
    `CREATE TABLE ${database}.main.${keptTables.columns} (position INTEGER, name VARCHAR, type VARCHAR)`,
    `INSERT INTO ${database}.main.${keptTables.columns} VALUES ${names.join(', ')}`,
  ]
}

async function appendAll(appender: DuckDBAppender, source: Source): Promise<Pick<Kept, 'rows' | 'complete'>> {
  let rows = 0
  let bytes = 0
  /** false: the chunk did not fit whole. */
  const add = (chunk: DuckDBDataChunk): boolean => {
    const room = source.maxRows - rows
    const fits = chunk.rowCount <= room
    if (room === 0 || bytes >= source.maxBytes) return false
    if (!fits) chunk.rowCount = room
    appender.appendDataChunk(chunk)
    rows += chunk.rowCount
    bytes += chunkBytes(chunk)
    return fits
  }
  for (const chunk of source.read) if (!add(chunk)) return { rows, complete: false }
  for (;;) {
    const chunk = await source.stream.next()
    if (chunk === undefined) return { rows, complete: true }
    if (!add(chunk)) return { rows, complete: false }
  }
}
