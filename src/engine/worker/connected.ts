import type { DuckDBConnection } from '@duckdb/node-api'
import type { EngineInstance } from './instance.js'
import type { Task } from './tasks.js'

/** Runs `work`, which ends the transactions it begins, on a connection of its own; an interrupt of the task reaches it. */
export async function connected<T>(
  instance: EngineInstance,
  task: Task,
  work: (connection: DuckDBConnection) => Promise<T>,
): Promise<T> {
  const connection = await instance.connect()
  try {
    return await task.on(connection, () => work(connection))
  } catch (error) {
    await rollback(connection)
    throw error
  } finally {
    connection.closeSync()
  }
}

/**
 * Ends whatever is open on the connection; never fails. Closing it under a stream that was not read to its end crashes
 * the process once its database is detached.
 */
export async function rollback(connection: DuckDBConnection): Promise<void> {
  await connection.run('ROLLBACK').catch(() => undefined)
}
