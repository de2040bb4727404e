/** A piece of an endpoint: literal text, or the place of a parameter. */
export type EndpointPart = { readonly text: string } | { readonly param: string }

export interface Endpoint {
  /** Segments between the slashes, each of one or more parts. */
  readonly segments: readonly (readonly EndpointPart[])[]
  /** What stands behind `?` in the endpoint. */
  readonly query: readonly { readonly name: string; readonly value: readonly EndpointPart[] }[]
}

/** Reads `/repos/{owner}/pulls?sort=new`. Answers the fault as text where it is none. */
export function parseEndpoint(text: string): Endpoint | string {
  if (!text.startsWith('/') || text.startsWith('//')) return 'expected a path that begins with one /'
  if (/[\s#\\\p{Cc}]/u.test(text)) return 'spaces, #, \\ and control characters must be percent-encoded'
  const [path = '', query, more] = text.split('?')
  if (more !== undefined) return 'only one ? may stand in it'
  const segments = path.slice(1).split('/').map(parseParts)
  const pairs = (query ?? '').split('&').filter((pair) => pair !== '')
  const parsed = pairs.map((pair) => {
    const [name = '', ...value] = pair.split('=')
    return { name, value: parseParts(value.join('=')) }
  })
  if (parsed.some(({ name }) => /[{}]/.test(name))) return 'a name in the query cannot be a parameter'
  const parts = [...segments, ...parsed.map(({ value }) => value)].flat()
  if (parts.some((part) => 'text' in part && /[{}]/.test(part.text))) return 'a brace is not closed or not opened'
  if (path.split('/').some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment))) return '. and .. cannot be segments'
  return { segments, query: parsed }
}

export function pathParams(endpoint: Endpoint): readonly string[] {
  return endpoint.segments.flat().flatMap((part) => ('param' in part ? [part.param] : []))
}

export function queryParams(endpoint: Endpoint): readonly string[] {
  return endpoint.query.flatMap(({ value }) => value.flatMap((part) => ('param' in part ? [part.param] : [])))
}

function parseParts(text: string): readonly EndpointPart[] {
  return text
    .split(/(\{[^{}]+\})/)
    .filter((piece) => piece !== '')
    .map((piece) => (/^\{[^{}]+\}$/.test(piece) ? { param: piece.slice(1, -1) } : { text: piece }))
}
