import type { Column, ColumnFiltering } from '../../model/column.js'
import type { Table, TableSummary } from '../../model/table.js'
import type { HttpTable } from './http-table.js'
import type { HttpParam } from './http-param.js'

export function summarizeTable(table: HttpTable): TableSummary {
  return {
    name: table.name,
    ...(table.description === undefined ? {} : { description: table.description }),
    ...(table.isShapeKnown ? { columnNames: table.columns.map(({ name }) => name) } : {}),
  }
}

export function describeTable(table: HttpTable): Table {
  const { wiki, examples } = table
  return {
    ...summarizeTable(table),
    columns: describeColumns(table),
    access: 'remote',
    ...(table.config.key === undefined ? {} : { primaryKey: table.config.key }),
    ...(table.isShapeKnown ? {} : { unknownShape: `one request: ${requestText(table)}` }),
    ...(wiki === undefined ? {} : { wiki }),
    ...(examples === undefined ? {} : { examples }),
    cost: table.pagination.type === 'none' ? '1 request' : '1 request per page',
    freshness: 'live',
  }
}

function describeColumns(table: HttpTable): readonly Column[] {
  return table.columns.map(({ name, type, description }) => {
    const param = table.params.find((candidate) => candidate.name === name)
    const text = description ?? param?.description
    return {
      name,
      type,
      ...(text === undefined ? {} : { description: text }),
      filtering: filteringOf(param),
      ...defaultTextOf(param),
      ...(param?.anyValue === undefined ? {} : { anyValue: param.anyValue.wire }),
    }
  })
}

function filteringOf(param: HttpParam | undefined): ColumnFiltering {
  if (param?.filterable !== true) return { kind: 'local' }
  return { kind: param.required ? 'required' : 'pushed', operators: [...param.operators] }
}

function defaultTextOf(param: HttpParam | undefined): { readonly defaultValue?: string } {
  if (param?.agoSeconds !== undefined) return { defaultValue: `${param.agoSeconds} seconds ago` }
  return param?.defaultValue === undefined ? {} : { defaultValue: param.defaultValue.wire }
}

function requestText(table: HttpTable): string {
  const { method, endpointText } = table.requests.at(-1) ?? table.requests[0]
  return `${method} ${endpointText}`
}
