import type { Constant } from '../../model/constant.js'

/** Type names of the workspace file, and the DuckDB types they stand for. */
const duckdbTypes: Readonly<Record<string, string>> = {
  varchar: 'VARCHAR',
  string: 'VARCHAR',
  text: 'VARCHAR',
  bigint: 'BIGINT',
  int64: 'BIGINT',
  int: 'INTEGER',
  integer: 'INTEGER',
  int32: 'INTEGER',
  smallint: 'SMALLINT',
  tinyint: 'TINYINT',
  hugeint: 'HUGEINT',
  double: 'DOUBLE',
  float: 'FLOAT',
  bool: 'BOOLEAN',
  boolean: 'BOOLEAN',
  date: 'DATE',
  time: 'TIME',
  timestamp: 'TIMESTAMP',
  timestamptz: 'TIMESTAMP WITH TIME ZONE',
  uuid: 'UUID',
  json: 'JSON',
}

export const typeNames: readonly string[] = Object.keys(duckdbTypes)

const integerTypes: ReadonlySet<string> = new Set(['TINYINT', 'SMALLINT', 'INTEGER', 'BIGINT', 'HUGEINT'])

/** DuckDB's type, or undefined for a name that the workspace file does not know. `decimal(18,3)` is one too. */
export function toDuckdbType(name: string): string | undefined {
  const decimal = /^decimal\(\s*(\d{1,2})\s*,\s*(\d{1,2})\s*\)$/i.exec(name)
  if (decimal !== null) {
    const [width, scale] = [Number(decimal[1]), Number(decimal[2])]
    return width >= 1 && width <= 38 && scale <= width ? `DECIMAL(${width},${scale})` : undefined
  }
  const key = name.toLowerCase()
  return Object.hasOwn(duckdbTypes, key) ? duckdbTypes[key] : undefined
}

export function isIntegerType(type: string): boolean {
  return integerTypes.has(type)
}

/**
 * A constant's text as APIs write it: ISO 8601 in UTC for times. `text` is what DuckDB prints. Answers undefined for a
 * value that no API knows, such as an infinite date.
 */
export function toWireText(type: string, text: string): string | undefined {
  if (type === 'DATE') return /^\d{4}-\d\d-\d\d$/.test(text) ? text : undefined
  if (type === 'DOUBLE' || type === 'FLOAT') return /^-?[\d.]+(?:e[+-]?\d+)?$/.test(text) ? text : undefined
  if (!type.startsWith('TIMESTAMP')) return text
  const match = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(\.\d+)?(?:[+]00(?::00)?)?$/.exec(text)
  return match === null ? undefined : `${match[1] ?? ''}T${match[2] ?? ''}${match[3] ?? ''}Z`
}

/** The time that long ago, to the second: as it is sent, and as SQL sees it. */
export function agoValue(type: string, seconds: number): { readonly wire: string; readonly constant: Constant } {
  const atSeconds = Math.floor(Date.now() / 1_000 - seconds)
  const iso = new Date(atSeconds * 1_000).toISOString().replace('.000Z', 'Z')
  if (type === 'DATE') return { wire: iso.slice(0, 10), constant: { type, text: iso.slice(0, 10) } }
  if (isIntegerType(type)) return { wire: String(atSeconds), constant: { type, text: String(atSeconds) } }
  if (!type.startsWith('TIMESTAMP')) return { wire: iso, constant: { type, text: iso } }
  const text = iso.replace('T', ' ').replace('Z', type.includes('ZONE') ? '+00' : '')
  return { wire: iso, constant: { type, text } }
}
