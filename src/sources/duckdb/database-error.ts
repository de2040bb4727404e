import path from 'node:path'
import { QuerentError } from '../../errors/querent-error.js'

/** DuckDB's message about a database file as an error that names it. Undefined where it is about something else. */
export function databaseErrorOf(message: string, shown: string): QuerentError | undefined {
  const file = { path: shown }
  const first = firstLine(message)
  if (message.includes('Could not set lock on file')) {
    return new QuerentError('file.locked', { ...file, holder: holderOf(message) })
  }
  if (message.includes('not a valid DuckDB database file')) return new QuerentError('file.not_a_database', file)
  const version = /version number (\d+), but we can only read versions between (\d+) and (\d+)/.exec(message)
  if (version !== null) {
    const reason = `its storage version is ${version[1] ?? ''}, readable are ${version[2] ?? ''} to ${version[3] ?? ''}`
    return new QuerentError('file.database_version', { ...file, reason })
  }
  if (/encrypted database|without a key|encryption key/i.test(message)) {
    return new QuerentError('file.database_encrypted', file)
  }
  if (/Corrupt database file|checksum|Failure while replaying WAL/i.test(message)) {
    return new QuerentError('file.database_corrupt', { ...file, reason: first })
  }
  if (/database does not exist|No such file or directory/.test(message)) return new QuerentError('file.not_found', file)
  return undefined
}

/** An error that no rule knows. */
export function unknownDatabaseError(message: string, shown: string, cause: unknown): QuerentError {
  const hint = 'Check that the file is a whole DuckDB database.'
  return new QuerentError('file.unreadable', { path: shown, reason: firstLine(message), hint }, { cause })
}

/** The first line without its class and without paths of this machine. */
export function firstLine(message: string): string {
  const line = message.split('\n')[0] ?? ''
  const plain = line.replace(/^(?:[A-Z]\w+ )+Error: /, '').replaceAll(/"\/[^"]*"/g, 'a file')
  return plain.replace(/\.$/, '').slice(0, 300)
}

/** The program and process that hold the lock, without the program's folder. */
function holderOf(message: string): string {
  const held = /held in (.*?) \(PID (\d+)\)/.exec(message)
  return held?.[1] === undefined ? '' : ` (${path.basename(held[1])}, process ${held[2] ?? ''})`
}
