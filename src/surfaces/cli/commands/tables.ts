import type { Column } from '../../../model/column.js'
import type { Table, TableSummary } from '../../../model/table.js'
import { formatTableName } from '../../../model/table-name.js'
import type { TablePage } from '../../../workspace/workspace.js'
import { renderRows } from '../render/rows.js'
import { terminalText } from '../render/terminal-text.js'

export function renderTables(page: TablePage, widthColumns: number): string {
  const rows = page.tables.map((table: TableSummary) => [
    formatTableName(table.name),
    table.columnNames?.join(', ') ?? '',
    table.description ?? '',
  ])
  const columns = ['table', 'columns', 'description']
  return renderRows({ columns, columnTypes: columns.map(() => 'VARCHAR'), rows }, 'table', { widthColumns })
}

export function renderTable(table: Table, widthColumns: number): string {
  const columns = ['column', 'type', 'filter', 'description']
  const rows = table.columns.map((column) => [column.name, column.type, filterText(column), column.description ?? ''])
  const grid = renderRows({ columns, columnTypes: columns.map(() => 'VARCHAR'), rows }, 'table', { widthColumns })
  const facts = [
    table.description,
    table.wiki,
    table.unknownShape === undefined ? undefined : `columns unknown until: ${table.unknownShape}`,
    table.primaryKey === undefined ? undefined : `primary key: ${table.primaryKey.join(', ')}`,
    ...(table.relationships ?? []).map(
      (relation) =>
        `${relation.columns.join(', ')} -> ${formatTableName(relation.target)} (${relation.targetColumns.join(', ')})`,
    ),
    table.cost === undefined ? undefined : `cost: ${table.cost}`,
    table.freshness === undefined ? undefined : `freshness: ${table.freshness}`,
    ...(table.examples ?? []).map((example) => `example: ${example}`),
  ].filter((fact) => fact !== undefined)
  return `${formatTableName(table.name)}\n${grid}${facts.map((fact) => `${terminalText(fact)}\n`).join('')}`
}

function filterText({ filtering, defaultValue }: Column): string {
  const byDefault = defaultValue === undefined ? '' : `, default ${defaultValue}`
  if (filtering.kind === 'local') return `local${byDefault}`
  return `${filtering.kind} (${filtering.operators.join(' ')})${byDefault}`
}
