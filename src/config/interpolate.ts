import { Secret } from '../util/secret.js'
import type { FaultList } from './fault-list.js'
import { isRecord } from './record.js'
import type { ReferenceScope } from './reference-scope.js'
import { holdsReference, unescapeReferences } from './template.js'
import type { WorkspaceFile } from './workspace-file.js'
import type { Path } from './yaml-document.js'

/** What replacing references left to know, for the checks that follow. Keys are `pathKey`s in the file. */
export interface Replacements {
  /** Without a value: reported already, so what a schema says of them is noise. */
  readonly failed: Set<string>
  /** Texts that stand for a number or a boolean may be read as one where a schema wants it. */
  readonly replaced: Set<string>
  /** Secrets that were put in, by place. */
  readonly secrets: Map<string, { readonly secret: Secret; readonly path: Path }>
}

export function newReplacements(): Replacements {
  return { failed: new Set(), replaced: new Set(), secrets: new Map() }
}

export function pathKey(path: Path): string {
  return JSON.stringify(path.map(String))
}

/** Names and descriptions stay as they are written, wherever they stand. */
const literalKeys: ReadonlySet<string | number> = new Set(['name', 'description'])

export interface InterpolateOptions {
  readonly file: WorkspaceFile
  readonly scope: ReferenceScope
  readonly faults: FaultList
  readonly replacements: Replacements
}

/** A copy of a part of a file with its references replaced. Faults are reported; where one stands, the text stays. */
export async function interpolate(value: unknown, path: Path, options: InterpolateOptions): Promise<unknown> {
  if (typeof value === 'string') return await expand(value, path, options)
  if (Array.isArray(value)) {
    const items: unknown[] = []
    for (const [index, item] of value.entries()) items.push(await interpolate(item, [...path, index], options))
    return items
  }
  if (!isRecord(value)) return value
  const copy: Record<string, unknown> = {}
  for (const [key, item] of Object.entries(value)) {
    const at = [...path, key]
    refuseInKey(key, at, options)
    copy[key] = literalKeys.has(key) ? keepLiteral(item, at, options) : await interpolate(item, at, options)
  }
  return copy
}

/** A copy of a part in which nothing is replaced: a reference there is a fault that says so. */
export function keepLiteral(value: unknown, path: Path, options: Pick<InterpolateOptions, 'file' | 'faults'>): unknown {
  if (typeof value === 'string') {
    if (holdsReference(value)) options.faults.at(options.file, path, misplaced)
    return unescapeReferences(value)
  }
  if (Array.isArray(value)) return value.map((item: unknown, index) => keepLiteral(item, [...path, index], options))
  if (!isRecord(value)) return value
  const copy: Record<string, unknown> = {}
  for (const [key, item] of Object.entries(value)) {
    refuseInKey(key, [...path, key], options)
    copy[key] = keepLiteral(item, [...path, key], options)
  }
  return copy
}

const misplaced = {
  message: '"${…}" is not replaced here',
  hint: 'It works inside the texts of config, variables, server and secrets, but not in names and descriptions. $${ is a literal ${.',
}

function refuseInKey(key: string, path: Path, { file, faults }: Pick<InterpolateOptions, 'file' | 'faults'>): void {
  if (holdsReference(key)) faults.at(file, path, misplaced, 'key')
}

async function expand(text: string, path: Path, options: InterpolateOptions): Promise<unknown> {
  if (!text.includes('${')) return text
  const { file, scope, faults, replacements } = options
  const resolved = await scope.expand(text, file.folder)
  if ('message' in resolved) {
    faults.at(file, path, resolved)
    replacements.failed.add(pathKey(path))
    return text
  }
  if (resolved.secretName === undefined) {
    replacements.replaced.add(pathKey(path))
    return resolved.value
  }
  const secret = new Secret(String(resolved.value), resolved.secretName)
  replacements.secrets.set(pathKey(path), { secret, path })
  return secret
}
