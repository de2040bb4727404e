import { bignumText, bitText } from './bytes-text.js'
import { doubleJson, floatJson } from './floats.js'
import { geometryText } from './geometry-text.js'
import { decimalText, int128At, integerJson, uint128At, uuidAt } from './integers.js'
import { listRanges, type ItemRange } from './list-ranges.js'
import { stringBytes, type StringBytes } from './string-bytes.js'
import { dateText, intervalText, timeNsText, timestampPrinter, timeText, timeTzText } from './temporal.js'
import { quote } from './text.js'
import { entryVectors, innerVector, itemBytes, missing, type AnyVector } from './vector-data.js'
import type { WriteBudget } from './write-budget.js'

/**
 * Writes VARIANTs as texts, so that a column of them has one JSON type: a string as itself, another scalar as DuckDB
 * prints it, an object or array as its JSON.
 */
export function variantWriter(vector: AnyVector, budget: WriteBudget): (index: number) => string {
  const layout = layoutOf(innerVector(vector, 'structVec'))
  return (index) => {
    const json = rowJson(rowOf(layout, index), budget)
    return json.startsWith('"') ? json : quote(json)
  }
}

/** A VARIANT's parts: keys, children (key and value index), values (type and offset into data), data. */
interface Layout {
  readonly keyTexts: StringBytes
  readonly keyRanges: (index: number) => ItemRange
  readonly childKeys: DataView
  readonly childValues: DataView
  readonly childRanges: (index: number) => ItemRange
  readonly valueTypes: DataView
  readonly valueOffsets: DataView
  readonly valueRanges: (index: number) => ItemRange
  readonly data: StringBytes
}

function layoutOf(struct: AnyVector): Layout {
  const [keys, children, values, data] = entryVectors(struct)
  if (keys === undefined || children === undefined || values === undefined || data === undefined) {
    throw missing('four parts in a VARIANT')
  }
  const [childKeys, childValues] = entryVectors(innerVector(children, 'childData'))
  const [valueTypes, valueOffsets] = entryVectors(innerVector(values, 'childData'))
  if (!childKeys || !childValues || !valueTypes || !valueOffsets) throw missing('pairs in a VARIANT')
  return {
    keyTexts: stringBytes(innerVector(keys, 'childData')),
    keyRanges: listRanges(keys),
    childKeys: itemBytes(childKeys),
    childValues: itemBytes(childValues),
    childRanges: listRanges(children),
    valueTypes: itemBytes(valueTypes),
    valueOffsets: itemBytes(valueOffsets),
    valueRanges: listRanges(values),
    data: stringBytes(data),
  }
}

interface Row {
  readonly layout: Layout
  readonly keys: ItemRange
  readonly children: ItemRange
  readonly values: ItemRange
  readonly bytes: Buffer
  readonly view: DataView
}

function rowOf(layout: Layout, index: number): Row {
  const bytes = layout.data.bytes(index)
  return {
    layout,
    keys: layout.keyRanges(index),
    children: layout.childRanges(index),
    values: layout.valueRanges(index),
    bytes,
    view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength),
  }
}

const objectTag = 29
const arrayTag = 30

/** An object or array whose children are being written. */
interface OpenNode {
  next: number
  readonly first: number
  readonly end: number
  readonly keyed: boolean
}

/** Keeps its own stack: values nest deeper than JavaScript's stack allows. */
function rowJson(row: Row, budget: WriteBudget): string {
  const open: OpenNode[] = []
  let text = startNode(row, 0, open)
  for (let node = open.at(-1); node !== undefined; node = open.at(-1)) {
    if (node.next === node.end) {
      text += node.keyed ? '}' : ']'
      open.pop()
      continue
    }
    if (text.length > budget.stopChars) {
      budget.stopped = true
      return text
    }
    const child = node.next++
    if (child > node.first) text += ','
    if (node.keyed) text += `${keyJson(row, child)}:`
    text += startNode(row, row.layout.childValues.getUint32(child * 4, true), open)
  }
  return text
}

/** The whole of a scalar; the opening bracket of an object or array, which goes on the stack. */
function startNode(row: Row, value: number, open: OpenNode[]): string {
  const at = row.values.offset + value
  const tag = row.layout.valueTypes.getUint8(at)
  const offset = row.layout.valueOffsets.getUint32(at * 4, true)
  if (tag === objectTag || tag === arrayTag) {
    const count = varint(row.view, offset)
    const first = count.value === 0 ? 0 : row.children.offset + varint(row.view, count.next).value
    open.push({ next: first, first, end: first + count.value, keyed: tag === objectTag })
    return tag === objectTag ? '{' : '['
  }
  const write = scalarsByTag[tag]
  if (write === undefined) throw missing(`VARIANT of tag ${tag}`)
  return write(row, offset)
}

