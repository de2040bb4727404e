import { realpath, stat } from 'node:fs/promises'
import path from 'node:path'
import { isInside } from './find-files.js'
import { matchesSegments, parsePathPattern, type PathPattern } from './path-pattern.js'

/** Which files statements may name: those that match a pattern, or any that this user can read. */
export type FileRoots = readonly string[] | 'any'

/** One pattern of `files.roots`, as it is written and with the links of its fixed part resolved. */
interface Root {
  readonly base: string
  readonly realBase: string
  readonly segments: readonly string[]
}

/** The patterns of `files.roots`. A folder stands for all files in it and below. */
export class AllowedFiles {
  readonly #roots: readonly Root[] | 'any'
  readonly #folder: string
  readonly #forbidden: readonly string[]

  private constructor(roots: readonly Root[] | 'any', folder: string, forbidden: readonly string[]) {
    this.#roots = roots
    this.#folder = folder
    this.#forbidden = forbidden
  }

  /** `folder`: where relative patterns count from. `forbidden`: files and folders that are never read. */
  static async of(roots: FileRoots, folder: string, forbidden: readonly string[]): Promise<AllowedFiles> {
    const resolved =
      roots === 'any' ? roots : (await Promise.all(roots.map((root) => resolveRoot(root, folder)))).flat()
    const realFolder = await realOr(folder)
    return new AllowedFiles(
      resolved,
      realFolder,
      await Promise.all(forbidden.map((file) => realOr(path.resolve(folder, file)))),
    )
  }

  /**
   * Whether a path that a statement names may be looked for at all. Decided from its text: an answer must not tell
   * whether something exists outside.
   */
  mayLookFor(pattern: PathPattern): boolean {
    if (this.#roots === 'any') return true
    const { plain } = pattern
    return this.#roots.some((root) =>
      [root.base, root.realBase].some((base) =>
        plain === undefined ? isInside(pattern.base, base) : matchesBelow(plain, base, root.segments),
      ),
    )
  }

  /** Whether a file that was found, by its real path, may be read. */
  mayRead(real: string): boolean {
    if (this.#forbidden.some((forbidden) => isInside(real, forbidden))) return false
    if (this.#roots !== 'any') return this.#roots.some((root) => matchesBelow(real, root.realBase, root.segments))
    const shown = isInside(real, this.#folder) ? path.relative(this.#folder, real) : real
    return shown.split(path.sep).every((name) => !name.startsWith('.'))
  }
}

function matchesBelow(file: string, base: string, segments: readonly string[]): boolean {
  if (!isInside(file, base)) return false
  const relative = path.relative(base, file)
  return matchesSegments(segments, relative === '' ? [] : relative.split(path.sep))
}

async function resolveRoot(text: string, folder: string): Promise<readonly Root[]> {
  const pattern = parsePathPattern(text, folder)
  if (pattern === undefined) return []
  const { plain } = pattern
  if (plain === undefined) {
    return [{ base: pattern.base, realBase: await realOr(pattern.base), segments: pattern.segments }]
  }
  const isFolder = await stat(plain).then(
    (facts) => facts.isDirectory(),
    () => false,
  )
  return [{ base: plain, realBase: await realOr(plain), segments: isFolder ? ['**'] : [] }]
}

async function realOr(file: string): Promise<string> {
  return realpath(file).catch(() => path.resolve(file))
}
