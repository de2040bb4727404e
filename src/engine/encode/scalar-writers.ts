import { DuckDBDecimalType, DuckDBEnumType, DuckDBTypeId, type DuckDBType } from '@duckdb/node-api'
import { QuerentError } from '../../errors/querent-error.js'
import { bignumText, bitText } from './bytes-text.js'
import { doubleJson, floatJson } from './floats.js'
import { geometryText } from './geometry-text.js'
import {
  decimalText,
  int128At,
  int64Reader,
  integerJson,
  uint128At,
  uint64Reader,
  uuidAt,
  type ReadInteger,
} from './integers.js'
import { embedJson } from './json-text.js'
import { stringBytes } from './string-bytes.js'
import { dateText, intervalText, timeNsText, timestampPrinter, timeText, timeTzText } from './temporal.js'
import { quote } from './text.js'
import { typeName } from './type-name.js'
import { itemBytes, type AnyVector } from './vector-data.js'

type WriteItem = (index: number) => string

/** Writes valid items of a vector without inner vectors. */
export function scalarWriter(type: DuckDBType, vector: AnyVector): WriteItem {
  if (type instanceof DuckDBDecimalType) return decimalWriter(type, itemBytes(vector))
  if (type instanceof DuckDBEnumType) return enumWriter(type, itemBytes(vector))
  return numberWriter(type, vector) ?? temporalWriter(type, vector) ?? stringWriter(type, vector) ?? refuse(type)
}

function refuse(type: DuckDBType): never {
  throw new QuerentError('internal.unexpected', { message: `a column of type ${typeName(type)} cannot be encoded` })
}

function numberWriter(type: DuckDBType, vector: AnyVector): WriteItem | undefined {
  switch (type.typeId) {
    case DuckDBTypeId.BOOLEAN: {
      const memory = itemBytes(vector)
      return (index) => (memory.getUint8(index) === 0 ? 'false' : 'true')
    }
    case DuckDBTypeId.BIGINT:
      return integerWriter(int64Reader(itemBytes(vector)))
    case DuckDBTypeId.UBIGINT:
      return integerWriter(uint64Reader(itemBytes(vector)))
    case DuckDBTypeId.HUGEINT: {
      const memory = itemBytes(vector)
      return (index) => `"${int128At(memory, index * 16).toString()}"`
    }
    case DuckDBTypeId.UHUGEINT: {
      const memory = itemBytes(vector)
      return (index) => `"${uint128At(memory, index * 16).toString()}"`
    }
    case DuckDBTypeId.FLOAT: {
      const memory = itemBytes(vector)
      return (index) => floatJson(memory.getFloat32(index * 4, true))
    }
    case DuckDBTypeId.DOUBLE: {
      const memory = itemBytes(vector)
      return (index) => doubleJson(memory.getFloat64(index * 8, true))
    }
    default:
      return smallIntegerWriter(type, vector)
  }
}

function integerWriter(read: ReadInteger): WriteItem {
  return (index) => integerJson(read(index))
}

function smallIntegerWriter(type: DuckDBType, vector: AnyVector): WriteItem | undefined {
  const reader = smallIntegerReaders[type.typeId]
  if (reader === undefined) return undefined
  const memory = itemBytes(vector)
  return (index) => String(reader(memory, index))
}

const smallIntegerReaders: Partial<Record<DuckDBTypeId, (memory: DataView, index: number) => number>> = {
  [DuckDBTypeId.TINYINT]: (memory, index) => memory.getInt8(index),
  [DuckDBTypeId.UTINYINT]: (memory, index) => memory.getUint8(index),
  [DuckDBTypeId.SMALLINT]: (memory, index) => memory.getInt16(index * 2, true),
  [DuckDBTypeId.USMALLINT]: (memory, index) => memory.getUint16(index * 2, true),
  [DuckDBTypeId.INTEGER]: (memory, index) => memory.getInt32(index * 4, true),
  [DuckDBTypeId.UINTEGER]: (memory, index) => memory.getUint32(index * 4, true),
}

function decimalWriter(type: DuckDBDecimalType, memory: DataView): WriteItem {
  const { width, scale } = type
  const read = decimalReader(width, memory)
  return (index) => `"${decimalText(read(index), scale)}"`
}

