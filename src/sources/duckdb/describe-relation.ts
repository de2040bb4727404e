import type { Table, TableName, TableSummary } from '../../model/table.js'
import { sanitizeText } from '../../util/sanitize-text.js'
import type { CatalogColumn, CatalogRelation } from './read-catalog.js'
import type { DuckdbTableConfig } from './duckdb-config.js'

/** The schema whose name may be left out. */
export const defaultSchema = 'main'

const maxCommentCharacters = 1_000

/** A relation of a database under the name that callers use, with what the workspace file adds. */
export interface NamedRelation {
  readonly name: TableName
  readonly relation: CatalogRelation
  readonly config: DuckdbTableConfig | undefined
}

export function tableNameOf(source: string, schema: string, table: string): TableName {
  return schema === defaultSchema ? { source, table } : { source, schema, table }
}

export function summaryOf({ name, relation, config }: NamedRelation): TableSummary {
  const description = config?.description ?? commentOf(relation.comment)
  const columnNames = relation.columns.map((column) => column.name)
  return { name, columnNames, ...(description === undefined ? {} : { description }) }
}

/** `columns` are those that the relation really yields; `broken` says why a view yields none. */
export function tableOf(named: NamedRelation, columns: readonly CatalogColumn[], broken: string | undefined): Table {
  const { relation, config, name } = named
  const summary = summaryOf(named)
  const said = broken === undefined ? summary.description : `This view cannot be read: ${broken}.`
  const comments = new Map(relation.columns.map((column) => [column.name, column.comment]))
  return {
    name,
    columnNames: columns.map((column) => column.name),
    columns: columns.map((column) => {
      const description = config?.columns?.[column.name]?.description ?? commentOf(comments.get(column.name))
      const shown = description === undefined ? {} : { description }
      return { name: column.name, type: column.type, ...shown, filtering: { kind: 'local' } }
    }),
    access: 'inPlace',
    ...(said === undefined ? {} : { description: said }),
    ...(config?.wiki === undefined ? {} : { wiki: config.wiki }),
    ...(config?.examples === undefined ? {} : { examples: config.examples }),
    ...(relation.primaryKey === undefined ? {} : { primaryKey: relation.primaryKey }),
    ...(relation.foreignKeys.length === 0 ? {} : { relationships: relationshipsOf(named) }),
    ...(relation.rows === undefined ? {} : { cost: `about ${relation.rows} rows` }),
    freshness: 'read in place',
  }
}

function relationshipsOf({ name, relation }: NamedRelation): NonNullable<Table['relationships']> {
  return relation.foreignKeys.map((key) => ({
    columns: key.columns,
    target: tableNameOf(name.source, relation.schema, key.target),
    targetColumns: key.targetColumns,
  }))
}

/** Comments are data of the database's authors: cleaned and cut. */
function commentOf(comment: string | undefined): string | undefined {
  return comment === undefined ? undefined : sanitizeText(comment, maxCommentCharacters)
}
