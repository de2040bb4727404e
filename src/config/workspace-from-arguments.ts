import { stat } from 'node:fs/promises'
import { basename, relative, resolve } from 'node:path'
import type { z } from 'zod'
import { QuerentError } from '../errors/querent-error.js'
import { databaseKind } from './database-kind.js'
import { filePattern, matchingFiles } from './file-pattern.js'
import { loadWorkspaceObject } from './load-workspace.js'
import type { LoadedWorkspace } from './loaded-workspace.js'
import { reservedReason } from './reserved-name.js'

export interface ArgumentOptions {
  readonly args: readonly string[]
  readonly cwd: string
  readonly kinds: ReadonlyMap<string, z.ZodType>
  readonly env: Readonly<Record<string, string | undefined>>
}

const maxFiles = 10_000

/**
 * A workspace of the sources named on the command line: databases by their name, data files as tables of the source
 * `files`. Names that clash get `_2`, which `notices` says. Rejects with `config.argument`, `config.kind_unavailable`
 * or `config.invalid`.
 */
export async function workspaceFromArguments(options: ArgumentOptions): Promise<LoadedWorkspace> {
  const draft = new Draft(options)
  for (const argument of options.args) await draft.add(argument)
  const { kinds, env, cwd } = options
  const config = { version: 1, name: basename(cwd) || 'querent', sources: draft.entries() }
  return await loadWorkspaceObject({ config, folder: cwd, kinds, env, ownNames: ['files'], notices: draft.notices })
}

class Draft {
  readonly notices: string[] = []
  private readonly options: ArgumentOptions
  private readonly sources: object[] = []
  private readonly tables: object[] = []
  private readonly sourceNames = new Set<string>(['files'])
  private readonly tableNames = new Set<string>()
  private readonly seen = new Set<string>()

  constructor(options: ArgumentOptions) {
    this.options = options
  }

  entries(): readonly object[] {
    const files = { name: 'files', kind: 'file', tables: this.tables }
    return this.tables.length === 0 ? this.sources : [...this.sources, files]
  }

  async add(argument: string): Promise<void> {
    const { cwd } = this.options
    if (argument === '') throw unusable('""', 'it is empty')
    const url = /^([a-z][a-z0-9+.-]+):(?=\/\/)/i.exec(argument)?.[1]?.toLowerCase()
    if (url !== undefined) {
      this.addUrl(argument, url)
      return
    }
    if (/^(md|motherduck):/i.test(argument)) {
      this.addDatabase('duckdb', argument.replace(/^[a-z]+:/i, '').replace(/\?.*$/s, '') || 'my_db', argument)
      return
    }
    const pattern = (await isThere(resolve(cwd, argument)))
      ? { folder: resolve(cwd, argument) }
      : filePattern(argument, cwd)
    const paths = await matchingFiles(pattern)
    if (paths.length === 0) throw unusable(argument, 'no file matches')
    if (paths.length > maxFiles) throw unusable(argument, `more than ${maxFiles} files match`)
    for (const path of paths) await this.addPath(path, argument)
  }

  private addUrl(argument: string, scheme: string): void {
    const kind = urlKinds[scheme]
    const shown = withoutCredentials(argument)
    if (kind === undefined) throw unusable(shown, `there is no source for ${scheme}: addresses`)
    this.requireKind(kind, shown)
    throw unusable(shown, `a source of kind ${kind} needs a workspace file`)
  }

  private async addPath(path: string, argument: string): Promise<void> {
    if (this.seen.has(path)) return
    this.seen.add(path)
    const kind = await databaseKind(path)
    if (kind !== undefined) {
      this.addDatabase(kind, stem(path), this.pathText(path))
      return
    }
    if (!(await isThere(path))) throw unusable(argument, 'it does not exist')
    this.requireKind('file', argument)
    const name = this.free(stem(path), this.tableNames, `files.`, this.pathText(path).replace(/^\.\//, ''))
    this.tables.push({ name, path: literalPath(this.pathText(path)) })
  }

  private addDatabase(kind: string, name: string, path: string): void {
    // A MotherDuck path may carry a token behind the question mark.
    const shown = path.replace(/\?.*$/s, '')
    this.requireKind(kind, shown)
    const source = this.free(name, this.sourceNames, '', shown)
    this.sources.push({ name: source, kind, config: { path: path.replaceAll('${', () => '$${') } })
  }

  private requireKind(kind: string, argument: string): void {
    const { kinds } = this.options
    if (kinds.has(kind)) return
    throw new QuerentError('config.kind_unavailable', { argument, kind, kinds: [...kinds.keys()].join(', ') })
  }

  /** A name that nothing else has; says so where it is not the plain one. */
  private free(wanted: string, taken: Set<string>, prefix: string, argument: string): string {
    const plain = identifierOf(wanted)
    const isReserved = (name: string): boolean => prefix === '' && reservedReason(name) !== undefined
    let name = plain
    for (let n = 2; taken.has(name.toLowerCase()) || isReserved(name); n++) name = `${plain}_${n}`
    taken.add(name.toLowerCase())
    if (name !== wanted) this.notices.push(`${argument} is called ${prefix}${name}`)
    return name
  }

  private pathText(path: string): string {
    const inside = relative(this.options.cwd, path)
    return inside.startsWith('..') ? path : `./${inside}`
  }
}

const urlKinds: Readonly<Record<string, string>> = {
  postgres: 'postgres',
  postgresql: 'postgres',
  mysql: 'mysql',
  mariadb: 'mysql',
  http: 'http',
  https: 'http',
}

/** A file whose name holds wildcards means itself, and `${` in it means nothing. */
function literalPath(path: string): string {
  return path.replaceAll(/[*?[]/g, '[$&]').replaceAll(/\$\{(?=(?:env|secret|var|file):)/g, () => '$${')
}

function unusable(argument: string, reason: string): QuerentError {
  return new QuerentError('config.argument', { argument, reason })
}

/** `scheme://host/name` of an address, without user, password, query and fragment. */
function withoutCredentials(text: string): string {
  if (!URL.canParse(text)) return text.replace(/^([a-z0-9+.-]+:\/\/).*$/is, '$1…')
  const { protocol, host, pathname } = new URL(text)
  return `${protocol}//${host}${pathname}`
}

/** `sales.csv.gz` is `sales`. */
function stem(path: string): string {
  return basename(path)
    .replace(/(?<=.)\.(gz|gzip|zst|zstd)$/i, '')
    .replace(/(?<=.)\.[^.]*$/, '')
}

function identifierOf(text: string): string {
  const name = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9_]+/g, '_')
    .slice(0, 100)
  return name === '' ? 'table' : /^[0-9]/.test(name) ? `_${name}` : name
}

async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path)
    return true
  } catch {
    return false
  }
}
