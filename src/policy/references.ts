import type { TreeNode } from '../model/tree.js'

/** Schemas and catalogs that belong to DuckDB. `information_schema` is answered from Querent's own catalog. */
const systemNames: ReadonlySet<string> = new Set(['pg_catalog', 'system', 'temp'])
/** Querent's own tables under a name of DuckDB's. */
const ownTables: ReadonlySet<string> = new Set(['system.audit'])
const informationSchemaTables: ReadonlySet<string> = new Set(['tables', 'columns'])

/** Views of DuckDB that need no qualification. */
const systemViews: ReadonlySet<string> = new Set(
  (
    'duckdb_columns duckdb_constraints duckdb_databases duckdb_indexes duckdb_logs duckdb_schemas duckdb_tables ' +
    'duckdb_types duckdb_views pragma_database_list sqlite_master sqlite_schema sqlite_temp_master ' +
    'sqlite_temp_schema pg_am pg_attrdef pg_attribute pg_class pg_collation pg_constraint pg_database pg_depend ' +
    'pg_description pg_enum pg_index pg_indexes pg_namespace pg_prepared_statements pg_proc pg_sequence ' +
    'pg_sequences pg_settings pg_tables pg_tablespace pg_type pg_views'
  ).split(' '),
)

/** Whether a BASE_TABLE is DuckDB's own, `pg_catalog.pg_class` or `sqlite_master`; such names are refused. */
export function isSystemTable(node: TreeNode): boolean {
  const table = lower(node['table_name'])
  const schema = lower(node['schema_name'])
  const catalog = lower(node['catalog_name'])
  if (catalog === '' && ownTables.has(`${schema}.${table}`)) return false
  if (systemNames.has(schema) || systemNames.has(catalog)) return true
  if (schema === 'information_schema') return catalog !== '' || !informationSchemaTables.has(table)
  return systemViews.has(table) && (schema === '' || schema === 'main')
}

/** Whether a function's qualification names a schema or catalog of DuckDB, not a column whose method is called. */
export function isSystemSchema(schema: unknown, catalog: unknown): boolean {
  const first = lower(catalog) === '' ? lower(schema) : lower(catalog)
  return systemNames.has(first) || first === 'information_schema' || first === 'memory' || lower(catalog) === 'main'
}

/** A table's name as it is written, for messages. */
export function writtenName(node: TreeNode): string {
  return [node['catalog_name'], node['schema_name'], node['table_name']]
    .filter((part) => typeof part === 'string' && part !== '')
    .join('.')
}

/** Whether an unqualified name reads like a file or an address, which DuckDB would open where no table is called so. */
export function looksLikeFile(name: string): boolean {
  return /[\\/*?]|^[a-z][a-z0-9+.-]*:|\.(?:csv|tsv|txt|json|jsonl|ndjson|geojson|parquet|xlsx|db|duckdb|gz|zst)$/i.test(
    name,
  )
}

function lower(value: unknown): string {
  return typeof value === 'string' ? value.toLowerCase() : ''
}
