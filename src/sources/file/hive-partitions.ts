import path from 'node:path'
import type { Constant } from '../../model/constant.js'
import type { ComparisonOperator, Filter } from '../../model/filter.js'

/** Values that the folders of a file's path give, by key, such as `year=2024`: texts, or null for Hive's NULL. */
export type PartitionValues = ReadonlyMap<string, string | null>

export function partitionValuesOf(file: string): PartitionValues {
  const values = new Map<string, string | null>()
  for (const folder of path.dirname(file).split(path.sep)) {
    const match = /^([^=?\\]+)=([^=?\\]*)$/.exec(folder)
    if (match?.[1] === undefined || match[2] === undefined) continue
    values.set(match[1], match[2] === '__HIVE_DEFAULT_PARTITION__' ? null : match[2])
  }
  return values
}

/** Whether the files lie in partitions: every path has the same keys, at least one. */
export function areHivePartitioned(files: readonly string[]): boolean {
  const keys = files.map((file) => JSON.stringify([...partitionValuesOf(file).keys()].sort()))
  return keys[0] !== undefined && keys[0] !== '[]' && keys.every((key) => key === keys[0])
}

/**
 * Whether the rows of a file satisfy the filter: all of them or none, for they share their partition. Undefined where
 * that is not certain: another column is meant, or the values' order is not plain.
 */
export function partitionMatches(
  filter: Filter,
  values: PartitionValues,
  types: ReadonlyMap<string, string>,
): boolean | undefined {
  if (filter.kind === 'and') return conjunction(filter.filters.map((part) => partitionMatches(part, values, types)))
  if (filter.kind === 'or') {
    // NOT (NOT a AND NOT b): unknown stays unknown.
    return negate(conjunction(filter.filters.map((part) => negate(partitionMatches(part, values, types)))))
  }
  const type = types.get(filter.column)
  const text = values.get(filter.column)
  if (type === undefined || text === undefined) return undefined
  if (filter.kind === 'null') return (text === null) !== filter.negated
  if (filter.kind === 'in' && filter.values.length === 0) return filter.negated
  if (text === null) return false
  const value = ordered(type, text)
  if (value === undefined || filter.kind === 'like') return undefined
  if (filter.kind === 'prefix') return typeof value === 'string' ? value.startsWith(filter.prefix) : undefined
  if (filter.kind === 'compare') return holds(filter.operator, value, constantOf(type, filter.value))
  if (filter.negated) {
    return conjunction(filter.values.map((constant) => holds('<>', value, constantOf(type, constant))))
  }
  return negate(conjunction(filter.values.map((constant) => holds('<>', value, constantOf(type, constant)))))
}

/** False as soon as one part is false, else unknown as soon as one is unknown. */
function conjunction(parts: readonly (boolean | undefined)[]): boolean | undefined {
  if (parts.includes(false)) return false
  return parts.includes(undefined) ? undefined : true
}

function negate(value: boolean | undefined): boolean | undefined {
  return value === undefined ? undefined : !value
}

type Ordered = bigint | string

/** A value in a form whose order is that of its type; undefined where that is not plain. */
function ordered(type: string, text: string): Ordered | undefined {
  if (type === 'BIGINT') return /^-?(?:0|[1-9]\d{0,17})$/.test(text) ? BigInt(text) : undefined
  if (type === 'DATE') return /^[1-9]\d{3}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/.test(text) ? text : undefined
  // ASCII only: the order of JavaScript's strings is that of bytes there. % would stand for an encoded character.
  if (type === 'VARCHAR') return /^[\u0020-\u0024\u0026-\u007e]*$/.test(text) ? text : undefined
  return undefined
}

const integerTypes = new Set([
  'TINYINT',
  'SMALLINT',
  'INTEGER',
  'BIGINT',
  'HUGEINT',
  'UTINYINT',
  'USMALLINT',
  'UINTEGER',
  'UBIGINT',
])

function constantOf(type: string, constant: Constant): Ordered | undefined {
  if (constant.text === undefined) return undefined
  const sameType = type === 'BIGINT' ? integerTypes.has(constant.type) : constant.type === type
  return sameType ? ordered(type, constant.text) : undefined
}

function holds(operator: ComparisonOperator, left: Ordered, right: Ordered | undefined): boolean | undefined {
  if (right === undefined || typeof left !== typeof right) return undefined
  switch (operator) {
    case '=':
      return left === right
    case '<>':
      return left !== right
    case '<':
      return left < right
    case '<=':
      return left <= right
    case '>':
      return left > right
    case '>=':
      return left >= right
  }
}
