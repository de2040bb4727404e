import { basename } from 'node:path'
import { quoteIdentifier, quoteLiteral } from '../../util/sql-text.js'
import type { AttachedDatabase } from '../../sources/source.js'
import { readFailure } from './duckdb-error.js'
import { EngineFault } from './engine-fault.js'
import type { FileLocks } from './file-locks.js'
import type { EngineInstance } from './instance.js'
import type { Task } from './tasks.js'

/** Waits between attempts to open a file that another process has locked: about two seconds in all. */
const retryDelaysMs = [20, 50, 100, 200, 300, 400, 500, 500]

const aliasPollMs = 10

interface Attachment {
  readonly path: string
  users: number
  /** The last ATTACH or DETACH of this name; the next one waits for it. */
  change: Promise<void>
  attached: boolean
}

/** Files that DuckDB opens for a database, for the fence. */
export function databaseFiles(path: string): string[] {
  return [path, `${path}.wal`, `${path}.wal.checkpoint`, `${path}.wal.recovery`]
}

/** The database files attached to one instance, each under one name for all queries that read it. */
export class Attachments {
  private readonly byAlias = new Map<string, Attachment>()

  constructor(
    private readonly instance: EngineInstance,
    private readonly locks: FileLocks,
  ) {}

  /** Answers the release, which detaches when nobody else reads the file. `options`: more ATTACH options. */
  async attach(database: AttachedDatabase, task: Task, options = ''): Promise<() => Promise<void>> {
    const unlock = await this.locks.acquire(database.path, database.readOnly ? 'shared' : 'exclusive', task)
    try {
      const attachment = await this.entry(database, task)
      try {
        await this.change(attachment, () => this.attachOnce(attachment, database, task, options))
      } catch (error) {
        attachment.users--
        throw error
      }
      return async () => {
        attachment.users--
        await this.change(attachment, () => this.detachUnused(attachment, database.alias)).catch(() => undefined)
        unlock()
      }
    } catch (error) {
      unlock()
      throw error
    }
  }

  /** A name that still stands for another file, after the workspace changed, is waited for. Counts one more user. */
  private async entry(database: AttachedDatabase, task: Task): Promise<Attachment> {
    for (;;) {
      const existing = this.byAlias.get(database.alias)
      if (existing?.path === database.path) {
        existing.users++
        return existing
      }
      if (existing === undefined || existing.users === 0) {
        const change = existing?.change ?? Promise.resolve()
        const attachment: Attachment = { path: database.path, users: 1, change, attached: false }
        this.byAlias.set(database.alias, attachment)
        return attachment
      }
      await task.sleep(aliasPollMs)
    }
  }

  private change(attachment: Attachment, work: () => Promise<void>): Promise<void> {
    const changed = attachment.change.then(work)
    attachment.change = changed.catch(() => undefined)
    return changed
  }

  private async attachOnce(
    attachment: Attachment,
    database: AttachedDatabase,
    task: Task,
    options: string,
  ): Promise<void> {
    if (attachment.attached) return
    const access = database.readOnly ? 'READ_ONLY' : 'READ_WRITE'
    const sql = `ATTACH ${quoteLiteral(database.path)} AS ${quoteIdentifier(database.alias)} (${access}${options})`
    for (let attempt = 0; ; attempt++) {
      task.check()
      try {
        await this.instance.control(sql)
        attachment.attached = true
        return
      } catch (error) {
        const message = readFailure(error).message
        const delayMs = message.includes('Could not set lock') ? retryDelaysMs[attempt] : undefined
        if (delayMs === undefined) throw attachFault(database.path, error)
        await task.sleep(delayMs)
      }
    }
  }

  private async detachUnused(attachment: Attachment, alias: string): Promise<void> {
    if (attachment.users > 0 || !attachment.attached) return
    attachment.attached = false
    await this.instance.control(`DETACH DATABASE IF EXISTS ${quoteIdentifier(alias)}`)
  }
}

function attachFault(path: string, error: unknown): EngineFault {
  const failure = readFailure(error)
  const database = basename(path)
  if (failure.message.includes('Could not set lock')) {
    const program = /held in (.+?) \(PID (\d+)\)/.exec(failure.message)
    const name = program?.[1] === undefined ? undefined : basename(program[1].trim())
    const holder = name === undefined ? 'another program' : `${name} (process ${program?.[2] ?? ''})`
    return new EngineFault('engine.database_locked', { database, holder })
  }
  if (failure.type === 'interrupt') return new EngineFault('engine.interrupted')
  const message = (failure.message.split('\n')[0] ?? '').replaceAll(path, database)
  return new EngineFault('engine.bad_database', { database, message })
}
