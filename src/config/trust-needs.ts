import { readdir, realpath } from 'node:fs/promises'
import { dirname, isAbsolute, join, resolve, win32 } from 'node:path'
import { expandHome, filePattern } from './file-pattern.js'
import { isWithin } from './file-text.js'
import { isRecord } from './record.js'
import { parseTemplate } from './template.js'
import type { WorkspaceFile } from './workspace-file.js'
import type { Path } from './yaml-document.js'

/** Something in a workspace that a person must accept when the file was found rather than named. */
export interface TrustNeed {
  /** Completes "The file …", such as `reads the environment variable HOME`. */
  readonly message: string
  readonly file: string
  readonly line?: number
  readonly column?: number
}

/** Texts for people and models: never opened as a file. */
const proseKeys: ReadonlySet<string | number> = new Set(['name', 'kind', 'description', 'wiki', 'examples'])
/** URLs, parts of URLs and SQL: a leading `/` means nothing there. */
const remoteKeys: ReadonlySet<string | number> = new Set([
  'endpoint',
  'base_url',
  'url',
  'token_url',
  'expr',
  'template',
  'required_predicates',
])

/**
 * What needs trust in the files as they are written: processes started, the environment read, files named outside the
 * workspace's folder. It errs on the side of asking.
 */
export async function trustNeeds(files: readonly [WorkspaceFile, ...WorkspaceFile[]]): Promise<readonly TrustNeed[]> {
  const root = files[0].folder
  const needs: TrustNeed[] = []
  for (const file of files) {
    if (!isWithin(file.realPath, root)) needs.push({ message: `includes ${file.path}`, file: file.path })
    const fence = new Fence(root, file.folder)
    for (const { text, path } of stringsOf(file.value, [])) {
      for (const message of referenceNeeds(text)) needs.push(needAt(file, path, message))
      if (isFileAddress(text, path) || (isPathPlace(path) && (await fence.isOutside(text))))
        needs.push(needAt(file, path, `names ${text}, outside its folder`))
    }
    for (const path of processPlaces(file.value, [])) needs.push(needAt(file, path, 'starts a process'))
    for (const path of secretVariables(file.value)) needs.push(needAt(file, path, 'reads a secret of this machine'))
  }
  return needs
}

/** The same for paths of a source that only came about by replacing references. */
export async function replacedPathNeeds(
  value: unknown,
  place: { readonly root: string; readonly folder: string; readonly file: string },
): Promise<readonly TrustNeed[]> {
  const fence = new Fence(place.root, place.folder)
  for (const { text, path } of stringsOf(value, ['sources'])) {
    if (isFileAddress(text, path) || (isPathPlace(path) && (await fence.isOutside(text)))) {
      return [{ message: 'names a path outside its folder', file: place.file }]
    }
  }
  return []
}

function needAt(file: WorkspaceFile, path: Path, message: string): TrustNeed {
  return { message, file: file.path, ...file.positionOf(path, 'value') }
}

function* stringsOf(value: unknown, path: Path): Generator<{ readonly text: string; readonly path: Path }> {
  if (typeof value === 'string') yield { text: value, path }
  else if (Array.isArray(value)) for (const [index, item] of value.entries()) yield* stringsOf(item, [...path, index])
  else if (isRecord(value)) for (const [key, item] of Object.entries(value)) yield* stringsOf(item, [...path, key])
}

function referenceNeeds(text: string): string[] {
  const parts = text.includes('${') ? parseTemplate(text) : []
  if ('message' in parts) return []
  return parts.flatMap((part) => {
    if (typeof part === 'string') return []
    if (part.kind === 'env') return [`reads the environment variable ${part.name}`]
    return part.kind === 'secret' ? [`reads the secret ${part.name}`] : []
  })
}

/** `sources`, `files`, `include`, `audit`, `secrets` and the defaults of variables may hold paths. */
function isPathPlace(path: Path): boolean {
  const [section] = path
  if (section === 'variables') return path.includes('default') || path.length === 2
  if (section !== 'sources') return ['files', 'include', 'audit', 'secrets'].includes(String(section))
  return !path.some((step) => proseKeys.has(step) || remoteKeys.has(step))
}

/** An address of a file opens a file wherever it stands, other than in a text for people. */
function isFileAddress(text: string, path: Path): boolean {
  return /^file:/i.test(text) && !path.some((step) => proseKeys.has(step))
}

function* processPlaces(value: unknown, path: Path): Generator<Path> {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* processPlaces(item, [...path, index])
  } else if (isRecord(value)) {
    for (const [key, item] of Object.entries(value)) {
      if (path[0] === 'sources' && key === 'command') yield [...path, key]
      else yield* processPlaces(item, [...path, key])
    }
  }
}

function* secretVariables(value: unknown): Generator<Path> {
  const variables = isRecord(value) ? value['variables'] : undefined
  if (!isRecord(variables)) return
  for (const [name, entry] of Object.entries(variables)) {
    if (isRecord(entry) && entry['kind'] === 'secret') yield ['variables', name]
  }
}

/** Tells whether a text, taken as a path, leaves the folder of the workspace, by `..` or through a symbolic link. */
class Fence {
  private readonly root: string
  private readonly folder: string
  private entries: Promise<ReadonlySet<string>> | undefined

  constructor(root: string, folder: string) {
    this.root = root
    this.folder = folder
  }

  async isOutside(text: string): Promise<boolean> {
    if (text.includes('\n')) return false
    const { folder: path } = filePattern(text.replace(/\$\{.*$/s, ''), this.folder)
    const isElsewhere = isAbsolute(expandHome(text)) || win32.isAbsolute(text) || text.startsWith('~')
    if (!isWithin(path, this.root)) return true
    if (isElsewhere && !isWithin(resolve(expandHome(text)), this.root)) return true
    return (await this.isThere(path)) && !isWithin(await nearestRealPath(path), this.root)
  }

  /** Most texts of a file are no paths at all: those whose first step is not in the folder need no second look. */
  private async isThere(path: string): Promise<boolean> {
    this.entries ??= readdir(this.root).then((names) => new Set(names))
    const [first = ''] = path.slice(this.root.length).split(/[\\/]/).filter(Boolean)
    return (await this.entries).has(first)
  }
}

/** Real path of the part of a path that exists. */
async function nearestRealPath(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch {
    const parent = dirname(path)
    return parent === path ? path : join(await nearestRealPath(parent), path.slice(parent.length + 1))
  }
}
