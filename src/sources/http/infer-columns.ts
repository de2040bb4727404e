import { JsonNumber, parseLossless } from '../../util/lossless-json.js'
import { sanitizeText } from '../../util/sanitize-text.js'
import type { AnswerColumn } from './http-table.js'

const maxColumns = 500
const maxNameLength = 100

/**
 * Columns of rows given as JSON texts, merged with what earlier answers had. A type holds every value seen without
 * loss; where no type does, VARCHAR (as the answer wrote it), and JSON for nested values.
 *
 * @param reserved names of parameters: a nested value of that name cannot be compared with one and is called `<name>_json`
 */
export function inferColumns(
  rows: readonly string[],
  known: readonly AnswerColumn[],
  reserved: readonly string[],
): readonly AnswerColumn[] {
  const types = new Map<string, { readonly path: AnswerColumn['path']; type: string | undefined }>()
  const note = (path: AnswerColumn['path'], type: string | undefined): void => {
    const id = JSON.stringify(path)
    const entry = types.get(id)
    if (entry !== undefined) entry.type = widen(entry.type, type)
    else if (types.size < maxColumns) types.set(id, { path, type })
  }
  for (const { path, type } of known) note(path, type)
  for (const row of rows) {
    const value = parseLossless(row)
    if (value === null) continue
    if (!isObject(value)) note([], typeOf(value))
    else for (const [key, field] of Object.entries(value)) note([key], typeOf(field))
  }
  return nameColumns([...types.values()], reserved)
}

function nameColumns(
  found: readonly { readonly path: AnswerColumn['path']; readonly type: string | undefined }[],
  reserved: readonly string[],
): readonly AnswerColumn[] {
  const taken = new Set<string>()
  const lowerReserved = new Set(reserved.map((name) => name.toLowerCase()))
  return found.map(({ path, type = 'VARCHAR' }) => {
    const key = path.length === 0 ? 'value' : sanitizeText(String(path[0]), maxNameLength) || 'column'
    const base = type === 'JSON' && lowerReserved.has(key.toLowerCase()) ? `${key}_json` : key
    let name = base
    for (let number = 2; taken.has(name.toLowerCase()); number++) name = `${base}_${number}`
    taken.add(name.toLowerCase())
    return { name, type, path }
  })
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof JsonNumber)
}

/** The type of one value; undefined for null, which says nothing. */
function typeOf(value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined
  if (typeof value === 'boolean') return 'BOOLEAN'
  if (typeof value === 'number') return Number.isInteger(value) ? 'BIGINT' : 'DOUBLE'
  if (value instanceof JsonNumber) return numberType(value.text)
  return typeof value === 'string' ? textType(value) : 'JSON'
}

function numberType(text: string): string {
  if (/^-?\d+$/.test(text)) {
    const integer = BigInt(text)
    if (BigInt.asIntN(64, integer) === integer) return 'BIGINT'
    return BigInt.asIntN(127, integer) === integer ? 'HUGEINT' : 'VARCHAR'
  }
  return Number.isFinite(Number(text)) ? 'DOUBLE' : 'VARCHAR'
}

const date = /^\d{4}-\d\d-\d\d$/
const timestamp = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d{1,6})?(Z|[+-]\d\d:?\d\d)?$/

/** A time with a zone is one: the offset of a later row must not be lost. More than microseconds stay text. */
function textType(text: string): string {
  if (text.length > 40 || text.startsWith('0000')) return 'VARCHAR'
  if (date.test(text)) return isRealDate(text) ? 'DATE' : 'VARCHAR'
  const match = timestamp.exec(text)
  if (match === null || !isRealDate(text.slice(0, 10)) || Number.isNaN(Date.parse(text.replace(' ', 'T'))))
    return 'VARCHAR'
  return match[1] === undefined ? 'TIMESTAMP' : 'TIMESTAMP WITH TIME ZONE'
}

/** Date.parse takes 2023-02-30 for the second of March. */
function isRealDate(text: string): boolean {
  const time = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text)
}

const numbers = ['BIGINT', 'HUGEINT', 'DOUBLE']
const times = ['DATE', 'TIMESTAMP']

/** The type that holds the values of both. */
function widen(a: string | undefined, b: string | undefined): string | undefined {
  if (a === undefined || b === undefined || a === b) return a ?? b
  if (a === 'JSON' || b === 'JSON') return 'JSON'
  if (times.includes(a) && times.includes(b)) return 'TIMESTAMP'
  if (numbers.includes(a) && numbers.includes(b)) {
    const pair = [a, b]
    // A double does not hold every such integer.
    if (pair.includes('DOUBLE')) return pair.includes('HUGEINT') ? 'VARCHAR' : 'DOUBLE'
    return 'HUGEINT'
  }
  return 'VARCHAR'
}
