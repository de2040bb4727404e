import type { Column } from '../../model/column.js'
import { formatTableName } from '../../model/table-name.js'
import type { Table, TableSummary } from '../../model/table.js'
import type { TablePage } from '../../workspace/workspace.js'
import { messageLength } from './tool-result.js'

export interface ColumnAnswer {
  readonly name: string
  readonly type?: string
  readonly description?: string
  /** `required`: a query must give it. `pushed`: the source applies `operators` itself. `local`: applied afterwards. */
  readonly filter?: 'required' | 'pushed' | 'local'
  readonly operators?: readonly string[]
  readonly default?: string
}

/** A described table as callers see it; names are written as SQL takes them. */
export interface TableAnswer {
  readonly table: string
  readonly truncated?: true
  readonly warning?: string
  readonly description?: string
  readonly access: 'inPlace' | 'remote'
  readonly columns: readonly ColumnAnswer[]
  readonly primaryKey?: readonly string[]
  readonly relationships?: readonly { readonly columns: readonly string[]; readonly references: string }[]
  readonly notes?: string
  readonly examples?: readonly string[]
  readonly cost?: string
  readonly freshness?: string
  readonly unknownShape?: string
}

export interface TableEntry {
  readonly table: string
  readonly description?: string
  readonly columns?: readonly string[]
  readonly moreColumns?: number
}

export interface TablePageAnswer {
  readonly tables: readonly (TableEntry | TableAnswer)[]
  readonly total: number
  readonly nextCursor?: string
  readonly unavailable?: TablePage['unavailable']
}

const summaryColumns = 40

export function toTablePageAnswer(page: TablePage, detail: 'names' | 'summary' | 'full'): TablePageAnswer {
  return {
    tables: page.tables.map((table) =>
      detail === 'full' && isTable(table) ? toTableAnswer(table) : entry(table, detail),
    ),
    total: page.total,
    ...(page.nextCursor === undefined ? {} : { nextCursor: page.nextCursor }),
    ...(page.unavailable.length === 0 ? {} : { unavailable: page.unavailable }),
  }
}

function entry(table: TableSummary, detail: 'names' | 'summary' | 'full'): TableEntry {
  const name = formatTableName(table.name)
  if (detail === 'names') return { table: name }
  const columns = isTable(table) ? table.columns.map((column) => column.name) : table.columnNames
  const more = (columns?.length ?? 0) - summaryColumns
  return {
    table: name,
    ...(table.description === undefined ? {} : { description: table.description }),
    ...(columns === undefined ? {} : { columns: columns.slice(0, summaryColumns) }),
    ...(more > 0 ? { moreColumns: more } : {}),
  }
}

function isTable(table: TableSummary | Table): table is Table {
  return 'columns' in table
}

export function toTableAnswer(table: Table): TableAnswer {
  return {
    table: formatTableName(table.name),
    ...(table.description === undefined ? {} : { description: table.description }),
    access: table.access,
    columns: table.columns.map(toColumnAnswer),
    ...(table.primaryKey === undefined ? {} : { primaryKey: table.primaryKey }),
    ...(table.relationships === undefined ? {} : { relationships: table.relationships.map(toRelationship) }),
    ...(table.wiki === undefined ? {} : { notes: table.wiki }),
    ...(table.examples === undefined ? {} : { examples: table.examples }),
    ...(table.cost === undefined ? {} : { cost: table.cost }),
    ...(table.freshness === undefined ? {} : { freshness: table.freshness }),
    ...(table.unknownShape === undefined ? {} : { unknownShape: table.unknownShape }),
  }
}

function toColumnAnswer(column: Column): ColumnAnswer {
  const { filtering } = column
  return {
    name: column.name,
    type: column.type,
    ...(column.description === undefined ? {} : { description: column.description }),
    filter: filtering.kind,
    ...(filtering.kind === 'local' ? {} : { operators: filtering.operators }),
    ...(column.defaultValue === undefined ? {} : { default: column.defaultValue }),
  }
}

function toRelationship(relationship: NonNullable<Table['relationships']>[number]): {
  readonly columns: readonly string[]
  readonly references: string
} {
  const target = formatTableName(relationship.target)
  return { columns: relationship.columns, references: `${target}(${relationship.targetColumns.join(', ')})` }
}

/**
 * The table, cut to a message's size where it must be: first the columns' descriptions go, then their types and
 * filters except for those a query must give, then the columns at the end. What went is said in `warning`.
 */
export function fitTable(table: TableAnswer, maxChars: number): TableAnswer {
  const fits = (candidate: TableAnswer): boolean => messageLength(candidate) <= maxChars
  if (fits(table)) return table
  const short = mark(
    { ...table, columns: table.columns.map(withoutDescription) },
    'Descriptions of columns were left out.',
  )
  if (fits(short)) return short
  const names = table.columns.map((column) =>
    column.filter === 'required' ? withoutDescription(column) : { name: column.name },
  )
  const bare = mark({ ...table, columns: names }, `Only names of columns are listed; ${typesHint}`)
  if (fits(bare)) return bare
  const { table: name, access } = table
  for (let kept = names.length; ;) {
    kept = Math.floor(kept / 2)
    const warning = `Only ${kept} of ${names.length} columns are listed; ${typesHint}`
    const cut = mark({ table: name, access, columns: names.slice(0, kept) }, warning)
    if (kept === 0 || fits(cut)) return cut
  }
}

const typesHint = 'run DESCRIBE on the table with query to page through them with their types.'

function withoutDescription(column: ColumnAnswer): ColumnAnswer {
  const { name, type, filter, operators } = column
  return {
    name,
    ...(type === undefined ? {} : { type }),
    ...(filter === undefined ? {} : { filter }),
    ...(operators === undefined ? {} : { operators }),
    ...(column.default === undefined ? {} : { default: column.default }),
  }
}

function mark(table: TableAnswer, warning: string): TableAnswer {
  const { table: name, ...rest } = table
  return { table: name, truncated: true, warning, ...rest }
}
