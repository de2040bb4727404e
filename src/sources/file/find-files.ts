import { lstat, readdir, realpath, stat } from 'node:fs/promises'
import path from 'node:path'
import { QuerentError } from '../../errors/querent-error.js'
import { formatOfName, type FileFormat } from './file-format.js'
import type { FoundFile } from './found-file.js'
import { hasWildcard, isRemotePath, matchesSegment, parsePathPattern, type PathPattern } from './path-pattern.js'

/** Files of one table, and entries looked at to find them, at most. */
const maxFiles = 10_000
const maxEntries = 200_000
const maxDepth = 32
const concurrentLooks = 32

export interface FindOptions {
  /** Folder that relative paths count from. */
  readonly folder: string
  /** For a path that is a folder: only files of this format; undefined takes the one format that is there. */
  readonly format: FileFormat | undefined
  /**
   * Whether real paths must lie below the folder before the first wildcard. False where the caller checks each real
   * path itself, hidden folders included.
   */
  readonly confined?: boolean
  readonly signal: AbortSignal
}

/**
 * Files that the paths name, in order of their names, none twice. Paths may be files, folders (all files of one format
 * in them and below) or patterns. Errors: file.not_found, file.outside, file.hidden, file.too_many,
 * file.unsupported_name, file.remote_unsupported, file.mixed_formats, file.not_a_file, file.unreadable.
 */
export async function findFiles(paths: readonly string[], options: FindOptions): Promise<readonly FoundFile[]> {
  const found = new Map<string, FoundFile>()
  for (const text of paths) {
    const files = await findPath(text, options)
    if (files.length === 0) throw new QuerentError('file.not_found', { path: text })
    for (const file of files) found.set(file.path, file)
    if (found.size > maxFiles) throw tooMany(text, maxFiles, 'files')
  }
  return [...found.values()]
}

async function findPath(text: string, options: FindOptions): Promise<readonly FoundFile[]> {
  if (isRemotePath(text)) throw new QuerentError('file.remote_unsupported', { path: withoutQuery(text) })
  if (text.includes('\0') || text.trim() === '')
    throw new QuerentError('file.not_found', { path: JSON.stringify(text) })
  const pattern = parsePathPattern(text, options.folder)
  if (pattern === undefined) throw new QuerentError('file.outside', { path: text })
  const search = new Search(pattern, options)
  return pattern.plain === undefined ? search.pattern() : search.plain(pattern.plain)
}

