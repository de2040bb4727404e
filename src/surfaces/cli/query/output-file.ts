import { createReadStream, createWriteStream } from 'node:fs'
import { realpath, rename, rm, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { QuerentError } from '../../../errors/querent-error.js'

/** Writes a file whole or not at all; what is no plain file, such as a device or a pipe, is written to as it stands. */
export async function writeFileWhole(file: string, pieces: Iterable<string>): Promise<void> {
  await writeWhole(file, () => Readable.from(pieces, { encoding: 'utf8' }))
}

/** Copies a file, whole or not at all. */
export async function copyFileWhole(from: string, file: string): Promise<void> {
  await writeWhole(file, () => createReadStream(from))
}

async function writeWhole(file: string, source: () => Readable): Promise<void> {
  let draft: string | undefined
  try {
    const stats = await stat(file).catch(() => undefined)
    if ((stats !== undefined && !stats.isFile()) || isDescriptor(file)) {
      await pipeline(source(), createWriteStream(file, { flags: 'a' }))
      return
    }
    const target = stats === undefined ? file : await realpath(file)
    draft = `${target}.${process.pid}.part`
    await pipeline(source(), createWriteStream(draft, stats === undefined ? {} : { mode: stats.mode & 0o777 }))
    await rename(draft, target)
  } catch (error) {
    if (draft !== undefined) await rm(draft, { force: true })
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    throw new QuerentError('file.unwritable', { path: file, reason }, { cause: error })
  }
}

/** `/dev/stdout` leads to a file that others hold open: it must stay the same one. */
function isDescriptor(file: string): boolean {
  return /^\/(?:dev|proc)\//.test(resolve(file))
}
