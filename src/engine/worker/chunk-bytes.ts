import {
  DuckDBArrayVector,
  DuckDBBitVector,
  DuckDBBlobVector,
  DuckDBListVector,
  DuckDBMapVector,
  DuckDBStructVector,
  DuckDBUnionVector,
  DuckDBVarCharVector,
  type DuckDBDataChunk,
  type DuckDBVector,
} from '@duckdb/node-api'
import { stringBytes } from '../encode/string-bytes.js'
import { entryVectors, innerVector, validityOf } from '../encode/vector-data.js'

const fixedBytes = 8
const stringItemBytes = 16

/** About how much memory the rows of a chunk take: texts to the byte, all else eight bytes per value. */
export function chunkBytes(chunk: DuckDBDataChunk): number {
  let bytes = 0
  for (let column = 0; column < chunk.columnCount; column++) bytes += vectorBytes(chunk.getColumnVector(column))
  return bytes
}

function vectorBytes(vector: DuckDBVector): number {
  const own = vector.itemCount * fixedBytes
  if (
    vector instanceof DuckDBVarCharVector ||
    vector instanceof DuckDBBlobVector ||
    vector instanceof DuckDBBitVector
  ) {
    return textBytes(vector)
  }
  if (vector instanceof DuckDBListVector || vector instanceof DuckDBArrayVector) {
    return own + vectorBytes(innerVector(vector, 'childData'))
  }
  if (vector instanceof DuckDBMapVector) return own + vectorBytes(innerVector(vector, 'listVector'))
  if (vector instanceof DuckDBUnionVector) return own + vectorBytes(innerVector(vector, 'structVector'))
  if (vector instanceof DuckDBStructVector) {
    return entryVectors(vector).reduce((sum, entry) => sum + vectorBytes(entry), own)
  }
  return own
}

function textBytes(vector: DuckDBVector): number {
  const texts = stringBytes(vector)
  const isValid = validityOf(vector)
  let bytes = vector.itemCount * stringItemBytes
  for (let index = 0; index < vector.itemCount; index++) {
    if (isValid === undefined || isValid(index)) bytes += texts.byteLength(index)
  }
  return bytes
}
