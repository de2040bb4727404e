import { startApiServer, type ApiServer } from '../support/api-server.js'
import { columnsOf } from '../planner/tables.js'
import type { ApiForm } from './api-form.js'
import type { TextRow } from './truth.js'

export interface ApiTable {
  readonly form: ApiForm
  readonly rows: readonly TextRow[]
}

/** An API over the tables that `tables` holds at the time of a request. */
export function startTableApi(tables: ReadonlyMap<string, ApiTable>): Promise<ApiServer> {
  return startApiServer((request, response) => {
    const url = new URL(request.url ?? '/', `http://${request.headers.host ?? ''}`)
    const [name = '', ...segments] = url.pathname.slice(1).split('/')
    const table = tables.get(name)
    if (table === undefined) {
      response.writeHead(404).end()
      return
    }
    const given = new Map(url.searchParams)
    for (const [index, param] of table.form.inPath.entries()) {
      given.set(param, decodeURIComponent(segments[index] ?? ''))
    }
    const { body, link } = page(table, given, url)
    response.writeHead(200, { 'content-type': 'application/json', ...(link === undefined ? {} : { link }) }).end(body)
  })
}

function page(table: ApiTable, given: ReadonlyMap<string, string>, url: URL): { body: string; link?: string } {
  const { form } = table
  const found = table.rows.filter((row) => isFound(form, row, given))
  const size = form.paging === 'none' ? found.length : form.pageSize
  const from = offsetOf(form, given)
  const rows = found.slice(from, from + size)
  const isLast = from + size >= found.length
  const next = new URL(url)
  next.searchParams.set('c_', String(from + size))
  const fields = [
    // Two pages with equal rows are told apart, as those of real APIs are.
    `"page":${from},"rows":[${rows.map((row) => rowJson(form, row)).join(',')}]`,
    ...(form.paging === 'total' ? [`"total":${found.length}`] : []),
    ...(form.paging === 'cursor' ? [`"next":${isLast ? 'null' : JSON.stringify(String(from + size))}`] : []),
    ...(form.paging === 'next_url' ? [`"next":${isLast ? 'null' : JSON.stringify(next.href)}`] : []),
  ]
  const body = `{${fields.join(',')}}`
  return form.paging === 'link_header' && !isLast ? { body, link: `<${next.href}>; rel="next"` } : { body }
}

function offsetOf(form: ApiForm, given: ReadonlyMap<string, string>): number {
  switch (form.paging) {
    case 'page':
    case 'total':
      return (Number(given.get('p_') ?? 1) - 1) * form.pageSize
    case 'offset':
      return Number(given.get('o_') ?? 0)
    default:
      return Number(given.get('c_') ?? 0)
  }
}

function isFound(form: ApiForm, row: TextRow, given: ReadonlyMap<string, string>): boolean {
  return Object.entries(form.parameters).every(([name, kind]) => {
    const wanted = given.get(name)
    if (wanted === undefined) return kind !== 'required' && kind !== 'echo'
    const type = columnsOf(form.table).find((column) => column.name === name)?.type
    const value = row[name] ?? null
    switch (kind) {
      case 'ignored':
        return true
      case 'loose':
        return (
          value === null ||
          value.toLowerCase().startsWith(wanted.toLowerCase().slice(0, 1)) ||
          same(type, value, wanted)
        )
      default:
        return same(type, value, wanted)
    }
  })
}

function same(type: string | undefined, value: string | null, wanted: string): boolean {
  if (value === null) return false
  if (type === 'TIMESTAMP')
    return Date.parse(`${value.replace(' ', 'T')}Z`) === Date.parse(wanted) && micros(value) === micros(wanted)
  if (type === 'DECIMAL(6,2)') return Number(value) === Number(wanted)
  return value === wanted
}

function micros(text: string): string {
  return (/\.(\d+)/.exec(text)?.[1] ?? '').padEnd(6, '0')
}

function rowJson(form: ApiForm, row: TextRow): string {
  const fields = columnsOf(form.table)
    .filter(({ name }) => form.parameters[name] !== 'echo')
    .map(({ name, type }) => `${JSON.stringify(name)}:${cellJson(type, row[name] ?? null)}`)
  return `{${fields.join(',')}}`
}

function cellJson(type: string, value: string | null): string {
  if (value === null) return 'null'
  const isBare = type === 'INTEGER' || type === 'BIGINT' || type === 'BOOLEAN' || type === 'DECIMAL(6,2)'
  if (isBare || (type === 'DOUBLE' && /^[-\d.e+]+$/.test(value))) return value
  return JSON.stringify(value)
}
