import type { Constant } from '../../model/constant.js'
import { isTreeNode, type TreeNode } from '../../model/tree.js'
import { JsonNumber } from '../../util/lossless-json.js'
import { decimalText } from '../encode/integers.js'
import { dateText, intervalText, timeNsText, timestampPrinter, timeText } from '../encode/temporal.js'
import { flagAt, indexAt, listAt, nodeAt, textAt } from './plan-json.js'
import { doubleText, floatText } from './real-text.js'
import { typeName } from './type-name.js'

/**
 * A constant of a plan as typed text; undefined for values that have none here (lists, structs, maps, unions, VARIANT,
 * TIME WITH TIME ZONE).
 */
export function readConstant(node: TreeNode): Constant | undefined {
  const type = nodeAt(node, 'type')
  if (type === undefined) return undefined
  if (flagAt(node, 'is_null')) return { type: typeName(type), text: undefined }
  const text = printers[textAt(type, 'id')]?.(node['value'], nodeAt(type, 'type_info') ?? {})
  return text === undefined ? undefined : { type: typeName(type), text }
}

type Printer = (value: unknown, typeInfo: TreeNode) => string | undefined

const printers: Readonly<Record<string, Printer>> = {
  BOOLEAN: (value) => (typeof value === 'boolean' ? String(value) : undefined),
  TINYINT: integerText,
  SMALLINT: integerText,
  INTEGER: integerText,
  BIGINT: integerText,
  UTINYINT: integerText,
  USMALLINT: integerText,
  UINTEGER: integerText,
  UBIGINT: integerText,
  HUGEINT: integerText,
  UHUGEINT: integerText,
  FLOAT: (value) => mapDefined(toReal(value), floatText),
  DOUBLE: (value) => mapDefined(toReal(value), doubleText),
  DECIMAL: (value, info) => mapDefined(toInteger(value), (unscaled) => decimalText(unscaled, indexAt(info, 'scale'))),
  VARCHAR: (value) => (typeof value === 'string' ? value : undefined),
  BLOB: (value) => (typeof value === 'string' ? value : undefined),
  DATE: (value) => mapDefined(toInteger(value), (days) => dateText(Number(days))),
  TIMESTAMP: timestamps(6),
  'TIMESTAMP WITH TIME ZONE': timestamps(6, '+00'),
  TIMESTAMP_S: timestamps(0),
  TIMESTAMP_MS: timestamps(3),
  TIMESTAMP_NS: timestamps(9),
  TIME: (value) => mapDefined(toInteger(value), (micros) => timeText(Number(micros))),
  TIME_NS: (value) => mapDefined(toInteger(value), (nanos) => timeNsText(Number(nanos))),
  INTERVAL: intervalOf,
  UUID: (value) => mapDefined(toInteger(value), uuidText),
  ENUM: (value, info) => mapDefined(toInteger(value), (position) => enumText(position, info)),
}

function mapDefined<Value>(value: Value | undefined, print: (value: Value) => string | undefined): string | undefined {
  return value === undefined ? undefined : print(value)
}

function integerText(value: unknown): string | undefined {
  return toInteger(value)?.toString()
}

/** An integer, or the two halves of a 128-bit one. */
function toInteger(value: unknown): bigint | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : undefined
  if (value instanceof JsonNumber) return /^-?\d+$/.test(value.text) ? BigInt(value.text) : undefined
  if (!isTreeNode(value)) return undefined
  const [upper, lower] = [toInteger(value['upper'] ?? 0), toInteger(value['lower'] ?? 0)]
  return upper === undefined || lower === undefined ? undefined : upper * 2n ** 64n + lower
}

function toReal(value: unknown): number | undefined {
  if (value instanceof JsonNumber) return Number(value.text)
  return typeof value === 'number' ? value : undefined
}

function timestamps(digits: number, zone = ''): Printer {
  const print = timestampPrinter(digits, zone)
  const infinite = 2n ** 63n - 1n
  return (value) =>
    mapDefined(toInteger(value), (ticks) =>
      // Infinity carries no zone.
      ticks === infinite ? 'infinity' : ticks === -infinite ? '-infinity' : print(ticks),
    )
}

function intervalOf(value: unknown): string | undefined {
  if (!isTreeNode(value)) return undefined
  const micros = toInteger(value['micros'] ?? 0)
  if (micros === undefined) return undefined
  const exact = Number.isSafeInteger(Number(micros)) ? Number(micros) : micros
  return intervalText(indexAt(value, 'months'), indexAt(value, 'days'), exact)
}

/** UUIDs are stored with their top bit flipped, so that they sort as integers. */
function uuidText(value: bigint): string {
  const hex = (BigInt.asUintN(128, value) ^ (1n << 127n)).toString(16).padStart(32, '0')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

function enumText(position: bigint, typeInfo: TreeNode): string | undefined {
  const value = listAt(typeInfo, 'values')[Number(position)]
  return typeof value === 'string' ? value : undefined
}
