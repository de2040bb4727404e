import type { z } from 'zod'
import { parseEndpoint, pathParams, queryParams } from './endpoint.js'

/** What the checks read of a table's entry. */
interface TableEntry {
  readonly endpoint: string
  readonly params: readonly ParamEntry[]
  readonly pagination: Readonly<Record<string, unknown>>
  readonly response: { readonly schema?: readonly ColumnEntry[] | undefined }
}

interface ParamEntry {
  readonly name: string
  readonly required?: boolean | undefined
  readonly default?: unknown
  readonly any?: unknown
  readonly filterable?: boolean | undefined
  readonly in?: string | undefined
}

interface ColumnEntry {
  readonly name: string
  readonly type: string
  readonly source?: string | undefined
}

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
    for (const message of paramFaults(param, columns)) fault(['params', index], message)
  }
  for (const [index, column] of columns.entries()) {
    if (column.source === 'param' && !table.params.some(({ name }) => name === column.name)) {
      fault(['response', 'schema', index, 'source'], `there is no parameter ${column.name}`)
    }
  }
  for (const message of endpointFaults(table)) fault(['endpoint'], message)
  for (const key of ['param', 'size_param']) {
    const name = table.pagination[key]
    if (!table.params.some((param) => param.name === name)) continue
    fault(['pagination', key], `${String(name)} is one of the params; pagination alone may set it`)
  }
}

function paramFaults(param: ParamEntry, columns: readonly ColumnEntry[]): readonly string[] {
  const faults: string[] = []
  const hasDefault = param.default !== undefined
  if (param.required === true && hasDefault) faults.push('a required parameter has no default')
  if (param.filterable === false && !hasDefault) faults.push('filterable: false needs a default to ask with')
  if (param.any !== undefined && !hasDefault) faults.push('any needs a default that it replaces')
  const column = columns.find(({ name }) => name.toLowerCase() === param.name.toLowerCase())
  if (column?.type.toLowerCase() === 'json') {
    faults.push(`the column ${column.name} of type json cannot be compared with the parameter; give it another name`)
  }
  return faults
}

function endpointFaults(table: TableEntry): readonly string[] {
  const endpoint = parseEndpoint(table.endpoint)
  if (typeof endpoint === 'string') return [endpoint]
  const faults: string[] = []
  const inPath = pathParams(endpoint)
  for (const name of [...inPath, ...queryParams(endpoint)]) {
    const param = table.params.find((candidate) => candidate.name === name)
    if (param === undefined) faults.push(`{${name}} is not one of the params`)
    else if (param.required !== true && param.default === undefined) {
      faults.push(`{${name}} must be required or have a default`)
    }
  }
  for (const param of table.params) {
    const isPlaced = inPath.includes(param.name) || queryParams(endpoint).includes(param.name)
    if (param.in === 'path' && !inPath.includes(param.name)) faults.push(`{${param.name}} is missing in the path`)
    if (param.in !== undefined && param.in !== 'path' && isPlaced) {
      faults.push(`${param.name} stands in the endpoint and cannot go elsewhere`)
    }
  }
  return faults
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
