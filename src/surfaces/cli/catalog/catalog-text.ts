import type { Column } from '../../../model/column.js'
import { formatTableName } from '../../../model/table-name.js'
import type { Table, TableSummary } from '../../../model/table.js'
import type { TablePage } from '../../../workspace/workspace.js'
import { renderTable } from '../render/table.js'
import { terminalText } from '../render/terminal-text.js'

/** A page of the catalog for people; wide cells are shortened where it is for a terminal. */
export function renderTables(page: TablePage, widthColumns: number | undefined): string {
  const rows = page.tables.map((table: TableSummary) => [
    formatTableName(table.name),
    table.columnNames?.join(', ') ?? '',
    table.description ?? '',
  ])
  return grid(['table', 'columns', 'description'], rows, widthColumns)
}

/** Columns of a table with how each may be filtered, and what else is known of it. */
export function renderDescription(table: Table, widthColumns: number | undefined): string {
  const rows = table.columns.map((column) => [column.name, column.type, filterText(column), column.description ?? ''])
  const facts = factsOf(table).map((fact) => `${terminalText(fact, { multiline: true })}\n`)
  const columns =
    table.columns.length === 0 ? '' : grid(['column', 'type', 'filter', 'description'], rows, widthColumns)
  return `${terminalText(formatTableName(table.name))}\n${columns}${facts.join('')}`
}

function factsOf(table: Table): readonly string[] {
  const { description, wiki, unknownShape, primaryKey, relationships = [], cost, freshness, examples = [] } = table
  return [
    description,
    wiki,
    unknownShape === undefined ? undefined : `columns unknown until: ${unknownShape}`,
    primaryKey === undefined ? undefined : `primary key: ${primaryKey.join(', ')}`,
    ...relationships.map(
      ({ columns, target, targetColumns }) =>
        `${columns.join(', ')} -> ${formatTableName(target)} (${targetColumns.join(', ')})`,
    ),
    cost === undefined ? undefined : `cost: ${cost}`,
    freshness === undefined ? undefined : `freshness: ${freshness}`,
    ...examples.map((example) => `example: ${example}`),
  ].filter((fact) => fact !== undefined)
}

function filterText({ filtering, defaultValue, anyValue }: Column): string {
  const byDefault = defaultValue === undefined ? '' : `, default ${defaultValue}`
  const any = anyValue === undefined ? '' : `, ${anyValue} asks for all`
  const operators = filtering.kind === 'local' ? '' : ` (${filtering.operators.join(' ')})`
  return `${filtering.kind}${operators}${byDefault}${any}`
}

function grid(
  columns: readonly string[],
  rows: readonly (readonly string[])[],
  widthColumns: number | undefined,
): string {
  return renderTable({ columns, columnTypes: columns.map(() => 'VARCHAR'), rows }, widthColumns).text
}
