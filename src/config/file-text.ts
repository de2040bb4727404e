import { constants } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { isAbsolute, relative, resolve, sep } from 'node:path'
import { expandHome } from './file-pattern.js'
import { readFailure, readRegularFile } from './regular-file.js'

const maxBytes = 1_000_000

export interface FileTextOptions {
  /** As written. */
  readonly path: string
  /** Folder that the path counts from. */
  readonly folder: string
  /** Real paths of the folders and files that may be read. */
  readonly allowed: readonly string[]
}

/** Text of a file for `${file:…}`, without its last line break. Symbolic links are followed before the fence is checked. */
export async function readFileText(
  options: FileTextOptions,
): Promise<
  { readonly value: string; readonly realPath: string } | { readonly refused: 'outside' } | { readonly missing: string }
> {
  const path = resolve(options.folder, expandHome(options.path))
  try {
    const realPath = await realpath(path)
    if (!options.allowed.some((folder) => isWithin(realPath, folder))) return { refused: 'outside' }
    const noFollow = process.platform === 'win32' ? 0 : constants.O_NOFOLLOW
    const { bytes } = await readRegularFile(realPath, maxBytes, constants.O_RDONLY | noFollow)
    return { value: new TextDecoder('utf-8', { fatal: true }).decode(bytes).replace(/(\r?\n)+$/, ''), realPath }
  } catch (error) {
    return { missing: readFailure(error) }
  }
}

/** Whether a path is a folder itself or lies under it. Both are absolute and real. */
export function isWithin(path: string, folder: string): boolean {
  const inside = relative(folder, path)
  return inside === '' || (inside !== '..' && !inside.startsWith(`..${sep}`) && !isAbsolute(inside))
}
