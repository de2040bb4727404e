import { open, type FileHandle } from 'node:fs/promises'
import { QuerentError } from '../errors/querent-error.js'
import { parseRecord, type AuditRecord, type FinishedRecord, type StartedRecord } from './audit-record.js'
import { segmentsOf } from './audit-segments.js'
import { errorCode, ioReason } from './io-reason.js'

export interface AuditQuery {
  /** Only this caller's queries. */
  readonly caller?: string
  /** Only queries that started or finished since then. */
  readonly since?: Date
  /** Entries at most. */
  readonly limit: number
}

/** One query. Without its end it is `running`, or `lost` when the process that ran it is gone. */
export type AuditEntry =
  FinishedRecord | (Omit<StartedRecord, 'event'> & { readonly event: 'started'; readonly outcome: 'running' | 'lost' })

export interface ReadEntriesOptions {
  readonly path: string
  readonly query: AuditQuery
  readonly isAlive: (process: string) => boolean
}

/** Processes take the time before they write; records may stand that much out of order. */
const disorderMs = 60_000

/** Newest first. Reads backwards in pieces; keeps only the ids of queries whose start has not come yet. */
export async function* readEntries(options: ReadEntriesOptions): AsyncGenerator<AuditEntry> {
  const { caller, since, limit } = options.query
  const earliest = since === undefined ? '' : since.toISOString()
  const stopBefore = since === undefined ? '' : new Date(since.getTime() - disorderMs).toISOString()
  const ended = new Set<string>()
  let given = 0
  if (limit <= 0) return
  for await (const record of recordsBackwards(options.path)) {
    if (record.time < stopBefore) return
    if (record.event === 'finished') ended.add(record.queryId)
    else if (ended.delete(record.queryId)) continue
    if (record.time < earliest || (caller !== undefined && record.caller !== caller)) continue
    yield record.event === 'finished' ? record : unfinished(record, options.isAlive)
    if (++given >= limit) return
  }
}

function unfinished(record: StartedRecord, isAlive: (process: string) => boolean): AuditEntry {
  return { ...record, outcome: isAlive(record.process) ? 'running' : 'lost' }
}

async function* recordsBackwards(path: string): AsyncGenerator<AuditRecord> {
  const seen = new Set<number>()
  for (const file of [...segmentsOf(path), path].reverse()) {
    const handle = await openToRead(file)
    if (handle === undefined) continue
    try {
      const { ino } = await handle.stat()
      // Put aside while this reads, the current file comes twice.
      if (seen.has(ino)) continue
      seen.add(ino)
      for await (const line of linesBackwards(handle)) {
        const record = parseRecord(line)
        if (record !== undefined) yield record
      }
    } finally {
      await handle.close()
    }
  }
}

/** undefined for a file that is not there, or not any more. */
async function openToRead(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, 'r')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw new QuerentError('state.audit_unreadable', { reason: ioReason(error) }, { cause: error })
  }
}

const pieceBytes = 65_536
const newline = 0x0a

async function* linesBackwards(handle: FileHandle): AsyncGenerator<string> {
  let end = (await handle.stat()).size
  let rest = Buffer.alloc(0)
  while (end > 0) {
    const start = Math.max(0, end - pieceBytes)
    const piece = Buffer.alloc(end - start)
    await handle.read(piece, 0, piece.length, start)
    let buffer = Buffer.concat([piece, rest])
    for (let at = buffer.lastIndexOf(newline); at >= 0; at = buffer.lastIndexOf(newline)) {
      const line = buffer.toString('utf8', at + 1)
      buffer = buffer.subarray(0, at)
      if (line !== '') yield line
    }
    rest = buffer
    end = start
  }
  if (rest.length > 0) yield rest.toString('utf8')
}
