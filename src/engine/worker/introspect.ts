import { databaseFiles } from './attachments.js'
import { AnswerRows } from './answer-rows.js'
import { connected, rollback } from './connected.js'
import { toSourceFault } from './duckdb-error.js'
import { EngineFault } from './engine-fault.js'
import type { ExecutingInstances, SharedInstance } from './executing-instances.js'
import type { IntrospectRequest } from './protocol.js'
import { BrokenStream, RowStream } from './row-stream.js'
import type { Task } from './tasks.js'

const maxRows = 1_000_000
const maxChars = 64_000_000

/** Rows of a source's own statement, as one JSON text, on an instance that can open exactly these files. */
export async function introspect(
  instances: ExecutingInstances,
  request: IntrospectRequest,
  task: Task,
): Promise<{ rows: string }> {
  const late = new AbortController()
  const timer = setTimeout(() => {
    late.abort()
    task.interrupt()
  }, request.timeoutMs)
  try {
    return await answer(instances, request, task)
  } catch (error) {
    if (late.signal.aborted) throw new EngineFault('engine.timed_out', { timeoutMs: request.timeoutMs })
    throw toSourceFault(error)
  } finally {
    clearTimeout(timer)
  }
}

async function answer(
  instances: ExecutingInstances,
  request: IntrospectRequest,
  task: Task,
): Promise<{ rows: string }> {
  const databases = request.attach.flatMap((database) => databaseFiles(database.path))
  const files = [...new Set([...request.files, ...databases])].sort()
  const shared = await instances.acquire({ callerKey: `introspect ${files.join('\n')}`, files })
  const releases: (() => Promise<void>)[] = []
  try {
    for (const database of request.attach) releases.push(await shared.attachments.attach(database, task))
    return await readAll(shared, request.sql, task)
  } finally {
    for (const release of releases) await release()
    shared.release()
  }
}

function readAll(shared: SharedInstance, sql: string, task: Task): Promise<{ rows: string }> {
  return connected(shared.instance, task, async (connection) => {
    await connection.run('BEGIN TRANSACTION READ ONLY')
    try {
      const stream = await RowStream.open(connection, sql, task)
      const rows = new AnswerRows(stream.types, { maxRows, maxChars })
      await rows.collect(stream)
      if (rows.full) throw new EngineFault('engine.result_too_large', { max: maxRows, unit: 'rows' })
      await rollback(connection)
      return { rows: `[${rows.rows.join(',')}]` }
    } catch (error) {
      if (!(error instanceof BrokenStream)) throw error
      await rollback(connection)
      // Materialised, it says why; a source's own statements are small.
      await connection.run(sql)
      throw error
    }
  })
}
