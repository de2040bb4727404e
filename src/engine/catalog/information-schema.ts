import type { Table, TableName, TableSummary } from '../../model/table.js'
import { formatTableName } from '../../model/table-name.js'
import type { Source } from '../../sources/source.js'
import type { Catalog } from './catalog.js'
import { MemorySource, type MemoryTable } from './memory-source.js'

/** What SHOW TABLES and SHOW ALL TABLES read; see `rewrite/show-statements`. */
const showTables = 'show_tables'
const showAllTables = 'show_all_tables'

/** `information_schema.tables` and `.columns`, answered from Querent's catalog and not from DuckDB's. */
export function informationSchema(catalog: Catalog, sources: ReadonlyMap<string, Source>): Source {
  const listed = async (signal: AbortSignal): Promise<readonly TableSummary[]> => (await catalog.index(signal)).tables
  const tables: readonly MemoryTable[] = [
    {
      name: 'tables',
      description: 'All tables of this workspace.',
      columns: {
        table_catalog: 'VARCHAR',
        table_schema: 'VARCHAR',
        table_name: 'VARCHAR',
        table_type: 'VARCHAR',
        TABLE_COMMENT: 'VARCHAR',
      },
      async *rows(_caller, signal) {
        for (const { name, description } of await listed(signal)) {
          yield { ...nameColumns(name), table_type: 'BASE TABLE', TABLE_COMMENT: description ?? null }
        }
      },
    },
    {
      name: 'columns',
      description: 'All columns of the tables of this workspace, where they are known.',
      columns: {
        table_catalog: 'VARCHAR',
        table_schema: 'VARCHAR',
        table_name: 'VARCHAR',
        column_name: 'VARCHAR',
        ordinal_position: 'INTEGER',
        column_default: 'VARCHAR',
        is_nullable: 'VARCHAR',
        data_type: 'VARCHAR',
        COLUMN_COMMENT: 'VARCHAR',
      },
      async *rows(_caller, signal) {
        for await (const table of describeAll(await listed(signal), sources, signal)) {
          for (const [index, column] of table.columns.entries()) {
            yield {
              ...nameColumns(table.name),
              column_name: column.name,
              ordinal_position: index + 1,
              column_default: column.defaultValue ?? null,
              is_nullable: 'YES',
              data_type: column.type,
              COLUMN_COMMENT: column.description ?? null,
            }
          }
        }
      },
    },
    {
      name: showTables,
      description: 'Names of all tables.',
      columns: { name: 'VARCHAR' },
      async *rows(_caller, signal) {
        for (const { name } of await listed(signal)) yield { name: formatTableName(name) }
      },
    },
    {
      name: showAllTables,
      description: 'All tables with their columns.',
      columns: {
        database: 'VARCHAR',
        schema: 'VARCHAR',
        name: 'VARCHAR',
        column_names: 'VARCHAR[]',
        column_types: 'VARCHAR[]',
        temporary: 'BOOLEAN',
      },
      async *rows(_caller, signal) {
        for await (const { name, columns } of describeAll(await listed(signal), sources, signal)) {
          yield {
            database: name.source,
            schema: name.schema ?? 'main',
            name: name.table,
            column_names: columns.map((column) => column.name),
            column_types: columns.map((column) => column.type),
            temporary: false,
          }
        }
      },
    },
  ]
  return new MemorySource('information_schema', tables, { listed: false })
}

function nameColumns(name: TableName): Readonly<Record<string, string>> {
  return { table_catalog: name.source, table_schema: name.schema ?? name.source, table_name: name.table }
}

/** Tables that can be described without a request; a source that is down leaves its tables out. */
async function* describeAll(
  tables: readonly TableSummary[],
  sources: ReadonlyMap<string, Source>,
  signal: AbortSignal,
): AsyncIterable<Table> {
  for (const { name } of tables) {
    const source = sources.get(name.source.toLowerCase())
    const described = await source?.describeTables([name], { signal }).catch(() => undefined)
    signal.throwIfAborted()
    if (described?.[0] !== undefined) yield described[0]
  }
}
