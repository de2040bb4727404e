import type {
  DuckDBArrayType,
  DuckDBListType,
  DuckDBMapType,
  DuckDBStructType,
  DuckDBType,
  DuckDBUnionType,
} from '@duckdb/node-api'
import { listRanges, type ItemRange } from './list-ranges.js'
import { quote } from './text.js'
import { entryVectors, innerVector, itemBytes, missing, type AnyVector } from './vector-data.js'
import type { WriteBudget } from './write-budget.js'

type WriteItem = (index: number) => string
type WriterOf = (type: DuckDBType, vector: AnyVector) => WriteItem

interface ListOptions {
  readonly budget: WriteBudget
  readonly writerOf: WriterOf
}

/** JSON array of the items in the range. */
function writeRange(write: WriteItem, { offset, length }: ItemRange, budget: WriteBudget): string {
  if (length === 0) return '[]'
  let text = `[${write(offset)}`
  for (let index = offset + 1; index < offset + length; index++) {
    if (text.length > budget.stopChars) {
      budget.stopped = true
      break
    }
    text += `,${write(index)}`
  }
  return `${text}]`
}

export function listWriter(type: DuckDBListType, vector: AnyVector, options: ListOptions): WriteItem {
  const write = options.writerOf(type.valueType, innerVector(vector, 'childData'))
  const rangeOf = listRanges(vector)
  return (index) => writeRange(write, rangeOf(index), options.budget)
}

export function arrayWriter(type: DuckDBArrayType, vector: AnyVector, options: ListOptions): WriteItem {
  const write = options.writerOf(type.valueType, innerVector(vector, 'childData'))
  return (index) => writeRange(write, { offset: index * type.length, length: type.length }, options.budget)
}

/** A map's keys need not be texts: `[{"key":…,"value":…}]`. */
export function mapWriter(type: DuckDBMapType, vector: AnyVector, options: ListOptions): WriteItem {
  const list = innerVector(vector, 'listVector')
  const [keys, values] = entryVectors(innerVector(list, 'childData'))
  if (keys === undefined || values === undefined) return () => '[]'
  const writeKey = options.writerOf(type.keyType, keys)
  const writeValue = options.writerOf(type.valueType, values)
  const writeEntry = (index: number): string => `{"key":${writeKey(index)},"value":${writeValue(index)}}`
  const rangeOf = listRanges(list)
  return (index) => writeRange(writeEntry, rangeOf(index), options.budget)
}

/** An object; a struct without names, as `row(1, 2)` makes it, is an array. */
export function structWriter(type: DuckDBStructType, vector: AnyVector, writerOf: WriterOf): WriteItem {
  const named = type.entryNames.some((name) => name !== '')
  const entries = entryVectors(vector).map((entry, position) => ({
    key: named ? `${quote(type.entryNames[position] ?? '')}:` : '',
    write: writerOf(entryType(type.entryTypes, position), entry),
  }))
  const [open, close] = named ? ['{', '}'] : ['[', ']']
  return (index) => {
    let text = open
    for (const [position, entry] of entries.entries()) {
      text += position === 0 ? entry.key + entry.write(index) : `,${entry.key}${entry.write(index)}`
    }
    return text + close
  }
}

/** The value of the member that is set; the tag is in the column's type. */
export function unionWriter(type: DuckDBUnionType, vector: AnyVector, writerOf: WriterOf): WriteItem {
  const [tags, ...members] = entryVectors(innerVector(vector, 'structVector'))
  if (tags === undefined) return () => 'null'
  const tagBytes = itemBytes(tags)
  const writers = members.map((member, position) => writerOf(entryType(type.memberTypes, position), member))
  return (index) => writers[tagBytes.getUint8(index)]?.(index) ?? 'null'
}

function entryType(types: readonly DuckDBType[], position: number): DuckDBType {
  const type = types[position]
  if (type === undefined) throw missing(`type for entry ${position}`)
  return type
}
