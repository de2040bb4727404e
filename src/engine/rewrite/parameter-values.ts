import { QuerentError } from '../../errors/querent-error.js'
import type { Constant } from '../../model/constant.js'

/** Values of a statement's parameters: by name for `$name`, by position for `?` and `$1`. */
export type ParameterValues = Readonly<Record<string, unknown>> | readonly unknown[]

/** A value with its DuckDB type: a constant, or a list of values. */
export type TypedValue = Constant | readonly TypedValue[]

/**
 * The values by lower-case name: integers as INTEGER, BIGINT or HUGEINT, other numbers as DOUBLE, strings as VARCHAR,
 * arrays of these as lists. Throws `sql.parameter` where names and values do not match.
 */
export function typedParameters(
  used: Iterable<string>,
  values: ParameterValues | undefined,
  options: { readonly ignoreExtra: boolean },
): ReadonlyMap<string, TypedValue> {
  const given = byName(values)
  const wanted = new Set([...used].map((name) => name.toLowerCase()))
  const missing = [...wanted].filter((name) => !given.has(name))
  if (missing.length > 0) {
    throw fault(`The statement uses ${missing.map((name) => `$${name}`).join(', ')}, but params gives no value for it.`)
  }
  const extra = [...given.keys()].filter((name) => !wanted.has(name))
  if (extra.length > 0 && !options.ignoreExtra) {
    throw fault(`params gives ${extra.join(', ')}, which the statement does not use.`)
  }
  return new Map([...wanted].map((name) => [name, typedValue(given.get(name))]))
}

function byName(values: ParameterValues | undefined): ReadonlyMap<string, unknown> {
  if (values === undefined) return new Map()
  const entries: [string, unknown][] = Array.isArray(values)
    ? values.map((value: unknown, index) => [String(index + 1), value])
    : Object.entries(values).map(([name, value]) => [name.replace(/^\$/, '').toLowerCase(), value])
  return new Map(entries)
}

function typedValue(value: unknown): TypedValue {
  if (value === null) return { type: 'NULL', text: undefined }
  if (Array.isArray(value)) return value.map((item: unknown) => typedValue(item))
  switch (typeof value) {
    case 'string':
      return { type: 'VARCHAR', text: value }
    case 'boolean':
      return { type: 'BOOLEAN', text: String(value) }
    case 'bigint':
      return integer(value)
    case 'number':
      if (Number.isSafeInteger(value)) return integer(BigInt(value))
      if (!Number.isFinite(value)) throw fault('A number in params is not finite.')
      return { type: 'DOUBLE', text: String(value) }
    default:
      throw fault(`A value of type ${typeof value} is not taken in params.`)
  }
}

const int32Max = 2n ** 31n - 1n
const int64Max = 2n ** 63n - 1n
const int128Max = 2n ** 127n - 1n

function integer(value: bigint): Constant {
  const magnitude = value < 0n ? -value - 1n : value
  if (magnitude > int128Max) throw fault('An integer in params has more than 128 bits.')
  const type = magnitude <= int32Max ? 'INTEGER' : magnitude <= int64Max ? 'BIGINT' : 'HUGEINT'
  return { type, text: String(value) }
}

function fault(message: string): QuerentError {
  return new QuerentError('sql.parameter', { message })
}
