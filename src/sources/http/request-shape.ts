import { parseBodyTemplate, type BodyTemplate } from './body-template.js'
import { parseEndpoint, pathParams, queryParams, type Endpoint } from './endpoint.js'
import type { HttpTableConfig } from './table-config.js'
import type { BodyConfig } from './request-config.js'

/**
 * Where a parameter's value goes. `template`: in a place of the body that names it; `body`: as a member of its own;
 * `parts`: nowhere itself, only as the parameters that are parts of it.
 */
export type Place = 'path' | 'endpoint-query' | 'query' | 'header' | 'template' | 'body' | 'parts'

/** One way of asking for the rows of a table. */
export interface RequestShape {
  /** Parameters that must have a value from the query; none: always possible. */
  readonly whenFilters: readonly string[]
  readonly method: 'GET' | 'POST'
  readonly endpoint: Endpoint
  readonly endpointText: string
  /** Of a POST. */
  readonly body: BodyTemplate | undefined
}

interface RequestEntry {
  readonly when_filters?: readonly string[]
  readonly method: 'GET' | 'POST'
  readonly endpoint?: string | undefined
  readonly body?: BodyConfig | undefined
}

type TableEntry = Pick<HttpTableConfig, 'endpoint' | 'method' | 'body' | 'requests' | 'params'>

/** The ways in the order in which they are tried. Answers the fault as text, with the entry it is in, where one is malformed. */
export function requestShapes(
  table: TableEntry,
): readonly RequestShape[] | { readonly fault: string; readonly at: readonly (string | number)[] } {
  const names = new Set(table.params.flatMap(slotNames))
  const entries: (readonly [RequestEntry, readonly (string | number)[]])[] = [
    ...(table.requests ?? []).map((entry, index) => [entry, ['requests', index]] as const),
    ...(table.endpoint === undefined ? [] : [[table, []] as const]),
  ]
  const shapes: RequestShape[] = []
  for (const [entry, at] of entries) {
    const shape = requestShape(entry, names)
    if (!('method' in shape)) return { fault: shape.fault, at: [...at, shape.key] }
    shapes.push(shape)
  }
  return shapes
}

/** Names under which a parameter's values stand in a request: its own, and those of its operators. */
export function slotNames(param: TableEntry['params'][number]): readonly string[] {
  return [...new Set([param.name, ...Object.values(param.emit ?? {})])]
}

/** Where the value of this name goes in this request; undefined: the request has no place for it. */
export function placeOf(
  shape: RequestShape,
  name: string,
  param: { readonly in?: TableEntry['params'][number]['in'] },
  isElsewhere: boolean,
): Place | undefined {
  if (pathParams(shape.endpoint).includes(name)) return 'path'
  if (queryParams(shape.endpoint).includes(name)) return 'endpoint-query'
  if (shape.body?.params.has(name) === true) return 'template'
  if (param.in === 'path') return undefined
  if (param.in === 'body') return shape.body === undefined ? undefined : 'body'
  // What stands in the path or the body of another request would mean something else as a parameter of the query.
  return param.in ?? (isElsewhere ? undefined : 'query')
}

function requestShape(
  entry: RequestEntry,
  names: ReadonlySet<string>,
): RequestShape | { readonly fault: string; readonly key: string } {
  const text = entry.endpoint ?? ''
  const endpoint = parseEndpoint(text)
  if (typeof endpoint === 'string') return { fault: endpoint, key: 'endpoint' }
  const body = entry.method === 'POST' ? parseBodyTemplate(entry.body ?? { kind: 'json' }, names) : undefined
  if (typeof body === 'string') return { fault: body, key: 'body' }
  return {
    whenFilters: entry.when_filters ?? [],
    method: entry.method,
    endpoint,
    endpointText: text,
    body,
  }
}
