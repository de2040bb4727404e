import { statSync, type Stats } from 'node:fs'
import { open } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { QuerentError } from '../errors/querent-error.js'
import { parseRecord, type AuditRecord } from './audit-record.js'
import { segmentsOf } from './audit-segments.js'
import { errorCode, ioReason } from './io-reason.js'

const pollMs = 200
const pieceBytes = 65_536

/** Where reading stands in one file, known by its inode: a file that is put aside keeps it. */
interface Position {
  round: number
  offset: number
  /** The start of a line whose end has not come. */
  rest: Buffer
}

/** Yields what is appended from now on, across files put aside. Ends when the signal is aborted. */
export function followRecords(path: string, signal: AbortSignal): AsyncGenerator<AuditRecord> {
  const positions = new Map<number, Position>()
  for (const file of files(path)) note(file, { positions, round: 0, from: 'end' })
  return follow(path, positions, signal)
}

async function* follow(
  path: string,
  positions: Map<number, Position>,
  signal: AbortSignal,
): AsyncGenerator<AuditRecord> {
  for (let round = 1; !signal.aborted; round++) {
    let any = false
    for (const file of files(path)) {
      for await (const record of appended(file, { positions, round, from: 'start' })) {
        any = true
        yield record
      }
    }
    // The inode of a file that is gone may soon be another file's.
    for (const [inode, position] of positions) if (position.round < round) positions.delete(inode)
    if (!any) await pause(signal)
  }
}

function files(path: string): readonly string[] {
  return [...segmentsOf(path), path]
}

async function pause(signal: AbortSignal): Promise<void> {
  await sleep(pollMs, undefined, { signal }).catch(() => undefined)
}

interface Round {
  readonly positions: Map<number, Position>
  readonly round: number
  /** Where reading of a file that is not known yet begins. */
  readonly from: 'start' | 'end'
}

function note(
  file: string,
  { positions, round, from }: Round,
): { readonly position: Position; readonly size: number } | undefined {
  const stats = statsOf(file)
  if (stats === undefined) return undefined
  const known = positions.get(stats.ino)
  const position =
    known !== undefined && known.offset <= stats.size
      ? known
      : { round, offset: from === 'end' ? stats.size : 0, rest: Buffer.alloc(0) }
  position.round = round
  positions.set(stats.ino, position)
  return { position, size: stats.size }
}

function statsOf(file: string): Stats | undefined {
  try {
    return statSync(file)
  } catch (error) {
    absent(error)
    return undefined
  }
}

async function* appended(file: string, round: Round): AsyncGenerator<AuditRecord> {
  const found = note(file, round)
  if (found === undefined || found.size <= found.position.offset) return
  const { position } = found
  const handle = await open(file, 'r').catch(absent)
  if (handle === undefined) return
  try {
    for (;;) {
      const piece = Buffer.alloc(pieceBytes)
      const { bytesRead } = await handle.read(piece, 0, pieceBytes, position.offset)
      if (bytesRead === 0) return
      position.offset += bytesRead
      yield* records(position, piece.subarray(0, bytesRead))
    }
  } finally {
    await handle.close()
  }
}

function* records(position: Position, piece: Buffer): Generator<AuditRecord> {
  const buffer = Buffer.concat([position.rest, piece])
  const end = buffer.lastIndexOf(0x0a)
  position.rest = buffer.subarray(end + 1)
  for (const line of buffer.toString('utf8', 0, Math.max(0, end)).split('\n')) {
    const record = parseRecord(line)
    if (record !== undefined) yield record
  }
}

function absent(error: unknown): undefined {
  if (errorCode(error) === 'ENOENT') return undefined
  throw new QuerentError('state.audit_unreadable', { reason: ioReason(error) }, { cause: error })
}