/** The part of an address after `?` may hold a signature. */
function withoutQuery(text: string): string {
  return text.replace(/[?#].*$/s, '').replace(/\/\/[^/@]*@/, '//')
}

/** Looks for the files of one path. */
class Search {
  readonly #pattern: PathPattern
  readonly #options: FindOptions
  /** Real paths, with how each is shown. */
  readonly #taken = new Map<string, string>()
  #wants: (name: string) => boolean = () => true
  #baseReal = ''
  #entries = 0

  constructor(pattern: PathPattern, options: FindOptions) {
    this.#pattern = pattern
    this.#options = options
  }

  async plain(file: string): Promise<readonly FoundFile[]> {
    const baseReal = await this.#realBase()
    if (baseReal === undefined) return []
    const facts = await this.#ask(() => stat(file))
    if (facts === undefined) return []
    if (!facts.isDirectory()) {
      this.#take(file, await this.#insideReal(file))
      return this.#lookAtTaken()
    }
    const folder = await this.#insideReal(file)
    if (path.basename(file).startsWith('.')) throw new QuerentError('file.hidden', { path: this.#pattern.text })
    this.#baseReal = folder
    return this.#folder(folder)
  }

  async pattern(): Promise<readonly FoundFile[]> {
    const baseReal = await this.#realBase()
    if (baseReal === undefined) return []
    const { segments } = this.#pattern
    await this.#walk(baseReal, segments.at(-1) === '**' ? [...segments, '*'] : segments, 0)
    return this.#lookAtTaken()
  }

  /** All files of one format in a folder and below. */
  async #folder(folder: string): Promise<readonly FoundFile[]> {
    const { format } = this.#options
    this.#wants = (name) => (format === undefined ? formatOfName(name) !== undefined : formatOfName(name) === format)
    await this.#walk(folder, ['**', '*'], 0)
    const files = await this.#lookAtTaken()
    const formats = new Set(files.map((file) => formatOfName(file.path)))
    if (format === undefined && formats.size > 1) {
      throw new QuerentError('file.mixed_formats', { path: this.#pattern.text, formats: [...formats].join(', ') })
    }
    return files
  }

  async #walk(folder: string, segments: readonly string[], depth: number): Promise<void> {
    const segment = segments[0]
    if (segment === undefined) return
    if (depth > maxDepth) throw tooMany(this.#pattern.text, maxDepth, 'folders inside each other')
    if (segment === '**') await this.#walk(folder, segments.slice(1), depth)
    const entries = (await this.#ask(() => readdir(folder, { withFileTypes: true }))) ?? []
    entries.sort((a, b) => (a.name < b.name ? -1 : 1))
    for (const entry of entries) {
      this.#options.signal.throwIfAborted()
      if (++this.#entries > maxEntries) throw tooMany(this.#pattern.text, maxEntries, 'entries')
      if (entry.name.startsWith('.')) continue
      const full = path.join(folder, entry.name)
      // As in DuckDB, ** does not follow links: they could go round in a circle.
      if (segment === '**' && entry.isDirectory()) await this.#walk(full, segments, depth + 1)
      if (segment !== '**' && matchesSegment(segment, entry.name)) {
        // The folder's path is real: only a link can lead elsewhere, so that most files need no further question.
        const rest = segments.slice(1)
        if (!entry.isFile()) await this.#visit(full, rest, depth)
        else if (rest.length === 0 && this.#wants(entry.name)) this.#take(full, full)
      }
    }
  }

  async #visit(full: string, rest: readonly string[], depth: number): Promise<void> {
    const facts = await this.#ask(() => stat(full))
    if (facts === undefined) return
    if (facts.isDirectory()) {
      if (rest.length > 0) await this.#walk(await this.#insideReal(full), rest, depth + 1)
    } else if (rest.length === 0 && this.#wants(path.basename(full))) {
      this.#take(full, await this.#insideReal(full))
    }
  }

  /** Takes a file under its real path, which was checked. */
  #take(file: string, real: string): void {
    if (this.#taken.has(real)) return
    const shown = this.#shown(file)
    const below = path.relative(this.#baseReal, real).split(path.sep)
    const names = this.#options.confined === false ? [path.basename(real)] : below
    if ([...names, path.basename(file)].some((name) => name.startsWith('.'))) {
      throw new QuerentError('file.hidden', { path: shown })
    }
    if (hasWildcard(real)) throw new QuerentError('file.unsupported_name', { path: shown })
    if (this.#taken.size >= maxFiles) throw tooMany(this.#pattern.text, maxFiles, 'files')
    this.#taken.set(real, shown)
  }

  /** The taken files as they are now; those that are gone meanwhile are left out. */
  async #lookAtTaken(): Promise<readonly FoundFile[]> {
    const taken = [...this.#taken]
    const files: (FoundFile | undefined)[] = []
    for (let start = 0; start < taken.length; start += concurrentLooks) {
      const some = taken.slice(start, start + concurrentLooks)
      files.push(...(await Promise.all(some.map(([real, shown]) => this.#lookAt(real, shown)))))
    }
    return files.filter((file) => file !== undefined)
  }

  async #lookAt(real: string, shown: string): Promise<FoundFile | undefined> {
    const facts = await this.#ask(() => lstat(real, { bigint: true }))
    if (facts === undefined) return undefined
    if (!facts.isFile()) throw new QuerentError('file.not_a_file', { path: shown, what: 'not a regular file' })
    const version = `${facts.size}-${facts.mtimeNs}-${facts.ctimeNs}-${facts.ino}`
    return { path: real, sizeBytes: Number(facts.size), version }
  }

  async #realBase(): Promise<string | undefined> {
    const real = await this.#ask(() => realpath(this.#pattern.base))
    this.#baseReal = real ?? ''
    return real
  }

  /** The real path, which must lie below the base. */
  async #insideReal(full: string): Promise<string> {
    const real = await this.#ask(() => realpath(full))
    if (real === undefined) throw new QuerentError('file.not_found', { path: this.#shown(full) })
    if (this.#options.confined !== false && !isInside(real, this.#baseReal))
      throw new QuerentError('file.outside', { path: this.#shown(full) })
    return real
  }

  /** Undefined where nothing is there; other failures are errors that name the path. */
  async #ask<Answer>(call: () => Promise<Answer>): Promise<Answer | undefined> {
    this.#options.signal.throwIfAborted()
    try {
      return await call()
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? 'unknown'
      if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
      throw unreadable(this.#pattern.text, code, error)
    }
  }

  #shown(full: string): string {
    if (this.#pattern.plain === full) return this.#pattern.text
    const relative = path.relative(this.#options.folder, full)
    return relative.startsWith('..') || path.isAbsolute(relative) ? full : relative
  }
}

export function isInside(child: string, parent: string): boolean {
  const relative = path.relative(parent, child)
  return relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative)
}

/** An error of the operating system, in words. `code`: such as EACCES. */
export function unreadable(shown: string, code: string, cause: unknown): QuerentError {
  const [reason, hint] = reasons[code] ?? [`the system says ${code}`, 'Check the file and the disk.']
  return new QuerentError('file.unreadable', { path: shown, reason, hint }, { cause })
}

const reasons: Readonly<Record<string, readonly [string, string]>> = {
  ENOENT: ['it is not there any more', 'Run the query again.'],
  EACCES: ['permission denied', 'Give this user the right to read it and its folders.'],
  EPERM: ['permission denied', 'Give this user the right to read it and its folders.'],
  ELOOP: ['its links go round in a circle', 'Mend the links.'],
  EMFILE: ['too many files are open', 'Raise the limit of open files (ulimit -n), or name fewer files.'],
  ENAMETOOLONG: ['the name is too long', 'Use a shorter path.'],
  EIO: ['the disk failed', 'Check the disk.'],
}

function tooMany(shown: string, max: number, what: string): QuerentError {
  return new QuerentError('file.too_many', { path: shown, max, what })
}
