import type { DuckDBDataChunk } from '@duckdb/node-api'
import { AnswerRows, rowChars } from './answer-rows.js'
import { readFailure, toFault } from './duckdb-error.js'
import { EngineFault } from './engine-fault.js'
import { rollback } from './connected.js'
import { keepRows, type Kept } from './kept-result.js'
import type { ExecuteAnswer, ExecuteRequest, WorkerError } from './protocol.js'
import type { OpenQuery } from './query.js'
import { BrokenStream, RowStream } from './row-stream.js'
import { saveResult } from './save-result.js'
import { runStatement } from './statement.js'
import type { Task } from './tasks.js'
import { errorPosition } from './tree-text.js'
import { whyBroken } from './why-broken.js'
import { WrappedStatementError } from './wrapped-statement-error.js'

/**
 * Runs the query's one statement.
 * @param sql its text.
 */
export async function execute(
  query: OpenQuery,
  sql: string,
  request: ExecuteRequest,
  task: Task,
): Promise<ExecuteAnswer> {
  const run = (): Promise<ExecuteAnswer> => {
    if (request.statement !== undefined) return runStatement(query, request.statement, request, task)
    if (request.saveAs !== undefined) return saveResult(query, { sql, ...request, saveAs: request.saveAs }, task)
    return select(query, sql, request, task)
  }
  try {
    return await withoutOptimizerAfterFault(query, run, task)
  } catch (error) {
    task.check()
    if (error instanceof EngineFault) throw error
    const { cause, shiftBytes } = unwrap(error)
    if (cause instanceof EngineFault) throw cause
    const { position: at, type } = readFailure(cause)
    // DuckDB refuses everything on an instance after such an error.
    if (type === 'fatal') query.shared.retire()
    const shifted = at === undefined ? at : at - shiftBytes
    const position = await errorPosition(query.connection, request, { type, position: shifted })
    throw toFault(cause, query.hidden, position)
  }
}

function unwrap(error: unknown): { readonly cause: unknown; readonly shiftBytes: number } {
  return error instanceof WrappedStatementError ? error : { cause: error, shiftBytes: 0 }
}

/** P21: an INTERNAL error of the optimizer's making goes away without it. */
async function withoutOptimizerAfterFault<T>(query: OpenQuery, run: () => Promise<T>, task: Task): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof EngineFault || readFailure(unwrap(error).cause).type !== 'internal') throw error
    task.check()
    await query.connection.run('PRAGMA disable_optimizer')
    return run()
  }
}

/** What it leaves open, the query's end closes. */
async function select(query: OpenQuery, sql: string, request: ExecuteRequest, task: Task): Promise<ExecuteAnswer> {
  const { connection } = query
  await connection.run('BEGIN TRANSACTION READ ONLY')
  try {
    return await readAnswer(query, await RowStream.open(connection, sql, task), request, task)
  } catch (error) {
    await rollback(connection)
    if (!(error instanceof BrokenStream)) throw error
    throw await whyBroken(query, sql, task)
  }
}

async function readAnswer(
  query: OpenQuery,
  stream: RowStream,
  request: ExecuteRequest,
  task: Task,
): Promise<ExecuteAnswer> {
  const answer = new AnswerRows(stream.types, { ...request, maxChars: rowChars(request, stream) })
  const read: DuckDBDataChunk[] = []
  for (let chunk = await stream.next(); chunk !== undefined; chunk = await stream.next()) {
    if (request.keep !== undefined) read.push(chunk)
    answer.add(chunk)
    if (answer.full) break
  }
  const head = { columns: stream.names, columnTypes: stream.typeNames }
  const tail = { rows: answer.rows, shortenedCells: answer.shortenedCells }
  const whole = { truncated: false, totalRows: answer.rows.length }
  if (request.keep === undefined || (!answer.full && request.keep.always !== true)) {
    return { ...head, ...tail, ...(answer.full ? { truncated: true } : whole) }
  }
  const outcome = await keepOrReason(query, { ...request.keep, stream, read }, task)
  if (!answer.full) return { ...head, ...tail, ...whole, ...outcome }
  const total = 'kept' in outcome && outcome.kept.complete ? { totalRows: outcome.kept.rows } : {}
  return { ...head, ...tail, truncated: true, ...total, ...outcome }
}

/** Rows that cannot be kept do not make the rows wrong that were read; a stream that breaks meanwhile does. */
async function keepOrReason(
  query: OpenQuery,
  options: Parameters<typeof keepRows>[1],
  task: Task,
): Promise<{ readonly kept: Kept } | { readonly keepError: WorkerError }> {
  try {
    return { kept: await keepRows(query, options, task) }
  } catch (error) {
    task.check()
    if (error instanceof BrokenStream) throw error
    return { keepError: toFault(error, query.hidden).toWorkerError() }
  }
}
