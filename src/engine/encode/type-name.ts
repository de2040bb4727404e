import {
  DuckDBArrayType,
  DuckDBEnumType,
  DuckDBListType,
  DuckDBMapType,
  DuckDBStructType,
  DuckDBUnionType,
  type DuckDBType,
} from '@duckdb/node-api'
import { duckdbKeywords } from './duckdb-keywords.js'

/** The type's name as DuckDB's `typeof` prints it: `DECIMAL(18,3)`, `STRUCT(a INTEGER, "b c" JSON)`, `INTEGER[3]`. */
export function typeName(type: DuckDBType): string {
  if (type.alias !== undefined && type.alias !== '') return type.alias
  if (type instanceof DuckDBListType) return `${typeName(type.valueType)}[]`
  if (type instanceof DuckDBArrayType) return `${typeName(type.valueType)}[${type.length}]`
  if (type instanceof DuckDBMapType) return `MAP(${typeName(type.keyType)}, ${typeName(type.valueType)})`
  if (type instanceof DuckDBStructType) return `STRUCT(${members(type.entryNames, type.entryTypes)})`
  if (type instanceof DuckDBUnionType) return `UNION(${members(type.memberTags, type.memberTypes)})`
  if (type instanceof DuckDBEnumType) return `ENUM(${type.values.map(quoteText).join(', ')})`
  return type.toString()
}

function members(names: readonly string[], types: readonly DuckDBType[]): string {
  return types
    .map((type, index) => {
      const name = names[index] ?? ''
      return name === '' ? typeName(type) : `${quoteName(name)} ${typeName(type)}`
    })
    .join(', ')
}

function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

function quoteName(name: string): string {
  const plain = /^[a-z_][a-z0-9_]*$/i.test(name) && !duckdbKeywords.has(name.toLowerCase())
  return plain ? name : `"${name.replaceAll('"', '""')}"`
}
