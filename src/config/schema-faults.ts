import type { z } from 'zod'
import { nearest } from '../util/nearest.js'
import { type IssueText, isOwnMessage, issueText, choices, readIssueText } from './issue-text.js'
import { isRecord } from './record.js'
import type { Path } from './yaml-document.js'

/** One fault that a schema found. */
export interface SchemaFault {
  readonly path: Path
  readonly part: 'key' | 'value'
  readonly message: string
  readonly hint?: string | undefined
}

/** Keys of this format that no version of Querent reads yet: refused as such, not as mistakes of writing. */
const laterKeys: ReadonlySet<string> = new Set([
  'semantic',
  'packs',
  'code',
  'functions',
  'raw_table',
  'raw_table_safety',
  'from',
  'cache',
  'policy',
  'variables',
  'defaults',
])

export type Checked<Output> =
  { readonly value: Output } | { readonly faults: readonly SchemaFault[]; readonly issues: readonly z.core.$ZodIssue[] }

/** Parses by a schema and says every fault in words that name the place, what is expected and the nearest valid key. */
export function checkBySchema<Output>(schema: z.ZodType<Output>, value: unknown): Checked<Output> {
  // Each schema is used a few times at start: compiling it, as zod would, takes longer than it saves.
  const result = schema.safeParse(value, { error: issueText, jitless: true })
  if (result.success) return { value: result.data }
  const { issues } = result.error
  return { issues, faults: issues.flatMap((issue) => faultsOf(issue, [], value)) }
}

function faultsOf(issue: z.core.$ZodIssue, prefix: Path, root: unknown): SchemaFault[] {
  const path = [...prefix, ...(issue.path as Path)]
  const found = valueAt(root, path)
  if (found === undefined && path.length > 0 && !isOwnMessage(issue.message)) return [missing(path, issue)]
  const text = readIssueText(issue.message)
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => unknownKey([...path, key], key, text))
    case 'invalid_union':
      return isOwnMessage(issue.message)
        ? [{ path, part: 'value', message: issue.message }]
        : unionFaults(issue, path, root)
    case 'invalid_key':
      return [{ path, part: 'key', message: readIssueText(issue.issues[0]?.message ?? issue.message).message }]
    case 'invalid_element':
      return issue.issues.flatMap((inner) => faultsOf(inner, path, root))
    case 'invalid_value':
      return [{ path, part: 'value', message: text.message, hint: nearestChoice(found, issue.values) }]
    default:
      return [{ path, part: 'value', message: text.message }]
  }
}

function missing(path: Path, issue: z.core.$ZodIssue): SchemaFault {
  const key = path.at(-1)
  const what = issue.code === 'invalid_value' ? `: ${choices(issue.values)}` : ''
  return { path, part: 'value', message: `${quote(key)} is missing${what}` }
}

function unknownKey(path: Path, key: string, text: IssueText): SchemaFault {
  const valid = text.validKeys ?? []
  if (laterKeys.has(key))
    return {
      path,
      part: 'key',
      message: `this version of Querent does not have ${quote(key)} here yet`,
      hint: 'Remove it.',
    }
  if (text.validKeys?.length === 0) {
    return {
      path,
      part: 'key',
      message: `this version of Querent has nothing to set here, such as ${quote(key)}`,
      hint: 'Remove it.',
    }
  }
  const [near] = nearest(key, valid, 1)
  const all = validKeysText(text.validKeys)
  return {
    path,
    part: 'key',
    message: `unknown key ${quote(key)}`,
    hint: near === undefined ? all : `Did you mean ${quote(near)}? ${all}`,
  }
}

function validKeysText(keys: readonly string[] | undefined): string | undefined {
  return keys === undefined ? undefined : `Valid keys: ${keys.join(', ')}.`
}

function nearestChoice(found: unknown, values: readonly unknown[]): string | undefined {
  if (typeof found !== 'string') return undefined
  const [near] = nearest(
    found,
    values.filter((value) => typeof value === 'string'),
    1,
  )
  return near === undefined ? undefined : `Did you mean ${quote(near)}?`
}

/** Says what is wrong with the alternative that was meant, or, where none is near, what the alternatives are. */
function unionFaults(issue: z.core.$ZodIssueInvalidUnion, path: Path, root: unknown): SchemaFault[] {
  if (issue.errors.length === 0) {
    const options = 'options' in issue ? issue.options : undefined
    const found = valueAt(root, path)
    if (options === undefined) return [{ path, part: 'value', message: 'this value does not fit here' }]
    return [{ path, part: 'value', message: `expected ${choices(options)}`, hint: nearestChoice(found, options) }]
  }
  const near = issue.errors.filter((branch) =>
    branch.every((inner) => inner.path.length > 0 || inner.code === 'unrecognized_keys'),
  )
  const tagged = near.length > 1 ? sharedTag(near) : undefined
  if (tagged !== undefined) {
    const at = [...path, ...(tagged.path as Path)]
    const found = valueAt(root, at)
    const message =
      found === undefined
        ? `${quote(at.at(-1))} is missing: ${choices(tagged.values)}`
        : `expected ${choices(tagged.values)}`
    return [{ path: at, part: 'value', message, hint: nearestChoice(found, tagged.values) }]
  }
  const [best] = [...near].sort((a, b) => weight(a) - weight(b))
  if (best !== undefined) return best.flatMap((inner) => faultsOf(inner, path, root))
  const texts = issue.errors.flatMap((branch) =>
    branch.filter((inner) => inner.path.length === 0).flatMap((inner) => faultsOf(inner, path, root)),
  )
  return [{ path, part: 'value', message: joined(texts.map((fault) => fault.message)) }]
}

/** The key by whose value all alternatives differ, where the value fits none of them. */
function sharedTag(
  branches: readonly (readonly z.core.$ZodIssue[])[],
): { path: PropertyKey[]; values: unknown[] } | undefined {
  const tags = branches.map((branch) => branch.find((inner) => inner.code === 'invalid_value'))
  const [first] = tags
  if (first === undefined) return undefined
  const values: unknown[] = []
  for (const tag of tags) {
    if (tag === undefined || tag.path.join('.') !== first.path.join('.')) return undefined
    values.push(...tag.values)
  }
  return { path: first.path, values }
}

/** A wrong tag says that another alternative was meant. */
function weight(branch: readonly z.core.$ZodIssue[]): number {
  return branch.reduce((sum, issue) => sum + (issue.code === 'invalid_value' ? 100 : 1), 0)
}

function joined(messages: readonly string[]): string {
  const unique = [...new Set(messages)]
  const [first = 'this value does not fit here', ...rest] = unique
  const shorter = rest.map((message) => message.replace(/^expected /, ''))
  const ends = [first, ...shorter].map((message) => message.replace(/, not .*$/, ''))
  const not = /, not .*$/.exec(first)?.[0] ?? ''
  return `${ends.join(', or ')}${not}`
}

function valueAt(root: unknown, path: Path): unknown {
  let value = root
  for (const step of path) {
    if (Array.isArray(value)) value = (value as unknown[])[Number(step)]
    else if (isRecord(value) && Object.hasOwn(value, step)) value = value[step]
    else return undefined
  }
  return value
}

function quote(key: unknown): string {
  return `"${String(key)}"`
}
