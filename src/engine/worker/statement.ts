import { AnswerRows, rowChars } from './answer-rows.js'
import type { ExecuteAnswer } from './protocol.js'
import type { OpenQuery } from './query.js'
import { EngineFault } from './engine-fault.js'
import { RowStream, BrokenStream } from './row-stream.js'
import type { Task } from './tasks.js'

/** Runs a checked writing statement. The answer is its count, or the rows of its RETURNING. */
export async function runStatement(
  query: OpenQuery,
  statement: { readonly sql: string; readonly database: string },
  limits: { readonly maxRows: number; readonly maxChars: number },
  task: Task,
): Promise<ExecuteAnswer> {
  const { connection } = query
  await query.setSearchPath(statement.database)
  await connection.run('BEGIN')
  try {
    const answer = await readAnswer(await RowStream.open(connection, statement.sql, task), limits)
    task.check()
    await connection.run('COMMIT')
    return answer
  } catch (error) {
    await connection.run('ROLLBACK').catch(() => undefined)
    if (!(error instanceof BrokenStream)) throw error
    throw new EngineFault('engine.internal', { message: 'the change could not be completed and was undone' })
  }
}

/** DuckDB makes the whole change before the first row comes, so that rows beyond the cap may be left unread. */
async function readAnswer(
  stream: RowStream,
  limits: { readonly maxRows: number; readonly maxChars: number },
): Promise<ExecuteAnswer> {
  const answer = new AnswerRows(stream.types, { ...limits, maxChars: rowChars(limits, stream) })
  await answer.collect(stream)
  return {
    columns: stream.names,
    columnTypes: stream.typeNames,
    rows: answer.rows,
    truncated: answer.full,
    shortenedCells: answer.shortenedCells,
    ...(answer.full ? {} : { totalRows: answer.rows.length }),
  }
}
