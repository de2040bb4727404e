import type { FaultList } from './fault-list.js'
import { checkPart } from './checked-part.js'
import { interpolate, keepLiteral, type Replacements } from './interpolate.js'
import { isRecord } from './record.js'
import type { ReferenceScope } from './reference-scope.js'
import { type Variable, variablesConfig } from './variable.js'
import type { WorkspaceFile } from './workspace-file.js'

export interface DeclarationOptions {
  readonly replacements: ReadonlyMap<WorkspaceFile, Replacements>
  readonly faults: FaultList
  /** For references in `choices`: it knows no variables and no secrets. */
  readonly scope: ReferenceScope
}

/** Every variable of all files. A name declared twice is a fault that names both places. */
export async function readVariables(
  files: readonly WorkspaceFile[],
  options: DeclarationOptions,
): Promise<ReadonlyMap<string, Variable>> {
  const { faults } = options
  const variables = new Map<string, Variable>()
  for (const file of files) {
    const raw = isRecord(file.value) ? file.value['variables'] : undefined
    const replacements = options.replacements.get(file)
    if (raw === undefined || replacements === undefined) continue
    const prepared = await prepare(raw, file, { ...options, file, replacements })
    const declared = checkPart(variablesConfig, prepared, { file, path: ['variables'], replacements, faults })
    for (const [name, declaration] of Object.entries(declared ?? {})) {
      const path = ['variables', name]
      const other = variables.get(name)
      if (other === undefined) variables.set(name, { name, declaration, file, path })
      else faults.at(file, path, { message: `variable ${name} is also declared in ${place(other)}` }, 'key')
    }
  }
  return variables
}

/** Defaults keep their references: they are replaced when the variable is asked for. */
async function prepare(
  raw: unknown,
  file: WorkspaceFile,
  options: { file: WorkspaceFile; faults: FaultList; replacements: Replacements; scope: ReferenceScope },
): Promise<unknown> {
  if (!isRecord(raw)) return raw
  const prepared: Record<string, unknown> = {}
  for (const [name, entry] of Object.entries(raw)) {
    if (!isRecord(entry)) {
      prepared[name] = entry
      continue
    }
    const { default: initial, choices, ...rest } = entry
    const copy = keepLiteral(rest, ['variables', name], { file, faults: options.faults })
    prepared[name] = {
      ...(copy as object),
      ...(initial === undefined ? {} : { default: initial }),
      ...(choices === undefined
        ? {}
        : { choices: await interpolate(choices, ['variables', name, 'choices'], options) }),
    }
  }
  return prepared
}

function place(variable: Variable): string {
  const position = variable.file.positionOf(variable.path, 'key')
  return position === undefined ? variable.file.path : `${variable.file.path}:${position.line}`
}
