import type { z } from 'zod'
import { Secret } from '../util/secret.js'

/** What a schema expects, for messages; `validKeys` where a mapping has keys it does not know. */
export interface IssueText {
  readonly message: string
  readonly validKeys?: readonly string[]
}

/** Zod hands on texts only, so ours travel as JSON behind a mark that no text of a schema begins with. */
const mark = '\u0001'

/** An error map: our words for what zod found. A schema's own message wins over it. */
export function issueText(issue: z.core.$ZodRawIssue): string {
  return mark + JSON.stringify(describe(issue))
}

export function readIssueText(message: string): IssueText {
  if (!message.startsWith(mark)) return { message }
  return JSON.parse(message.slice(mark.length)) as IssueText
}

/** Whether a schema gave a message of its own. */
export function isOwnMessage(message: string): boolean {
  return !message.startsWith(mark)
}

const nouns: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'a mapping (key: value)',
  record: 'a mapping (key: value)',
  array: 'a list',
  tuple: 'a list',
  null: 'null',
  undefined: 'nothing',
}

function describe(issue: z.core.$ZodRawIssue): IssueText {
  const input = issue.input
  if (input instanceof Secret) return { message: 'a secret may not stand here' }
  switch (issue.code) {
    case 'invalid_type':
      return { message: `expected ${noun(issue.expected)}, not ${nounOf(input)}` }
    case 'invalid_value':
      return { message: `expected ${choices(issue.values)}` }
    case 'unrecognized_keys':
      return { message: 'unknown key', validKeys: keysOf(issue.inst) }
    case 'too_small':
      return { message: bound(issue.origin, Number(issue.minimum), 'at least') }
    case 'too_big':
      return { message: bound(issue.origin, Number(issue.maximum), 'at most') }
    case 'not_multiple_of':
      return { message: `expected a multiple of ${issue.divisor}` }
    case 'invalid_format':
      return {
        message:
          issue.format === 'regex'
            ? 'this text is not of the form expected here'
            : `expected a text of the form ${issue.format}`,
      }
    case 'invalid_key':
      return { message: 'this key is not allowed here' }
    default:
      return { message: 'this value does not fit here' }
  }
}

export function choices(values: readonly unknown[]): string {
  const shown = values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
  return shown.length === 1 ? (shown[0] ?? '') : `one of ${shown.join(', ')}`
}

function noun(type: string): string {
  return nouns[type] ?? `a ${type}`
}

function nounOf(value: unknown): string {
  if (value === null) return 'an empty value'
  if (Array.isArray(value)) return 'a list'
  return noun(typeof value)
}

function bound(origin: string, limit: number, words: string): string {
  if (origin === 'string') return `expected ${words} ${limit} character${limit === 1 ? '' : 's'}`
  if (origin === 'array' || origin === 'set') return `expected ${words} ${limit} item${limit === 1 ? '' : 's'}`
  if (Math.abs(limit) === Number.MAX_SAFE_INTEGER) return 'expected a smaller number'
  return `expected ${words} ${limit}`
}

function keysOf(schema: unknown): readonly string[] {
  const shape = (schema as { readonly _zod?: { readonly def?: { readonly shape?: object } } } | undefined)?._zod?.def
    ?.shape
  return shape === undefined ? [] : Object.keys(shape)
}
