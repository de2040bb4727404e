import { DuckDBBlobVector } from '@duckdb/node-api'
import { itemBytes, rawParts, type AnyVector } from './vector-data.js'

const itemSize = 16
const inlineBytes = 12
const nothing = new Uint8Array()
/** A leading U+FEFF is a character of the value. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** Bytes of the items of a VARCHAR, BLOB, BIT, BIGNUM or GEOMETRY vector. Valid items only. */
export interface StringBytes {
  byteLength(index: number): number
  /** The item as UTF-8 text; bytes that are no UTF-8 become U+FFFD. */
  text(index: number): string
  /** A view of the item's bytes, to be read at once. */
  bytes(index: number): Buffer
}

export function stringBytes(vector: AnyVector): StringBytes {
  const view = itemBytes(vector)
  const memory = Buffer.from(view.buffer, view.byteOffset, view.byteLength)
  const pointers = pointerReader(vector, view)

  function at(index: number): Uint8Array {
    const length = view.getUint32(index * itemSize, true)
    const start = index * itemSize + 4
    return length <= inlineBytes ? memory.subarray(start, start + length) : pointers(index)
  }
  return {
    byteLength: (index) => view.getUint32(index * itemSize, true),
    bytes(index) {
      const bytes = at(index)
      return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    },
    text(index) {
      const start = index * itemSize + 4
      const length = view.getUint32(start - 4, true)
      if (length > inlineBytes) return decoder.decode(pointers(index))
      let text = ''
      for (let position = start; position < start + length; position++) {
        const byte = memory[position] ?? 0
        if (byte >= 0x80) return memory.toString('utf8', start, start + length)
        text += String.fromCharCode(byte)
      }
      return text
    },
  }
}

/**
 * All string-like items have one layout, and the BLOB vector is the one whose reader hands out bytes: the VARCHAR
 * vector's own decodes to text, drops a leading U+FEFF, and keeps a copy of each item.
 */
function pointerReader(vector: AnyVector, view: DataView): (index: number) => Uint8Array {
  const parts = rawParts(vector) as ConstructorParts
  const blobs =
    vector instanceof DuckDBBlobVector
      ? vector
      : new DuckDBBlobVector(view, parts.validity, parts.vector, 0, vector.itemCount)
  return (index) => blobs.getItemBytes(index) ?? nothing
}

type BlobParts = ConstructorParameters<typeof DuckDBBlobVector>
interface ConstructorParts {
  readonly validity: BlobParts[1]
  readonly vector: BlobParts[2]
}