function keyJson(row: Row, child: number): string {
  const key = row.keys.offset + row.layout.childKeys.getUint32(child * 4, true)
  return quote(row.layout.keyTexts.text(key))
}

type WriteScalar = (row: Row, offset: number) => string

const printSeconds = timestampPrinter(0)
const printMillis = timestampPrinter(3)
const printMicros = timestampPrinter(6)
const printNanos = timestampPrinter(9)
const printZoned = timestampPrinter(6, '+00')

/** By DuckDB's VariantLogicalType, from 0. */
const scalarsByTag: readonly (WriteScalar | undefined)[] = [
  () => 'null',
  () => 'true',
  () => 'false',
  ({ view }, at) => String(view.getInt8(at)),
  ({ view }, at) => String(view.getInt16(at, true)),
  ({ view }, at) => String(view.getInt32(at, true)),
  ({ view }, at) => integerJson(view.getBigInt64(at, true)),
  ({ view }, at) => `"${int128At(view, at).toString()}"`,
  ({ view }, at) => String(view.getUint8(at)),
  ({ view }, at) => String(view.getUint16(at, true)),
  ({ view }, at) => String(view.getUint32(at, true)),
  ({ view }, at) => integerJson(view.getBigUint64(at, true)),
  ({ view }, at) => `"${uint128At(view, at).toString()}"`,
  ({ view }, at) => floatJson(view.getFloat32(at, true)),
  ({ view }, at) => doubleJson(view.getFloat64(at, true)),
  ({ view }, at) => `"${decimal(view, at)}"`,
  (row, at) => quote(payload(row, at).toString('utf8')),
  (row, at) => `"${payload(row, at).toString('base64')}"`,
  ({ view }, at) => `"${uuidAt(view, at)}"`,
  ({ view }, at) => `"${dateText(view.getInt32(at, true))}"`,
  ({ view }, at) => `"${timeText(Number(view.getBigInt64(at, true)))}"`,
  ({ view }, at) => `"${timeNsText(Number(view.getBigInt64(at, true)))}"`,
  ({ view }, at) => `"${printSeconds(view.getBigInt64(at, true))}"`,
  ({ view }, at) => `"${printMillis(view.getBigInt64(at, true))}"`,
  ({ view }, at) => `"${printMicros(view.getBigInt64(at, true))}"`,
  ({ view }, at) => `"${printNanos(view.getBigInt64(at, true))}"`,
  ({ view }, at) => `"${timeTzText(view.getBigUint64(at, true))}"`,
  ({ view }, at) => `"${printZoned(view.getBigInt64(at, true))}"`,
  ({ view }, at) =>
    `"${intervalText(view.getInt32(at, true), view.getInt32(at + 4, true), view.getBigInt64(at + 8, true))}"`,
  undefined,
  undefined,
  (row, at) => `"${bignumText(payload(row, at))}"`,
  (row, at) => `"${bitText(payload(row, at))}"`,
  (row, at) => quote(geometryText(payload(row, at))),
]

function decimal(view: DataView, at: number): string {
  const width = varint(view, at)
  const scale = varint(view, width.next)
  return decimalText(scaledInteger(view, scale.next, width.value), scale.value)
}

function scaledInteger(view: DataView, at: number, width: number): number | bigint {
  if (width <= 4) return view.getInt16(at, true)
  if (width <= 9) return view.getInt32(at, true)
  if (width <= 18) return view.getBigInt64(at, true)
  return int128At(view, at)
}

/** Bytes that stand behind their length. */
function payload(row: Row, offset: number): Buffer {
  const length = varint(row.view, offset)
  return row.bytes.subarray(length.next, length.next + length.value)
}

/** An unsigned integer of seven bits per byte, the least significant first. */
function varint(view: DataView, offset: number): { readonly value: number; readonly next: number } {
  let value = 0
  for (let at = offset, factor = 1; ; at++, factor *= 128) {
    const byte = view.getUint8(at)
    value += (byte & 0x7f) * factor
    if (byte < 0x80) return { value, next: at + 1 }
  }
}
