import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { QuerentError } from '../../errors/querent-error.js'
import type { FileCompression } from './file-format.js'
import { unreadable } from './find-files.js'
import type { FoundFile } from './found-file.js'

/**
 * Rejects with file.corrupt where a compressed file is damaged or cut off, with file.unreadable where it cannot be
 * read. DuckDB reads the part before the cut as if it were the whole, and never compares check sums. gzip is unpacked
 * once for this, as each query does anyway; of zstd only the sizes of its blocks are read.
 */
export async function verifyCompressed(file: FoundFile, compression: FileCompression, run: VerifyRun): Promise<void> {
  try {
    if (compression === 'gzip') await verifyGzip(file, run)
    if (compression === 'zstd') await verifyZstd(file, run)
  } catch (error) {
    run.signal.throwIfAborted()
    if (error instanceof QuerentError) throw error
    throw unreadable(run.show(file.path), (error as NodeJS.ErrnoException).code ?? 'unknown', error)
  }
}

export interface VerifyRun {
  readonly signal: AbortSignal
  /** How the file's path is shown in errors. */
  readonly show: (path: string) => string
}

async function verifyGzip(file: FoundFile, { signal, show }: VerifyRun): Promise<void> {
  const nowhere = new Writable({
    write: (_chunk, _encoding, done) => {
      done()
    },
  })
  try {
    await pipeline(createReadStream(file.path), createGunzip({ chunkSize: 256 * 1024 }), nowhere, { signal })
  } catch (error) {
    signal.throwIfAborted()
    const code = (error as NodeJS.ErrnoException).code ?? ''
    if (!code.startsWith('Z_')) throw error
    const reason = gzipReason(code, (error as Error).message)
    throw new QuerentError('file.corrupt', { path: show(file.path), reason }, { cause: error })
  }
}

function gzipReason(code: string, message: string): string {
  if (code === 'Z_BUF_ERROR') return 'the gzip data ends too early'
  return message.includes('header') ? 'it is not gzip data' : 'the gzip check sum or data is wrong'
}

/** Walks frames and blocks of RFC 8878: magic, header, blocks with their sizes, check sum. */
async function verifyZstd(file: FoundFile, { signal, show }: VerifyRun): Promise<void> {
  const handle = await open(file.path, 'r')
  try {
    const bytes = new ByteWindow(handle, file.sizeBytes, show(file.path))
    let at = 0
    while (at < file.sizeBytes) {
      signal.throwIfAborted()
      at = await skipFrame(bytes, at)
    }
  } finally {
    await handle.close()
  }
}

async function skipFrame(bytes: ByteWindow, start: number): Promise<number> {
  const magic = await bytes.number(start, 4)
  if (magic >>> 4 === 0x0184d2a5) return bytes.bounded(start + 8 + (await bytes.number(start + 4, 4)))
  if (magic !== 0xfd2fb528) throw bytes.corrupt('it is not zstd data')
  const descriptor = await bytes.number(start + 4, 1)
  const singleSegment = (descriptor >> 5) & 1
  const sizeFlag = descriptor >> 6
  const sizeField = sizeFlag === 0 ? singleSegment : 1 << sizeFlag
  const dictionaryField = [0, 1, 2, 4][descriptor & 3] ?? 0
  let at = start + 5 + (singleSegment === 1 ? 0 : 1) + dictionaryField + sizeField
  for (let last = false; !last;) {
    const header = await bytes.number(at, 3)
    const kind = (header >> 1) & 3
    if (kind === 3) throw bytes.corrupt('a zstd block is not valid')
    last = (header & 1) === 1
    at = bytes.bounded(at + 3 + (kind === 1 ? 1 : header >> 3))
  }
  return bytes.bounded(at + (((descriptor >> 2) & 1) === 1 ? 4 : 0))
}

/** Little-endian numbers anywhere in a file, read in pieces. */
class ByteWindow {
  readonly #handle: Awaited<ReturnType<typeof open>>
  readonly #sizeBytes: number
  readonly #shown: string
  readonly #buffer = Buffer.alloc(64 * 1024)
  #start = 0
  #length = 0

  constructor(handle: Awaited<ReturnType<typeof open>>, sizeBytes: number, shown: string) {
    this.#handle = handle
    this.#sizeBytes = sizeBytes
    this.#shown = shown
  }

  async number(at: number, size: number): Promise<number> {
    this.bounded(at + size)
    if (at < this.#start || at + size > this.#start + this.#length) {
      const { bytesRead } = await this.#handle.read(this.#buffer, 0, this.#buffer.length, at)
      this.#start = at
      this.#length = bytesRead
      if (bytesRead < size) throw this.corrupt('the zstd data ends too early')
    }
    return this.#buffer.readUIntLE(at - this.#start, size)
  }

  /** The same position, which must not lie behind the file's end. */
  bounded(at: number): number {
    if (at > this.#sizeBytes) throw this.corrupt('the zstd data ends too early')
    return at
  }

  corrupt(reason: string): QuerentError {
    return new QuerentError('file.corrupt', { path: this.#shown, reason })
  }
}
