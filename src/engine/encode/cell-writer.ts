import {
  DuckDBArrayType,
  DuckDBListType,
  DuckDBMapType,
  DuckDBStructType,
  DuckDBTypeId,
  DuckDBUnionType,
  type DuckDBType,
} from '@duckdb/node-api'
import { arrayWriter, listWriter, mapWriter, structWriter, unionWriter } from './nested-writers.js'
import { scalarWriter } from './scalar-writers.js'
import { variantWriter } from './variant.js'
import { validityOf, type AnyVector } from './vector-data.js'

/** JSON text of item `index`. */
export type WriteItem = (index: number) => string

/**
 * Writes the items of a vector, NULLs included. `type` is the result's: vectors forget aliases such as JSON. Lists stop
 * a little beyond `stopChars`, their text then no JSON: the caller shortens whatever is that long.
 */
export function cellWriter(type: DuckDBType, vector: AnyVector, stopChars: number): WriteItem {
  const write = itemWriter(type, vector, stopChars)
  const isValid = validityOf(vector)
  return isValid === undefined ? write : (index) => (isValid(index) ? write(index) : 'null')
}

function itemWriter(type: DuckDBType, vector: AnyVector, stopChars: number): WriteItem {
  const writerOf = (inner: DuckDBType, innerVector: AnyVector): WriteItem => cellWriter(inner, innerVector, stopChars)
  if (type instanceof DuckDBListType) return listWriter(type, vector, { stopChars, writerOf })
  if (type instanceof DuckDBArrayType) return arrayWriter(type, vector, { stopChars, writerOf })
  if (type instanceof DuckDBMapType) return mapWriter(type, vector, { stopChars, writerOf })
  if (type instanceof DuckDBStructType) return structWriter(type, vector, writerOf)
  if (type instanceof DuckDBUnionType) return unionWriter(type, vector, writerOf)
  if (type.typeId === DuckDBTypeId.VARIANT) return variantWriter(vector, stopChars)
  return scalarWriter(type, vector)
}
