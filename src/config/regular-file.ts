import { constants } from 'node:fs'
import { open } from 'node:fs/promises'

/** Without this, opening a pipe that nobody writes to waits for ever; Windows has no such flag. */
const nonBlocking = process.platform === 'win32' ? 0 : constants.O_NONBLOCK

class NotReadable extends Error {}

/** Reads a file that must be regular and small; the size is checked on the open file. */
export async function readRegularFile(
  path: string,
  limitBytes: number,
  flags: number = constants.O_RDONLY,
): Promise<{ readonly bytes: Buffer; readonly ownerId: number | undefined; readonly mode: number }> {
  const handle = await open(path, flags | nonBlocking)
  try {
    const stats = await handle.stat()
    if (!stats.isFile()) throw new NotReadable('it is not a file')
    if (stats.size > limitBytes) throw new NotReadable(`it is larger than ${limitBytes} bytes`)
    const ownerId = process.getuid === undefined ? undefined : stats.uid
    return { bytes: await handle.readFile(), ownerId, mode: stats.mode }
  } finally {
    await handle.close()
  }
}

/** Why a file could not be read, in words. */
export function readFailure(error: unknown): string {
  if (error instanceof NotReadable) return error.message
  switch (error instanceof Error && 'code' in error ? error.code : undefined) {
    case 'ERR_ENCODING_INVALID_ENCODED_DATA':
      return 'it is not UTF-8 text'
    case 'ERR_INVALID_ARG_VALUE':
      return 'this is not a path'
    case 'ENOENT':
      return 'it does not exist'
    case 'EACCES':
    case 'EPERM':
      return 'permission is denied'
    case 'EISDIR':
      return 'it is a folder'
    case 'ENOTDIR':
      return 'a part of its path is not a folder'
    case 'ELOOP':
      return 'it is a symbolic link that may not be followed'
    default:
      return 'the system refused'
  }
}
