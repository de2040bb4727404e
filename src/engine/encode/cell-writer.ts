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
import type { WriteBudget } from './write-budget.js'

/** JSON text of item `index`. */
export type WriteItem = (index: number) => string

/**
 * Writes the items of a vector, NULLs included. `type` is the result's: vectors forget aliases such as JSON. What
 * stopped the budget is no JSON: the caller shortens it.
 */
export function cellWriter(type: DuckDBType, vector: AnyVector, budget: WriteBudget): WriteItem {
  const write = itemWriter(type, vector, budget)
  const isValid = validityOf(vector)
  return isValid === undefined ? write : (index) => (isValid(index) ? write(index) : 'null')
}

function itemWriter(type: DuckDBType, vector: AnyVector, budget: WriteBudget): WriteItem {
  const writerOf = (inner: DuckDBType, innerVector: AnyVector): WriteItem => cellWriter(inner, innerVector, budget)
  if (type instanceof DuckDBListType) return listWriter(type, vector, { budget, writerOf })
  if (type instanceof DuckDBArrayType) return arrayWriter(type, vector, { budget, writerOf })
  if (type instanceof DuckDBMapType) return mapWriter(type, vector, { budget, writerOf })
  if (type instanceof DuckDBStructType) return structWriter(type, vector, writerOf)
  if (type instanceof DuckDBUnionType) return unionWriter(type, vector, writerOf)
  if (type.typeId === DuckDBTypeId.VARIANT) return variantWriter(vector, budget)
  return scalarWriter(type, vector)
}
