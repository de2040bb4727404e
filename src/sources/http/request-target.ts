import { JsonNumber } from '../../util/lossless-json.js'
import { parseJsonPath, type JsonPath } from './json-path.js'
import { bodyText, withMember, type RequestBody } from './request-body.js'

/** What is asked for: an address, headers for the source alone, a body. */
export interface RequestTarget {
  readonly method: 'GET' | 'POST'
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: RequestBody | undefined
}

/** Where paging puts its parameters. */
export type PagingPlace = 'query' | 'body'

/** The target with one more parameter; in the body `name` may be a path such as `$.page.cursor`. */
export function withParam(target: RequestTarget, place: PagingPlace, name: string, value: unknown): RequestTarget {
  if (place === 'query' || target.body === undefined) {
    return { ...target, url: withQuery(target.url, name, value instanceof JsonNumber ? value.text : String(value)) }
  }
  const path: JsonPath = name.startsWith('$') ? (parseJsonPath(name) ?? [name]) : [name]
  return { ...target, body: withMember(target.body, path, value) }
}

/** The address with one more query parameter; what stands there already keeps its form. */
function withQuery(url: URL, name: string, value: string): URL {
  const copy = new URL(url)
  const pair = `${encodeURIComponent(name)}=${encodeURIComponent(value)}`
  copy.search = url.search === '' ? `?${pair}` : `${url.search}&${pair}`
  return copy
}

/** Equal for requests that ask for the same. */
export function targetKey({ method, url, body }: RequestTarget): string {
  return JSON.stringify([method, url.href, body === undefined ? '' : bodyText(body)])
}
