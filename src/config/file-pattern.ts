import { createRequire } from 'node:module'
import { homedir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'

/** A path or a glob of the workspace file, apart from the folder it counts from. */
export interface FilePattern {
  /** Absolute: the part in which no character has a meaning of its own. */
  readonly folder: string
  /** Glob below `folder`, with `/`; absent: `folder` itself is the file or folder meant. */
  readonly glob?: string
}

/** Splits `./data/**\/*.csv` into the folder `data` and the glob `**\/*.csv`. `~/` is the person's home. */
export function filePattern(text: string, baseFolder: string): FilePattern {
  const path = expandHome(text)
  if (!isGlob(path)) return { folder: resolve(baseFolder, path) }
  const steps = path.split('/')
  const first = steps.findIndex((step) => isGlob(step))
  const fixed = steps.slice(0, Math.max(first, 0)).join('/')
  const folder = isAbsolute(path) ? resolve(fixed === '' ? '/' : fixed) : resolve(baseFolder, fixed)
  return { folder, glob: steps.slice(Math.max(first, 0)).join('/') }
}

const require = createRequire(import.meta.url)

/** The library is loaded by the first path with a character that may have a meaning: most workspaces have none. */
function isGlob(path: string): boolean {
  if (/^[\p{L}\p{N}\s./_~:,;=-]*$/u.test(path)) return false
  const { isDynamicPattern } = require('tinyglobby') as typeof import('tinyglobby')
  return isDynamicPattern(path)
}

export function expandHome(path: string): string {
  return path === '~' || path.startsWith('~/') ? join(homedir(), path.slice(1)) : path
}

/** Absolute paths of the files that match, in order; dot files only where the glob names the dot. */
export async function matchingFiles(pattern: FilePattern): Promise<readonly string[]> {
  if (pattern.glob === undefined) return [pattern.folder]
  const { glob } = await import('tinyglobby')
  const found = await glob(pattern.glob, { cwd: pattern.folder, absolute: true, expandDirectories: false })
  return found.map((path) => resolve(path)).sort()
}
