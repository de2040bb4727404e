/** Well-known text of a GEOMETRY, whose items are little-endian well-known binary: `POINT (1 2)`. */
export function geometryText(wkb: Uint8Array): string {
  const cursor = { view: new DataView(wkb.buffer, wkb.byteOffset, wkb.byteLength), at: 0 }
  return geometry(cursor, true)
}

interface Cursor {
  readonly view: DataView
  at: number
}

const names = [
  '',
  'POINT',
  'LINESTRING',
  'POLYGON',
  'MULTIPOINT',
  'MULTILINESTRING',
  'MULTIPOLYGON',
  'GEOMETRYCOLLECTION',
]
const dimensionNames = ['', ' Z', ' M', ' ZM']

/** `named`: parts of a MULTI… stand without their name. */
function geometry(cursor: Cursor, named: boolean): string {
  cursor.at += 1
  const code = count(cursor)
  const kind = code % 1000
  const dimensions = Math.floor(code / 1000)
  const size = dimensions === 0 ? 2 : dimensions === 3 ? 4 : 3
  const body = bodyOf(cursor, kind, size)
  if (!named) return body === '' ? 'EMPTY' : kind === 1 ? body : `(${body})`
  const name = `${names[kind] ?? 'GEOMETRY'}${dimensionNames[dimensions] ?? ''}`
  return body === '' ? `${name} EMPTY` : `${name} (${body})`
}

function bodyOf(cursor: Cursor, kind: number, size: number): string {
  if (kind === 1) {
    const point = vertex(cursor, size)
    return point.startsWith('nan') ? '' : point
  }
  if (kind === 2) return vertices(cursor, size)
  if (kind === 3) return times(count(cursor), () => `(${vertices(cursor, size)})`)
  return times(count(cursor), () => geometry(cursor, kind === 7))
}

function vertices(cursor: Cursor, size: number): string {
  return times(count(cursor), () => vertex(cursor, size))
}

function vertex(cursor: Cursor, size: number): string {
  return times(size, () => coordinate(cursor), ' ')
}

function coordinate(cursor: Cursor): string {
  const value = cursor.view.getFloat64(cursor.at, true)
  cursor.at += 8
  return Number.isNaN(value) ? 'nan' : String(value)
}

function count(cursor: Cursor): number {
  const value = cursor.view.getUint32(cursor.at, true)
  cursor.at += 4
  return value
}

function times(length: number, part: () => string, separator = ', '): string {
  const parts: string[] = []
  for (let index = 0; index < length; index++) parts.push(part())
  return parts.join(separator)
}
