import type { z } from 'zod'
import type { FaultList } from './fault-list.js'
import { pathKey, type Replacements } from './interpolate.js'
import { isRecord } from './record.js'
import { checkBySchema, type SchemaFault } from './schema-faults.js'
import { isAccepted } from './secret-string.js'
import type { WorkspaceFile } from './workspace-file.js'
import type { Path } from './yaml-document.js'

export interface PartOptions {
  readonly file: WorkspaceFile
  /** Where the part stands in the file. */
  readonly path: Path
  readonly replacements: Replacements
  readonly faults: FaultList
}

/** Checks a part of a file by its schema and reports every fault at its place; undefined where there was one. */
export function checkPart<Output>(schema: z.ZodType<Output>, value: unknown, options: PartOptions): Output | undefined {
  const first = checkBySchema(schema, value)
  const checked = 'value' in first ? first : checkBySchema(schema, withTypedTexts(value, first.issues, options))
  if ('value' in checked) return refuseSecrets(options) ? undefined : checked.value
  for (const fault of checked.faults) {
    const at = [...options.path, ...fault.path]
    if (isReported(at, options)) continue
    options.faults.at(options.file, at, explain(fault, at, options), fault.part)
  }
  return undefined
}

/** A value that has no text to stand for is reported where it is missing, once. */
function isReported(path: Path, { replacements }: PartOptions): boolean {
  return path.some((_, index) => replacements.failed.has(pathKey(path.slice(0, index + 1))))
}

function explain(fault: SchemaFault, path: Path, { replacements }: PartOptions): SchemaFault {
  const held = replacements.secrets.get(pathKey(path))
  return held === undefined || isAccepted(held.secret) ? fault : { ...fault, ...misplacedSecret }
}

const misplacedSecret = {
  message: 'a secret may not stand here',
  hint: 'Secrets stand only in fields made for them, such as a token or a password. Use ${env:NAME} for a value that may be shown.',
}

/** A schema that takes anything would also take a secret: only fields made for secrets may have one. */
function refuseSecrets({ file, path, replacements, faults }: PartOptions): boolean {
  let refused = false
  for (const { secret, path: at } of replacements.secrets.values()) {
    const isInside = path.every((step, index) => String(step) === String(at[index]))
    if (!isInside || isAccepted(secret)) continue
    faults.at(file, at, misplacedSecret)
    refused = true
  }
  return refused
}

/** Replaced texts become numbers and booleans where the schema asked for them: an environment holds texts only. */
function withTypedTexts(value: unknown, issues: readonly z.core.$ZodIssue[], options: PartOptions): unknown {
  let typed = value
  for (const issue of issues) {
    if (issue.code !== 'invalid_type') continue
    const path = issue.path as Path
    if (!options.replacements.replaced.has(pathKey([...options.path, ...path]))) continue
    typed = changeAt(typed, path, (text) => typedText(text, issue.expected))
  }
  return typed
}

function typedText(text: unknown, expected: string): unknown {
  if (typeof text !== 'string') return text
  if (expected === 'boolean') return text === 'true' ? true : text === 'false' ? false : text
  if (expected !== 'number' && expected !== 'int') return text
  return /^[+-]?\d+(\.\d+)?$/.test(text) ? Number(text) : text
}

function changeAt(value: unknown, path: Path, change: (value: unknown) => unknown): unknown {
  const [step, ...rest] = path
  if (step === undefined) return change(value)
  if (Array.isArray(value)) {
    return value.map((item: unknown, index) => (index === step ? changeAt(item, rest, change) : item))
  }
  if (!isRecord(value)) return value
  return { ...value, [step]: changeAt(value[step], rest, change) }
}
