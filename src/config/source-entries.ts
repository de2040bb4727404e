import { basename } from 'node:path'
import type { z } from 'zod'
import { nearest } from '../util/nearest.js'
import { checkPart } from './checked-part.js'
import type { FaultList } from './fault-list.js'
import { identifier } from './identifier.js'
import { interpolate, keepLiteral, type Replacements } from './interpolate.js'
import type { LoadedSource } from './loaded-workspace.js'
import { isRecord } from './record.js'
import type { ReferenceScope } from './reference-scope.js'
import { reservedReason } from './reserved-name.js'
import type { WorkspaceFile } from './workspace-file.js'
import type { Path } from './yaml-document.js'

export interface SourceOptions {
  readonly kinds: ReadonlyMap<string, z.ZodType>
  readonly scope: ReferenceScope
  readonly replacements: ReadonlyMap<WorkspaceFile, Replacements>
  readonly faults: FaultList
  /** Reserved names that are right here. */
  readonly ownNames: readonly string[]
}

/** Every entry of `sources:` of all files, checked by its kind's schema. Faults are reported; such an entry is left out. */
export async function readSources(files: readonly WorkspaceFile[], options: SourceOptions): Promise<LoadedSource[]> {
  const sources: LoadedSource[] = []
  const names = new Map<string, string>()
  for (const file of files) {
    const entries = isRecord(file.value) ? file.value['sources'] : undefined
    if (!Array.isArray(entries)) continue
    for (const [index, entry] of entries.entries()) {
      const source = await new SourceEntry(file, ['sources', index], options).read(entry, names)
      if (source !== undefined) sources.push(source)
    }
  }
  return sources
}

class SourceEntry {
  private readonly file: WorkspaceFile
  private readonly path: Path
  private readonly options: SourceOptions

  constructor(file: WorkspaceFile, path: Path, options: SourceOptions) {
    this.file = file
    this.path = path
    this.options = options
  }

  async read(entry: unknown, names: Map<string, string>): Promise<LoadedSource | undefined> {
    const replacements = this.options.replacements.get(this.file)
    if (replacements === undefined) return undefined
    if (!isRecord(entry)) {
      this.fault([], 'expected a source: a mapping with name and kind')
      return undefined
    }
    const isNamed = this.checkName(entry['name'], names)
    const kind = this.kindOf(entry)
    const prepared = await this.prepare(entry, replacements)
    if (kind === undefined) return undefined
    const schema = this.options.kinds.get(kind)
    if (schema === undefined) return undefined
    const { file, path } = this
    const nameFaults = isNamed
      ? replacements
      : { ...replacements, failed: withPath(replacements.failed, [...path, 'name']) }
    const config = checkPart(
      schema,
      { ...prepared, kind },
      { file, path, replacements: nameFaults, faults: this.options.faults },
    )
    if (config === undefined) return undefined
    this.checkTableNames(entry['tables'])
    if (!isNamed) return undefined
    return { name: String(entry['name']), kind, config, folder: file.folder, place: this.place() }
  }

  /** `config` has its references replaced; nothing else has. */
  private async prepare(entry: Record<string, unknown>, replacements: Replacements): Promise<Record<string, unknown>> {
    const { scope, faults } = this.options
    const { file } = this
    const prepared: Record<string, unknown> = {}
    for (const [key, value] of Object.entries(entry)) {
      const at = [...this.path, key]
      prepared[key] =
        key === 'config'
          ? await interpolate(value, at, { file, scope, faults, replacements })
          : keepLiteral(value, at, { file, faults })
    }
    return prepared
  }

  private checkName(name: unknown, names: Map<string, string>): boolean {
    if (name === undefined)
      return this.fault(['name'], '"name" is missing', 'Give each source a name: tables are called name.table.')
    const parsed = identifier.safeParse(name)
    if (!parsed.success) return this.fault(['name'], parsed.error.issues[0]?.message ?? 'this is not a name')
    const folded = parsed.data.toLowerCase()
    const reason = this.options.ownNames.includes(folded) ? undefined : reservedReason(folded)
    if (reason !== undefined) {
      return this.fault(['name'], `the name "${parsed.data}" is reserved: ${reason}`, 'Give the source another name.')
    }
    const other = names.get(folded)
    if (other !== undefined) {
      return this.fault(
        ['name'],
        `source "${parsed.data}" is already defined in ${other}`,
        'Names are compared without regard to case.',
      )
    }
    names.set(folded, this.place())
    return true
  }

  private kindOf(entry: Record<string, unknown>): string | undefined {
    const { kind } = entry
    const known = [...this.options.kinds.keys()]
    const list = `Kinds of this version: ${known.join(', ')}.`
    if (entry['from'] !== undefined) {
      this.fault(
        ['from'],
        'this version of Querent does not have "from" yet',
        'Put the source into a file of its own and list it under include.',
      )
    } else if (kind === undefined) this.fault(['kind'], '"kind" is missing', list)
    else if (typeof kind !== 'string') this.fault(['kind'], 'expected the name of a kind', list)
    else {
      const folded = kind.toLowerCase()
      if (this.options.kinds.has(folded)) return folded
      const [near] = nearest(folded, known, 1)
      const hint = near === undefined ? list : `Did you mean "${near}"? ${list}`
      this.fault(['kind'], `this version of Querent has no source of kind "${kind.slice(0, 40)}"`, hint)
    }
    return undefined
  }

  /** Two tables of one name would hide each other, whatever the kind makes of them. */
  private checkTableNames(tables: unknown): void {
    if (!Array.isArray(tables)) return
    const seen = new Map<string, number>()
    for (const [index, table] of tables.entries()) {
      if (!isRecord(table) || typeof table['name'] !== 'string') continue
      const schema = typeof table['schema'] === 'string' ? table['schema'].toLowerCase() : ''
      const key = JSON.stringify([schema, table['name'].toLowerCase()])
      const other = seen.get(key)
      if (other === undefined) seen.set(key, index)
      else {
        const line = this.file.positionOf([...this.path, 'tables', other, 'name'], 'value')?.line
        const where = line === undefined ? `entry ${other + 1}` : `line ${line}`
        this.fault(['tables', index, 'name'], `another table of this source has this name (${where})`)
      }
    }
  }

  private fault(path: Path, message: string, hint?: string): false {
    this.options.faults.at(this.file, [...this.path, ...path], { message, hint })
    return false
  }

  private place(): string {
    const position = this.file.positionOf(this.path, 'value')
    const file = basename(this.file.path)
    return position === undefined ? `${file}: sources[${String(this.path[1])}]` : `${file}:${position.line}`
  }
}

function withPath(paths: ReadonlySet<string>, path: Path): Set<string> {
  return new Set([...paths, JSON.stringify(path.map(String))])
}
