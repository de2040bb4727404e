import { uint64Reader } from './integers.js'
import { itemBytes, type AnyVector } from './vector-data.js'

/** Where a list's items lie in the vector that holds the items of all lists. */
export interface ItemRange {
  readonly offset: number
  readonly length: number
}

/** The ranges of a list vector: two 64-bit integers each. */
export function listRanges(vector: AnyVector): (index: number) => ItemRange {
  const read = uint64Reader(itemBytes(vector))
  return (index) => ({ offset: Number(read(2 * index)), length: Number(read(2 * index + 1)) })
}
