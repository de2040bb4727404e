import type { FaultList } from './fault-list.js'
import { interpolate, keepLiteral, type Replacements } from './interpolate.js'
import { isRecord } from './record.js'
import type { ReferenceScope } from './reference-scope.js'
import type { WorkspaceFile } from './workspace-file.js'

export interface PrepareOptions {
  readonly faults: FaultList
  readonly replacements: Replacements
  /** For `secrets`, which cannot use secrets. */
  readonly storeScope: ReferenceScope
}

/** Read by their own rules, entry by entry. */
const elsewhere: ReadonlySet<string> = new Set(['sources', 'variables', 'server'])

/**
 * A file's top-level keys with `secrets` replaced and all others as they are written. `sources`, `variables` and
 * `server` are left alone. undefined for a file that is not a mapping: that is reported.
 */
export async function prepareFile(
  file: WorkspaceFile,
  options: PrepareOptions,
): Promise<Record<string, unknown> | undefined> {
  const { faults, replacements, storeScope: scope } = options
  if (!isRecord(file.value)) {
    if (file.faults.length === 0)
      faults.at(file, [], {
        message: file.value === null ? 'the file is empty' : 'expected a mapping (key: value)',
        hint: 'Begin with version: 1 and sources.',
      })
    return undefined
  }
  const prepared: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(file.value)) {
    if (elsewhere.has(key)) prepared[key] = value
    else if (key === 'secrets') prepared[key] = await interpolate(value, [key], { file, scope, faults, replacements })
    else prepared[key] = keepLiteral(value, [key], { file, faults })
  }
  return prepared
}
