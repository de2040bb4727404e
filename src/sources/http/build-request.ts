import { QuerentError } from '../../errors/querent-error.js'
import { checkHeaderValue, encodePathSegment, encodeQueryPart, type Encoded } from '../../net/encode.js'
import type { EndpointPart } from './endpoint.js'
import type { HttpParam, HttpTable } from './http-table.js'
import { tableText } from './parameter-errors.js'
import type { Assignment } from './plan-parameters.js'

/** Where a first page is asked for. */
export interface RequestTarget {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
}

/**
 * The address and headers for one assignment, each value encoded for its place. Throws `source.bad_parameter` for a
 * value that cannot stand there without naming another endpoint.
 */
export function buildTarget(table: HttpTable, baseUrl: URL, assignment: Assignment): RequestTarget {
  const path = `${baseUrl.pathname.replace(/\/+$/, '')}${pathText(table, assignment, encodePathSegment)}`
  const query = queryText(table, assignment, encodeQueryPart)
  const url = new URL(baseUrl.origin + path + (query === '' ? '' : `?${query}`))
  // The URL parser resolves dot segments in every spelling: whatever it changed would be another endpoint.
  if (slashes(url.pathname) !== slashes(path)) {
    const columns = table.params.filter(({ place }) => place === 'path').map(({ name }) => name)
    throw badParameter(table, columns.join(', '), 'it would name another endpoint')
  }
  const headers: Record<string, string> = {}
  for (const param of table.params.filter(({ place }) => place === 'header')) {
    const value = assignment[param.name]
    if (value !== undefined)
      headers[param.wireName.toLowerCase()] = encoded(table, param.name, checkHeaderValue(value.wire))
  }
  return { url, headers }
}

/** The address with one more query parameter; what stands there already keeps its form. */
export function withQuery(url: URL, name: string, value: string): URL {
  const copy = new URL(url)
  const pair = `${encodeURIComponent(name)}=${encodeURIComponent(value)}`
  copy.search = url.search === '' ? `?${pair}` : `${url.search}&${pair}`
  return copy
}

/** `GET /repos/a/{repo}/pulls?state=open`, for people: keys that come at run time stand in braces. */
export function previewRequest(table: HttpTable, assignment: Assignment, keys: readonly string[]): string {
  const shown: Record<string, Assignment[string]> = { ...assignment }
  for (const key of keys) shown[key] = { wire: `{${key}}`, constant: { type: 'VARCHAR', text: undefined } }
  const encode = (value: string): Encoded =>
    keys.includes(value.slice(1, -1)) && value.startsWith('{') ? { text: value } : encodeQueryPart(value)
  const query = queryText(table, shown, encode)
  return `${table.config.method} ${pathText(table, shown, encode)}${query === '' ? '' : `?${query}`}`
}

type Encode = (value: string) => Encoded

function pathText(table: HttpTable, assignment: Assignment, encode: Encode): string {
  const segments = table.endpoint.segments.map((parts) => partsText(table, parts, assignment, encode))
  return segments.map((segment) => `/${segment}`).join('')
}

function queryText(table: HttpTable, assignment: Assignment, encode: Encode): string {
  const fixed = table.endpoint.query.map(({ name, value }) => `${name}=${partsText(table, value, assignment, encode)}`)
  const added = table.params
    .filter((param) => param.place === 'query')
    .flatMap((param) => {
      const value = assignment[param.name]
      if (value === undefined) return []
      return [
        `${encoded(table, param.name, encodeQueryPart(param.wireName))}=${encoded(table, param.name, encode(value.wire))}`,
      ]
    })
  return [...fixed, ...added].join('&')
}

function partsText(table: HttpTable, parts: readonly EndpointPart[], assignment: Assignment, encode: Encode): string {
  return parts
    .map((part) => {
      if ('text' in part) return part.text
      const param = paramOf(table, part.param)
      return encoded(table, part.param, encode(assignment[param?.name ?? part.param]?.wire ?? ''))
    })
    .join('')
}

function paramOf(table: HttpTable, name: string): HttpParam | undefined {
  return table.params.find((param) => param.wireName === name)
}

function encoded(table: HttpTable, column: string, value: Encoded): string {
  if ('refused' in value) throw badParameter(table, column, value.refused)
  return value.text
}

function badParameter(table: HttpTable, column: string, reason: string): QuerentError {
  return new QuerentError('source.bad_parameter', { table: tableText(table), column, reason })
}

function slashes(path: string): number {
  return path.split('/').length
}
