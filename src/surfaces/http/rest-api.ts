import { createReadStream } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import { QuerentError } from '../../errors/querent-error.js'
import type { Caller } from '../../model/caller.js'
import type { CallContext, FetchResultRequest, Workspace } from '../../workspace/workspace.js'
import { fitPage, searchTables } from '../mcp/fit-pages.js'
import { parseArguments } from '../mcp/parse-arguments.js'
import { toTableAnswer } from '../mcp/table-answer.js'
import { explainQueryInput, fetchResultInput, queryInput, searchTablesInput } from '../mcp/tool-inputs.js'
import { sendJson } from './http-reply.js'
import { readJson } from './read-json.js'

/** A request of a known caller. */
export interface RestRequest {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly url: URL
  readonly caller: Caller
}

interface Route {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** As `GET /v1/tables/{name}` writes it; each placeholder is one segment. */
  readonly path: string
  readonly run: (workspace: Workspace, request: RestRequest, call: CallContext, segment: string) => Promise<void>
}

const routes: readonly Route[] = [
  { method: 'POST', path: '/v1/query', run: query },
  { method: 'POST', path: '/v1/explain', run: explain },
  { method: 'GET', path: '/v1/tables', run: listTables },
  { method: 'GET', path: '/v1/tables/{name}', run: describeTable },
  { method: 'GET', path: '/v1/results/{id}', run: fetchResult },
  { method: 'DELETE', path: '/v1/queries/{id}', run: cancelQuery },
]

/** The paths of the API, for messages. */
export const restPaths: readonly string[] = routes.map((route) => `${route.method} ${route.path}`)

/** The route's path for metrics, or undefined where the API has none. */
export function restRouteOf(pathname: string): string | undefined {
  return routes.find((route) => match(route.path, pathname) !== undefined)?.path
}

/** Answers a request under /v1. What it throws is for `sendError`. */
export async function serveRest(workspace: Workspace, rest: RestRequest): Promise<void> {
  const { request, response, url } = rest
  const matching = routes.filter((route) => match(route.path, url.pathname) !== undefined)
  if (matching.length === 0) throw new QuerentError('server.no_such_path', { paths: restPaths.join(', ') })
  const route = matching.find((candidate) => candidate.method === request.method)
  if (route === undefined) {
    const allowed = matching.map((candidate) => candidate.method).join(', ')
    response.setHeader('allow', allowed)
    throw new QuerentError('server.method_not_allowed', { method: request.method, allowed })
  }
  const controller = new AbortController()
  response.once('close', () => {
    if (!response.writableFinished) controller.abort()
  })
  const call: CallContext = { caller: rest.caller, surface: 'http', signal: controller.signal }
  await route.run(workspace, rest, call, match(route.path, url.pathname) ?? '')
}

/** The segment that the placeholder stands for, empty where the path has none; undefined where it does not match. */
function match(path: string, pathname: string): string | undefined {
  const open = path.indexOf('{')
  if (open === -1) return path === pathname ? '' : undefined
  const prefix = path.slice(0, open)
  const segment = pathname.startsWith(prefix) ? pathname.slice(prefix.length) : ''
  if (segment === '' || segment.includes('/')) return undefined
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}

async function query(workspace: Workspace, { request, response }: RestRequest, call: CallContext): Promise<void> {
  const args = parseArguments(queryInput, await readJson(request), 'POST /v1/query')
  sendJson(response, 200, await workspace.query(args, call))
}

async function explain(workspace: Workspace, { request, response }: RestRequest, call: CallContext): Promise<void> {
  const args = parseArguments(explainQueryInput, await readJson(request), 'POST /v1/explain')
  sendJson(response, 200, await workspace.explain(args, call))
}

const tablesQuery = searchTablesInput.extend({ limit: z.coerce.number().int().min(1).max(200).exactOptional() })

async function listTables(workspace: Workspace, { response, url }: RestRequest, call: CallContext): Promise<void> {
  const args = parseArguments(tablesQuery, parametersOf(url), 'GET /v1/tables')
  const search = { ...args, detail: args.detail ?? ('summary' as const) }
  const find = (narrowed: typeof search): ReturnType<Workspace['tables']> => workspace.tables(narrowed, call)
  sendJson(
    response,
    200,
    await searchTables(search, (narrowed) => find({ ...search, ...narrowed }), Number.POSITIVE_INFINITY),
  )
}

async function describeTable(
  workspace: Workspace,
  { response }: RestRequest,
  call: CallContext,
  table: string,
): Promise<void> {
  sendJson(response, 200, toTableAnswer(await workspace.describe({ table }, call)))
}

const resultQuery = fetchResultInput.omit({ result: true }).extend({
  offset: z.coerce.number().int().min(0).exactOptional(),
  limit: z.coerce.number().int().min(1).exactOptional(),
})

async function fetchResult(
  workspace: Workspace,
  { response, url }: RestRequest,
  call: CallContext,
  result: string,
): Promise<void> {
  const args = parseArguments(resultQuery, parametersOf(url), 'GET /v1/results/{id}')
  const wanted: FetchResultRequest = { ...args, result }
  const page = await workspace.fetchResult(wanted, call)
  if (page.file === undefined) {
    sendJson(response, 200, fitPage(page, Number.POSITIVE_INFINITY))
    return
  }
  await download(response, page.file, `result.${args.format ?? 'json'}`, call.signal)
}

/** A client that reads nothing for this long is dropped. */
const stalledMs = 60_000

async function download(
  response: ServerResponse,
  file: { readonly path: string; readonly bytes: number; readonly mimeType: string },
  name: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  response.setTimeout(stalledMs, () => response.destroy())
  response.writeHead(200, {
    'content-type': file.mimeType,
    'content-length': file.bytes,
    'content-disposition': `attachment; filename="${name}"`,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  })
  await pipeline(createReadStream(file.path), response, signal === undefined ? {} : { signal })
}

function cancelQuery(
  workspace: Workspace,
  { response }: RestRequest,
  call: CallContext,
  queryId: string,
): Promise<void> {
  if (!workspace.cancel(queryId, call))
    throw new QuerentError('state.not_found', { thing: 'running query', id: queryId })
  sendJson(response, 200, { cancelled: true, queryId })
  return Promise.resolve()
}

/** A parameter that is given twice is refused by the schema: it stands as a list. */
function parametersOf(url: URL): Record<string, unknown> {
  const parameters: Record<string, unknown> = {}
  for (const name of new Set(url.searchParams.keys())) {
    const values = url.searchParams.getAll(name)
    parameters[name] = values.length === 1 ? values[0] : values
  }
  return parameters
}
