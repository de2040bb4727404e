import { open, realpath, stat } from 'node:fs/promises'
import path from 'node:path'
import { QuerentError } from '../../errors/querent-error.js'

/** A database file as it was when it was looked at. */
export interface DatabaseFile {
  /** Real path. */
  readonly path: string
  /** Changes whenever the file or its write-ahead log does. */
  readonly version: string
}

/** `md:sales` and `motherduck:sales` are databases of the MotherDuck service. */
function isMotherDuck(text: string): boolean {
  return /^(?:md|motherduck):/i.test(text)
}

/**
 * Looks at the file without opening it as a database. Undefined where it does not exist. Errors:
 * file.motherduck_unavailable, file.remote_unsupported, file.not_a_file, file.not_a_database,
 * file.database_encrypted, file.unreadable.
 */
export async function findDatabase(text: string, folder: string): Promise<DatabaseFile | undefined> {
  refuseRemote(text)
  try {
    const real = await realpath(path.resolve(folder, text))
    const facts = await stat(real, { bigint: true })
    if (!facts.isFile()) throw new QuerentError('file.not_a_file', { path: text, what: 'not a file' })
    if (/[*?[]/.test(real)) throw new QuerentError('file.unsupported_name', { path: text })
    if (facts.size > 0n) await checkHeader(real, text)
    const log = await stat(`${real}.wal`, { bigint: true }).catch(() => undefined)
    const version = `${facts.size}-${facts.mtimeNs}-${facts.ino}-${log?.size ?? 0n}-${log?.mtimeNs ?? 0n}`
    return { path: real, version }
  } catch (error) {
    if (error instanceof QuerentError) throw error
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown'
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    const reason = code === 'EACCES' || code === 'EPERM' ? 'permission denied' : `the system says ${code}`
    const hint = 'Give this user the right to read the file and its folders.'
    throw new QuerentError('file.unreadable', { path: text, reason, hint }, { cause: error })
  }
}

/** Refuses what is not on this machine. The part after `?` of a MotherDuck path may hold a token. */
function refuseRemote(text: string): void {
  const shown = text.replace(/[?#].*$/s, '')
  if (isMotherDuck(text)) throw new QuerentError('file.motherduck_unavailable', { path: shown })
  if (/^[a-z][a-z0-9+.-]+:/i.test(text)) throw new QuerentError('file.remote_unsupported', { path: shown })
}

const headerBytes = 28
const magicOffset = 8
const flagsOffset = 20

/** The main header: check sum, `DUCK`, version, flags; bit 0 of the flags says that the file is encrypted. */
async function checkHeader(real: string, shown: string): Promise<void> {
  const handle = await open(real, 'r')
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(headerBytes), 0, headerBytes, 0)
    const isDatabase = bytesRead === headerBytes && buffer.toString('latin1', magicOffset, magicOffset + 4) === 'DUCK'
    if (!isDatabase) throw new QuerentError('file.not_a_database', { path: shown })
    if ((buffer.readUInt8(flagsOffset) & 1) === 1) throw new QuerentError('file.database_encrypted', { path: shown })
  } finally {
    await handle.close()
  }
}
