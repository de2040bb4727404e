import { createHash } from 'node:crypto'
import type { QuerentError } from '../errors/querent-error.js'
import type { Caller, Surface } from '../model/caller.js'

/** How statements are recorded: whole, with `?` for each literal, or as a SHA-256 of the text. */
export type AuditSqlMode = 'full' | 'literals' | 'hash'

/** What is known when a query arrives. */
export interface AuditStart {
  readonly queryId: string
  readonly caller: Caller
  readonly surface: Surface
  readonly session?: string
  /** The statement as the caller sent it. */
  readonly sql: string
}

export type AuditOutcome = 'ok' | 'refused' | 'failed' | 'timeout' | 'cancelled'

/** What is known when the answer is ready. Counts of a query that failed are those up to then. */
export interface AuditEnd {
  readonly outcome: AuditOutcome
  /** Error code; absent for `ok`. */
  readonly code?: string
  /** Class of the statement, such as `SELECT`; absent when it could not be parsed. */
  readonly statement?: string
  readonly tables?: readonly string[]
  /** Requests to sources. */
  readonly requests?: number
  /** Rows of the answer. */
  readonly rows?: number
  /** Bytes of the answer. */
  readonly bytes?: number
  readonly truncated?: boolean
  readonly partial?: boolean
}

/** A line of the log. */
export type AuditRecord = StartedRecord | FinishedRecord

export interface StartedRecord {
  readonly event: 'started'
  /** ISO 8601, UTC, milliseconds. */
  readonly time: string
  readonly queryId: string
  readonly caller: string
  readonly session?: string
  readonly surface: Surface
  /** Text of the statement, per `audit.sql`. */
  readonly sql?: string
  readonly sqlSha256?: string
  /** Which Querent process ran it. */
  readonly process: string
}

export interface FinishedRecord extends Omit<StartedRecord, 'event'>, AuditEnd {
  readonly event: 'finished'
  readonly startedAt: string
  readonly tables: readonly string[]
  readonly requests: number
  readonly rows: number
  readonly bytes: number
  readonly truncated: boolean
  readonly partial: boolean
  readonly elapsedMs: number
}

/** Longer statements are cut, so that a record stays one write of moderate size. */
const maxSqlChars = 32_768

export function sqlFields(
  sql: string,
  mode: AuditSqlMode,
  redact: (sql: string) => string,
): Pick<StartedRecord, 'sql' | 'sqlSha256'> {
  if (mode === 'hash') return { sqlSha256: createHash('sha256').update(sql).digest('hex') }
  const text = mode === 'literals' ? redact(sql) : sql
  if (text.length <= maxSqlChars) return { sql: text }
  const sha256 = createHash('sha256').update(sql).digest('hex')
  return { sql: `${text.slice(0, maxSqlChars)}… [cut from ${text.length} characters]`, sqlSha256: sha256 }
}

export function outcomeOf(error: QuerentError): AuditOutcome {
  if (error.code === 'limit.cancelled') return 'cancelled'
  if (error.category === 'timeout') return 'timeout'
  return error.category === 'policy' ? 'refused' : 'failed'
}

/** undefined for a line that is torn, damaged or no record. */
export function parseRecord(line: string): AuditRecord | undefined {
  try {
    const record = JSON.parse(line) as Partial<AuditRecord> | null
    const known = record?.event === 'started' || record?.event === 'finished'
    const whole = typeof record?.queryId === 'string' && typeof record.caller === 'string'
    return known && whole && typeof record.time === 'string' ? (record as AuditRecord) : undefined
  } catch {
    return undefined
  }
}
