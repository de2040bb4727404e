import { quoteIdentifier } from '../../util/sql-text.js'
import type { OpenQuery } from './query.js'
import { EngineFault } from './engine-fault.js'
import { runWrapped } from './wrapped-statement-error.js'
import type { Task } from './tasks.js'

/**
 * The reason that a stream broke, which DuckDB keeps to itself: the statement is run again into a table, which does
 * report its error, obeys the memory limit and spills. Answers the error to throw.
 */
export async function whyBroken(query: OpenQuery, sql: string, task: Task): Promise<unknown> {
  const name = `${quoteIdentifier(query.request.queryId)}.main."querent broken"`
  try {
    const parts = { prefix: `CREATE OR REPLACE TABLE ${name} AS FROM (`, sql, suffix: ')' }
    await runWrapped(parts, (wrapped) => task.on(query.connection, () => query.connection.run(wrapped)))
  } catch (error) {
    return error
  }
  await query.connection.run(`DROP TABLE ${name}`).catch(() => undefined)
  return new EngineFault('engine.internal', {
    message: 'its rows ended before they were complete; a second run did not fail',
  })
}
