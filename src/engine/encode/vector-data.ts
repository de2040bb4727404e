import type { DuckDBVector } from '@duckdb/node-api'
import { QuerentError } from '../../errors/querent-error.js'

/** Any vector of the binding, whatever its items. */
export type AnyVector = DuckDBVector

/** true where item `index` is not NULL. */
export type IsValid = (index: number) => boolean

/**
 * The binding keeps a vector's memory in private fields and offers one object or BigInt per value; reading the memory
 * itself is several times faster. This module alone knows those fields: a release that renames them fails here, loudly.
 */
function fieldOf(owner: object, name: string): unknown {
  return (owner as Readonly<Record<string, unknown>>)[name]
}

/** A fault of the binding, or of what Querent knows of it. */
export function missing(what: string): QuerentError {
  return new QuerentError('internal.unexpected', { message: `the DuckDB binding holds no ${what}` })
}

/** The items' memory of a flat vector: fixed-size items one after the other. */
export function itemBytes(vector: AnyVector): DataView {
  const memory = fieldOf(vector, 'items') ?? fieldOf(vector, 'dataView') ?? fieldOf(vector, 'entryData')
  if (!ArrayBuffer.isView(memory)) throw missing(`items in ${vector.constructor.name}`)
  return new DataView(memory.buffer, memory.byteOffset, memory.byteLength)
}

/** undefined: no item is NULL. */
export function validityOf(vector: AnyVector): IsValid | undefined {
  const validity = fieldOf(flatOwner(vector), 'validity')
  if (typeof validity !== 'object' || validity === null) throw missing(`validity in ${vector.constructor.name}`)
  const data = fieldOf(validity, 'data')
  const offset = fieldOf(validity, 'offset')
  if (data === null) return undefined
  if (!(data instanceof BigUint64Array) || typeof offset !== 'number') throw missing('validity bits')
  const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
  return (index) => {
    const bit = offset + index
    return (((bytes[bit >> 3] ?? 0) >> (bit & 7)) & 1) === 1
  }
}

/** A MAP, UNION or VARIANT wraps the vector that has its memory. */
function flatOwner(vector: AnyVector): AnyVector {
  for (const name of ['listVector', 'structVector', 'structVec'] as const) {
    if (fieldOf(vector, name) !== undefined) return innerVector(vector, name)
  }
  return vector
}

type InnerName = 'childData' | 'listVector' | 'structVector' | 'structVec'

/** The vector that a nested or wrapping vector keeps under `name`. */
export function innerVector(vector: AnyVector, name: InnerName): AnyVector {
  const inner = fieldOf(vector, name)
  if (typeof inner !== 'object' || inner === null) throw missing(`${name} in ${vector.constructor.name}`)
  return inner as AnyVector
}

/** The vectors of a struct's entries, in the type's order. */
export function entryVectors(vector: AnyVector): readonly AnyVector[] {
  const entries = fieldOf(vector, 'entryVectors')
  if (!Array.isArray(entries)) throw missing(`entries in ${vector.constructor.name}`)
  return entries as readonly AnyVector[]
}

/** What a vector with string items needs to read text beyond twelve bytes, which lies behind a pointer. */
export function rawParts(vector: AnyVector): { readonly validity: unknown; readonly vector: unknown } {
  return { validity: fieldOf(vector, 'validity'), vector: fieldOf(vector, 'vector') }
}
