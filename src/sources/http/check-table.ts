import type { z } from 'zod'
import { bodyFaults, paramFaults } from './check-params.js'
import { pathParams, queryParams } from './endpoint.js'
import { parseJsonPath } from './json-path.js'
import type { HttpTableConfig } from './table-config.js'
import { requestShapes, type RequestShape } from './request-shape.js'

type TableEntry = Pick<
  HttpTableConfig,
  'endpoint' | 'method' | 'body' | 'idempotent' | 'requests' | 'params' | 'pagination' | 'response' | 'key'
>

/** Faults of one table's entry that show only between its keys. */
export function checkTable(table: TableEntry, context: z.RefinementCtx): void {
  const fault = (path: readonly (string | number)[], message: string): void => {
    context.addIssue({ code: 'custom', path: [...path], message })
  }
  const columns = table.response.schema ?? []
  reportTwice(table.params, (index, name) => {
    fault(['params', index, 'name'], `the parameter ${name} is given twice`)
  })
  reportTwice(columns, (index, name) => {
    fault(['response', 'schema', index, 'name'], `the column ${name} is given twice`)
  })
  for (const [index, param] of table.params.entries()) {
    for (const message of paramFaults(param, table)) fault(['params', index], message)
  }
  for (const [index, column] of columns.entries()) {
    if (column.source === 'param' && !table.params.some(({ name }) => name === column.name)) {
      fault(['response', 'schema', index, 'source'], `there is no parameter ${column.name}`)
    }
  }
  for (const [index, name] of (table.key ?? []).entries()) {
    if (!isReadByKeys(columns.find((column) => column.name.toLowerCase() === name.toLowerCase()))) {
      fault(['key', index], `${name} is no column of response.schema that is read from the row by its keys`)
    }
  }
  checkRequests(table, fault)
  for (const key of ['param', 'size_param'] as const) {
    const name = (table.pagination as Readonly<Record<string, unknown>>)[key]
    if (!table.params.some((param) => param.name === name)) continue
    fault(['pagination', key], `${String(name)} is one of the params; pagination alone may set it`)
  }
}

type ColumnEntry = NonNullable<TableEntry['response']['schema']>[number]

function isReadByKeys(column: ColumnEntry | undefined): boolean {
  if (column === undefined || column.sql !== undefined || column.expr !== undefined) return false
  if (column.source === undefined) return true
  const path = parseJsonPath(column.source) ?? []
  return path.length > 0 && path.every((key) => typeof key === 'string')
}

type Fault = (path: readonly (string | number)[], message: string) => void

function checkRequests(table: TableEntry, fault: Fault): void {
  if (table.endpoint === undefined && table.requests === undefined) {
    fault(['endpoint'], 'give the endpoint, or requests with one each')
    return
  }
  for (const [path, message] of bodyFaults(table)) fault(path, message)
  const shapes = requestShapes(table)
  if ('fault' in shapes) {
    fault(shapes.at, shapes.fault)
    return
  }
  const conditional = table.requests?.length ?? 0
  for (const [index, shape] of shapes.entries()) {
    const at = index < conditional ? ['requests', index] : []
    for (const message of placeFaults(table, shape)) fault([...at, 'endpoint'], message)
    for (const [position, name] of shape.whenFilters.entries()) {
      const known = table.params.find((param) => param.name === name)
      if (known !== undefined && known.filterable !== false && known.derive?.kind !== 'split') continue
      fault([...at, 'when_filters', position], `${name} is not one of the params that a query can give`)
    }
  }
  for (const param of table.params.filter((entry) => entry.in === 'path')) {
    if (shapes.some(({ endpoint }) => pathParams(endpoint).includes(param.name))) continue
    fault(['endpoint'], `{${param.name}} is missing in the path`)
  }
}

function placeFaults(table: TableEntry, shape: RequestShape): readonly string[] {
  const faults: string[] = []
  const placed = new Set([...pathParams(shape.endpoint), ...queryParams(shape.endpoint)])
  for (const name of placed) {
    const param = table.params.find((candidate) => candidate.name === name)
    if (param === undefined) faults.push(`{${name}} is not one of the params`)
    else if (!isAlwaysThere(param, table, shape)) faults.push(`{${name}} must be required or have a default`)
  }
  for (const param of table.params) {
    if (param.in !== undefined && param.in !== 'path' && placed.has(param.name)) {
      faults.push(`${param.name} stands in the endpoint and cannot go elsewhere`)
    }
    const isList = typeof param.explode === 'object' ? param.explode.separator === undefined : param.explode === true
    if (isList && (placed.has(param.name) || param.in === 'header')) {
      faults.push(`explode of ${param.name} needs a separator, because it is no parameter of the query`)
    }
  }
  return faults
}

function isAlwaysThere(param: TableEntry['params'][number], table: TableEntry, shape: RequestShape): boolean {
  if (param.derive?.kind === 'split') {
    const { from } = param.derive
    const source = table.params.find(({ name }) => name === from)
    return source === undefined || isAlwaysThere(source, table, shape)
  }
  const hasDefault = param.default !== undefined || param.derive?.kind === 'ago'
  return param.required === true || hasDefault || shape.whenFilters.includes(param.name)
}

export function reportTwice(
  entries: readonly { readonly name: string }[],
  report: (index: number, name: string) => void,
): void {
  const seen = new Set<string>()
  for (const [index, { name }] of entries.entries()) {
    if (seen.has(name.toLowerCase())) report(index, name)
    seen.add(name.toLowerCase())
  }
}
