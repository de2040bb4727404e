import { open } from 'node:fs/promises'
import { promisify } from 'node:util'
import { constants, gunzip } from 'node:zlib'
import { compressionOfName } from './file-format.js'
import type { FoundFile } from './found-file.js'
import type { CsvOptions } from './reader-options.js'

const inflate = promisify(gunzip)
const maxHeaderBytes = 16 * 1024

/**
 * The first line of a CSV file after those that `skip` leaves out, as bytes in Latin-1, to compare with other files'.
 * Undefined where the line does not end within 16 KB, or the file or its compression cannot be read here: the reader
 * reports that with the file's name.
 */
export async function readHeaderLine(
  file: FoundFile,
  options: CsvOptions,
  signal: AbortSignal,
): Promise<string | undefined> {
  signal.throwIfAborted()
  if (options.comment !== undefined || options.header === false) return undefined
  const compression = compressionOf(file, options)
  if (compression === 'zstd') return undefined
  const start = await readStart(file).catch(() => undefined)
  const bytes = compression === 'gzip' && start !== undefined ? await inflateStart(start) : start
  const lines = bytes?.toString('latin1').split('\n') ?? []
  const skip = options.skip ?? 0
  return lines.length > skip + 1 ? lines.slice(0, skip + 1).join('\n') : undefined
}

function compressionOf(file: FoundFile, options: CsvOptions): 'gzip' | 'zstd' | 'none' {
  const told = options.compression ?? 'auto'
  return told === 'auto' ? compressionOfName(file.path) : told
}

async function readStart(file: FoundFile): Promise<Buffer> {
  const handle = await open(file.path, 'r')
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(maxHeaderBytes), 0, maxHeaderBytes, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}

/** What the first bytes of a gzip file unpack to; undefined for data that is none. */
async function inflateStart(start: Buffer): Promise<Buffer | undefined> {
  try {
    return await inflate(start, { finishFlush: constants.Z_SYNC_FLUSH })
  } catch {
    return undefined
  }
}
