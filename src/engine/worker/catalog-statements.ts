import { quoteIdentifier, quoteLiteral } from '../../util/sql-text.js'
import { clockCatalog } from './clock-macros.js'
import type { Relation } from './protocol.js'
import { checkTypeName } from './type-names.js'

/** `q17`, `q17_2`: the catalog of a relation. */
function catalogName(queryId: string, catalog: number): string {
  return catalog === 0 ? queryId : `${queryId}_${catalog}`
}

/** All catalogs of a query, the first one always. */
export function catalogNames(queryId: string, relations: readonly Relation[]): string[] {
  const numbers = new Set([0, ...relations.map((relation) => relation.catalog)])
  return [...numbers].sort((a, b) => a - b).map((number) => catalogName(queryId, number))
}

export function relationName(queryId: string, relation: Pick<Relation, 'catalog' | 'schema' | 'name'>): string {
  return [catalogName(queryId, relation.catalog), relation.schema, relation.name].map(quoteIdentifier).join('.')
}

export function attachStatements(queryId: string, relations: readonly Relation[]): string[] {
  return catalogNames(queryId, relations).map((name) => `ATTACH ':memory:' AS ${quoteIdentifier(name)}`)
}

export function schemaStatements(queryId: string, relations: readonly Relation[]): string[] {
  const schemas = relations.map(
    (relation) => `${quoteIdentifier(catalogName(queryId, relation.catalog))}.${quoteIdentifier(relation.schema)}`,
  )
  return [...new Set(schemas)].map((schema) => `CREATE SCHEMA IF NOT EXISTS ${schema}`)
}

/** P1: a stub has no constraints and no rows. A table without columns is not possible in DuckDB. */
export function tableStatement(name: string, columns: Relation['columns']): string {
  const definitions = columns.map((column) => `${quoteIdentifier(column.name)} ${checkTypeName(column.type)}`)
  return `CREATE TABLE ${name} (${definitions.join(', ')})`
}

export function viewStatement(name: string, view: string): string {
  return `CREATE VIEW ${name} AS ${view}`
}

/** What a query's connection needs before it plans or runs: where names are looked up, and the clock (P33). */
export function sessionStatements(searchPath: readonly string[], clock: string): string[] {
  const path = [...searchPath, `${clockCatalog}.main`].join(',')
  return [`SET search_path = ${quoteLiteral(path)}`, `SET VARIABLE clock = ${quoteLiteral(clock)}`]
}

/**
 * Where names are looked up. Trees carry full names; a writing statement finds, and makes, unqualified names in its
 * database first. A schema must stand in the path itself for `schema.table` to be found in a catalog that is not the
 * first.
 */
export function searchPath(queryId: string, relations: readonly Relation[], database?: string): string[] {
  const own = pathEntry(queryId, 'main')
  if (database === undefined) return [own]
  const schemas = relations.filter(({ catalog }) => catalog === 0).map(({ schema }) => pathEntry(queryId, schema))
  return [...new Set([pathEntry(database, 'main'), own, ...schemas])]
}

function pathEntry(catalog: string, schema: string): string {
  return `${quoteIdentifier(catalog)}.${quoteIdentifier(schema)}`
}
