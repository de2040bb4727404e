import { DuckDBTypeId, type DuckDBType } from '@duckdb/node-api'
import type { CellLimit } from './cell-limit.js'
import { embedJson } from './json-text.js'
import { stringBytes } from './string-bytes.js'
import { quote } from './text.js'
import { validityOf, type AnyVector } from './vector-data.js'

/** Writes a VARCHAR, JSON or BLOB column; of a value far beyond the limit only the part that is shown is decoded. */
export function limitedTextWriter(type: DuckDBType, vector: AnyVector, limit: CellLimit): (index: number) => string {
  const strings = stringBytes(vector)
  const isValid = validityOf(vector)
  const isBlob = type.typeId === DuckDBTypeId.BLOB
  const isJson = type.alias === 'JSON'
  // No character of UTF-16 takes more than three bytes.
  const decodedBytes = 3 * limit.maxChars + 4

  function write(index: number): string {
    if (isBlob) return strings.byteLength(index) > limit.maxChars ? longBlob(index) : base64(strings.bytes(index))
    if (strings.byteLength(index) > decodedBytes) return longText(index)
    const text = strings.text(index)
    return isJson ? limit.apply(embedJson(text), text) : limit.apply(quote(text), text)
  }

  function longText(index: number): string {
    const bytes = strings.bytes(index)
    return limit.shorten(bytes.toString('utf8', 0, decodedBytes), utf16Length(bytes))
  }

  function longBlob(index: number): string {
    const bytes = strings.bytes(index)
    // Whole groups of three bytes: base64 then ends without padding.
    const start = bytes.subarray(0, 3 * limit.maxChars).toString('base64')
    const length = 4 * Math.ceil(bytes.length / 3)
    return start.length === length ? limit.apply(`"${start}"`, start) : limit.shorten(start, length)
  }

  function base64(bytes: Buffer): string {
    const text = bytes.toString('base64')
    return limit.apply(`"${text}"`, text)
  }

  return isValid === undefined ? write : (index) => (isValid(index) ? write(index) : 'null')
}

/** Characters of valid UTF-8 once decoded: one per lead byte, two for those of four bytes. */
function utf16Length(bytes: Uint8Array): number {
  let length = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    if ((byte & 0xc0) !== 0x80) length += byte >= 0xf0 ? 2 : 1
  }
  return length
}