/** DuckDB stores a decimal in the smallest integer that its width fits. */
function decimalReader(width: number, memory: DataView): ReadInteger {
  if (width <= 4) return (index) => memory.getInt16(index * 2, true)
  if (width <= 9) return (index) => memory.getInt32(index * 4, true)
  if (width <= 18) return int64Reader(memory)
  return (index) => int128At(memory, index * 16)
}

function enumWriter(type: DuckDBEnumType, memory: DataView): WriteItem {
  const texts: (string | undefined)[] = []
  const read = enumReader(type, memory)
  return (index) => {
    const position = read(index)
    return (texts[position] ??= quote(type.values[position] ?? ''))
  }
}

function enumReader(type: DuckDBEnumType, memory: DataView): (index: number) => number {
  if (type.internalTypeId === DuckDBTypeId.UTINYINT) return (index) => memory.getUint8(index)
  if (type.internalTypeId === DuckDBTypeId.USMALLINT) return (index) => memory.getUint16(index * 2, true)
  return (index) => memory.getUint32(index * 4, true)
}

function temporalWriter(type: DuckDBType, vector: AnyVector): WriteItem | undefined {
  switch (type.typeId) {
    case DuckDBTypeId.DATE: {
      const memory = itemBytes(vector)
      return (index) => `"${dateText(memory.getInt32(index * 4, true))}"`
    }
    case DuckDBTypeId.TIME:
      return tickWriter(vector, (micros) => timeText(Number(micros)))
    case DuckDBTypeId.TIME_NS:
      return tickWriter(vector, (nanos) => timeNsText(Number(nanos)))
    case DuckDBTypeId.TIME_TZ: {
      const memory = itemBytes(vector)
      return (index) => `"${timeTzText(memory.getBigUint64(index * 8, true))}"`
    }
    case DuckDBTypeId.TIMESTAMP_S:
      return tickWriter(vector, timestampPrinter(0))
    case DuckDBTypeId.TIMESTAMP_MS:
      return tickWriter(vector, timestampPrinter(3))
    case DuckDBTypeId.TIMESTAMP:
      return tickWriter(vector, timestampPrinter(6))
    case DuckDBTypeId.TIMESTAMP_NS:
      return tickWriter(vector, timestampPrinter(9))
    case DuckDBTypeId.TIMESTAMP_TZ:
      return tickWriter(vector, timestampPrinter(6, '+00'))
    case DuckDBTypeId.INTERVAL: {
      const memory = itemBytes(vector)
      const micros = int64Reader(memory)
      return (index) => {
        const months = memory.getInt32(index * 16, true)
        return `"${intervalText(months, memory.getInt32(index * 16 + 4, true), micros(index * 2 + 1))}"`
      }
    }
    default:
      return undefined
  }
}

function tickWriter(vector: AnyVector, print: (ticks: number | bigint) => string): WriteItem {
  const read = int64Reader(itemBytes(vector))
  return (index) => `"${print(read(index))}"`
}

function stringWriter(type: DuckDBType, vector: AnyVector): WriteItem | undefined {
  switch (type.typeId) {
    case DuckDBTypeId.VARCHAR: {
      const strings = stringBytes(vector)
      if (type.alias === 'JSON') return (index) => embedJson(strings.text(index))
      return (index) => quote(strings.text(index))
    }
    case DuckDBTypeId.BLOB: {
      const strings = stringBytes(vector)
      return (index) => `"${strings.bytes(index).toString('base64')}"`
    }
    case DuckDBTypeId.UUID: {
      const memory = itemBytes(vector)
      return (index) => `"${uuidAt(memory, index * 16)}"`
    }
    case DuckDBTypeId.BIT: {
      const strings = stringBytes(vector)
      return (index) => `"${bitText(strings.bytes(index))}"`
    }
    case DuckDBTypeId.BIGNUM: {
      const strings = stringBytes(vector)
      return (index) => `"${bignumText(strings.bytes(index))}"`
    }
    case DuckDBTypeId.GEOMETRY: {
      const strings = stringBytes(vector)
      return (index) => quote(geometryText(strings.bytes(index)))
    }
    default:
      return undefined
  }
}
