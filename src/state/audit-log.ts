import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { QuerentError } from '../errors/querent-error.js'
import { AuditFile } from './audit-file.js'
import { followRecords } from './audit-follow.js'
import { readEntries, type AuditEntry, type AuditQuery } from './audit-reader.js'
import { sqlFields, type AuditEnd, type AuditRecord, type AuditSqlMode, type AuditStart } from './audit-record.js'
import { ioReason } from './io-reason.js'
import type { ProcessRegistry } from './process-registry.js'
import type { StateDir } from './state-dir.js'

export interface AuditLogOptions {
  readonly state: StateDir
  readonly processes: ProcessRegistry
  /** The log's file; absent: `audit/audit.jsonl` in the state folder. */
  readonly path?: string | undefined
  readonly sql: AuditSqlMode
  /** Puts `?` in the place of a statement's literals; asked when `sql` is `literals`. */
  readonly redact: (sql: string) => string
  /** true: a record that cannot be written fails its query with `state.audit_unwritable`; false: it is a warning. */
  readonly required: boolean
  /** A file that has grown to this is put aside. */
  readonly maxBytes: number
  /** Files put aside that are kept. */
  readonly maxFiles: number
  /** For people, without secrets. */
  readonly onWarning: (message: string) => void
}

/** Append-only record of all queries. Lines are in the file when the calls return. */
export interface AuditLog {
  /** Before anything is done for a query. Throws `state.audit_unwritable` where records are required. */
  start(query: AuditStart): AuditTrail
  /** Newest first, one entry per query. Rejects with `state.audit_unreadable`. */
  read(query: AuditQuery): AsyncGenerator<AuditEntry>
  /** Records as they are appended from now on, by any process, until the signal is aborted. */
  follow(signal: AbortSignal): AsyncGenerator<AuditRecord>
  close(): void
}

/** One query's record. */
export interface AuditTrail {
  /** Before the answer leaves; only the first call counts. Throws `state.audit_unwritable` where records are required. */
  finish(end: AuditEnd): void
}

export function openAuditLog(options: AuditLogOptions): AuditLog {
  const path = options.path ?? join(options.state.path, 'audit', 'audit.jsonl')
  let folderMade = false
  const file = new AuditFile({
    path,
    maxBytes: options.maxBytes,
    maxFiles: options.maxFiles,
    onRotationFailed(error) {
      options.onWarning(`The audit log grows on: a full file cannot be put aside: ${ioReason(error)}.`)
    },
  })

  function append(record: AuditRecord): void {
    try {
      if (!folderMade) makeFolder()
      folderMade = true
      file.append(JSON.stringify(record))
    } catch (error) {
      const failure = unwritable(error)
      if (options.required) throw failure
      options.onWarning(failure.message)
    }
  }

  function makeFolder(): void {
    if (options.path === undefined) options.state.folder('audit')
    else mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  }

  function start(query: AuditStart): AuditTrail {
    const startedMs = performance.now()
    const startedAt = new Date().toISOString()
    const common = {
      queryId: query.queryId,
      caller: query.caller.id,
      ...(query.session === undefined ? {} : { session: query.session }),
      surface: query.surface,
      ...sqlFields(query.sql, options.sql, options.redact),
      process: options.processes.id,
    }
    append({ event: 'started', time: startedAt, ...common })
    let finished = false
    return {
      finish(end) {
        if (finished) return
        finished = true
        const elapsedMs = Math.round((performance.now() - startedMs) * 1000) / 1000
        const time = new Date().toISOString()
        append({ event: 'finished', time, startedAt, ...common, ...nothingYet, ...end, elapsedMs })
      },
    }
  }

  return {
    start,
    read: (query) => readEntries({ path, query, isAlive: (id) => options.processes.isAlive(id) }),
    follow: (signal) => followRecords(path, signal),
    close() {
      file.close()
    },
  }
}

const nothingYet = { tables: [], requests: 0, rows: 0, bytes: 0, truncated: false, partial: false }

function unwritable(error: unknown): QuerentError {
  const reason = error instanceof QuerentError ? error.message.replace(/\.$/, '') : ioReason(error)
  return new QuerentError('state.audit_unwritable', { reason }, { cause: error })
}
