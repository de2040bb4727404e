import { statSync } from 'node:fs'
import { quoteIdentifier } from '../../util/sql-text.js'
import { AnswerRows, rowChars } from './answer-rows.js'
import { EngineFault } from './engine-fault.js'
import { keptStorage } from './kept-result.js'
import type { ExecuteAnswer, ExecuteRequest } from './protocol.js'
import type { OpenQuery } from './query.js'
import { RowStream } from './row-stream.js'
import type { Task } from './tasks.js'
import { runWrapped } from './wrapped-statement-error.js'

const watchMs = 100

interface SaveOptions {
  readonly sql: string
  readonly saveAs: NonNullable<ExecuteRequest['saveAs']>
  readonly maxRows: number
  readonly maxChars: number
}

/** Makes the whole result a table of a DuckDB file; all of it or nothing. */
export async function saveResult(query: OpenQuery, options: SaveOptions, task: Task): Promise<ExecuteAnswer> {
  const { path, name } = options.saveAs
  const attached = query.request.attach.find((database) => database.path === path && !database.readOnly)
  const alias = attached?.alias ?? `${query.request.queryId}_save`
  const detach = attached === undefined ? await query.attach(path, alias, task, keptStorage) : undefined
  try {
    const table = `${quoteIdentifier(alias)}.main.${quoteIdentifier(name)}`
    const totalRows = await createTable(query, table, options, task)
    return await firstRows(query, table, { ...options, totalRows }, task)
  } finally {
    await detach?.()
  }
}

/** P36b: a table obeys the memory limit and spills. */
async function createTable(query: OpenQuery, table: string, options: SaveOptions, task: Task): Promise<number> {
  const { connection } = query
  const { path, maxRows, maxBytes } = options.saveAs
  const size = watchSize(path, maxBytes, () => {
    connection.interrupt()
  })
  await connection.run('BEGIN')
  try {
    const prefix = `CREATE OR REPLACE TABLE ${table} AS FROM (`
    const parts = { prefix, sql: options.sql, suffix: `) LIMIT ${maxRows + 1}` }
    const result = await runWrapped(parts, (sql) => task.on(connection, () => connection.run(sql)))
    const [count] = (await result.getRows()).flat()
    if (Number(count) > maxRows) throw tooLarge(maxRows, 'rows')
    await connection.run('COMMIT')
    return Number(count)
  } catch (error) {
    await connection.run('ROLLBACK').catch(() => undefined)
    task.check()
    throw size.passed() ? tooLarge(maxBytes, 'bytes') : error
  } finally {
    size.stop()
  }
}

function tooLarge(max: number, unit: 'rows' | 'bytes'): EngineFault {
  return new EngineFault('engine.result_too_large', { max, unit })
}

function watchSize(
  path: string,
  maxBytes: number,
  onPassed: () => void,
): { readonly passed: () => boolean; readonly stop: () => void } {
  let passed = false
  const timer = setInterval(() => {
    passed ||= sizeOf(path) + sizeOf(`${path}.wal`) > maxBytes
    if (passed) onPassed()
  }, watchMs)
  return {
    passed: () => passed,
    stop: () => {
      clearInterval(timer)
    },
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}

async function firstRows(
  query: OpenQuery,
  table: string,
  options: SaveOptions & { readonly totalRows: number },
  task: Task,
): Promise<ExecuteAnswer> {
  const { connection } = query
  await connection.run('BEGIN TRANSACTION READ ONLY')
  try {
    const stream = await RowStream.open(connection, `FROM ${table} LIMIT ${options.maxRows}`, task)
    const answer = new AnswerRows(stream.types, { ...options, maxChars: rowChars(options, stream) })
    await answer.collect(stream)
    return {
      columns: stream.names,
      columnTypes: stream.typeNames,
      rows: answer.rows,
      truncated: answer.rows.length < options.totalRows,
      totalRows: options.totalRows,
      shortenedCells: answer.shortenedCells,
    }
  } finally {
    await connection.run('ROLLBACK').catch(() => undefined)
  }
}
