import {
  isInputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  type ListResourcesResult,
  type ServerContext,
  type ServerOptions,
} from '@modelcontextprotocol/server'
import type { Caller, Surface } from '../../model/caller.js'
import type { CallContext } from '../../workspace/workspace.js'
import { toErrorAnswer, toQuerentError } from '../../workspace/error-answer.js'
import type { Completion, McpRequest, Offer, TemplateEntry } from './offer.js'
import { progressSender } from './progress.js'
import { failure } from './tool-result.js'
import { ProtocolServer } from './protocol-server.js'

/** Who is behind a connection, and the door it came through. */
export interface Door {
  readonly caller: Caller
  readonly surface: Surface
  readonly session?: string
}

export interface ServerIdentity {
  readonly name: string
  readonly version: string
  readonly instructions: string
}

/** Answers of lists may be reused this long; a change of the catalog is announced to those who listen. */
const listTtlMs = 60_000

/** One protocol server over an offer, for either era. Cheap: everything it shows was built with the offer. */
export function createServer(offer: Offer, door: Door, identity: ServerIdentity): ProtocolServer {
  const server = new ProtocolServer(
    { name: identity.name, title: 'Querent', version: identity.version },
    serverOptions(offer, identity),
  )
  const requestOf = (protocol: ServerContext): McpRequest => ({ protocol, call: callContext(door, protocol) })
  serveTools(server, offer, requestOf)
  servePrompts(server, offer, requestOf)
  serveResources(server, offer, requestOf)
  serveCompletion(server, offer, requestOf)
  offer.setUp?.(server)
  return server
}

type RequestOf = (protocol: ServerContext) => McpRequest

function serverOptions(offer: Offer, identity: ServerIdentity): ServerOptions {
  const list = { ttlMs: listTtlMs, cacheScope: 'private' as const }
  return {
    ...offer.options,
    capabilities: {
      tools: { listChanged: true },
      prompts: { listChanged: true },
      resources: { listChanged: true },
      completions: {},
      ...offer.options?.capabilities,
    },
    instructions: identity.instructions,
    cacheHints: {
      'server/discover': list,
      'tools/list': list,
      'prompts/list': list,
      'resources/list': list,
      'resources/templates/list': list,
    },
  }
}

function callContext(door: Door, protocol: ServerContext): CallContext {
  const onProgress = progressSender(protocol)
  return {
    ...door,
    signal: requestSignal(protocol),
    ...(onProgress === undefined ? {} : { onProgress }),
  }
}

/** Ends with the request's cancellation, and over HTTP with the client's connection: nobody else can read the answer. */
function requestSignal(protocol: ServerContext): AbortSignal {
  const http = protocol.http?.req?.signal
  return http === undefined ? protocol.mcpReq.signal : AbortSignal.any([protocol.mcpReq.signal, http])
}

function serveTools(server: ProtocolServer, offer: Offer, requestOf: RequestOf): void {
  const byName = new Map(offer.tools.map((tool) => [tool.definition.name, tool]))
  const tools = offer.tools.map((tool) => tool.definition)
  server.setRequestHandler('tools/list', () => ({ tools }))
  server.setRequestHandler('tools/call', async ({ params }, protocol) => {
    const tool = byName.get(params.name)
    if (tool === undefined) throw unknown('tool', params.name, byName.keys())
    try {
      const result = await tool.call(params.arguments ?? {}, requestOf(protocol))
      if (isInputRequiredResult(result)) return result
      return server.projectCallToolResult(result, tool.definition.outputSchema)
    } catch (error) {
      if (error instanceof ProtocolError) throw error
      return failure(error)
    }
  })
}

function servePrompts(server: ProtocolServer, offer: Offer, requestOf: RequestOf): void {
  const byName = new Map(offer.prompts.map((prompt) => [prompt.definition.name, prompt]))
  const prompts = offer.prompts.map((prompt) => prompt.definition)
  server.setRequestHandler('prompts/list', () => ({ prompts }))
  server.setRequestHandler('prompts/get', async ({ params }, protocol) => {
    const prompt = byName.get(params.name)
    if (prompt === undefined) throw unknown('prompt', params.name, byName.keys())
    return asProtocolError(() => prompt.get(params.arguments ?? {}, requestOf(protocol)))
  })
}

function serveResources(server: ProtocolServer, offer: Offer, requestOf: RequestOf): void {
  const byUri = new Map(offer.resources.map((resource) => [resource.definition.uri, resource]))
  const resourceTemplates = offer.templates.map((template) => template.definition)
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates }))
  server.setRequestHandler('resources/list', ({ params }, protocol) =>
    asProtocolError(() => listResources(offer, params?.cursor, requestOf(protocol))),
  )
  server.setRequestHandler('resources/read', async ({ params }, protocol) => {
    const { uri } = params
    const request = requestOf(protocol)
    const resource = byUri.get(uri)
    if (resource !== undefined) return asProtocolError(() => resource.read(request))
    for (const template of offer.templates) {
      const variables = template.match(uri)
      if (variables !== undefined) return asProtocolError(() => template.read(uri, variables, request))
    }
    throw new ResourceNotFoundError(uri)
  })
}

/** Plain resources on the first page, then the templates' own pages, one after the other. */
async function listResources(
  offer: Offer,
  cursor: string | undefined,
  request: McpRequest,
): Promise<ListResourcesResult> {
  const listed = offer.templates.filter((template) => template.list !== undefined)
  const position = parseCursor(cursor, listed.length)
  const template = listed[position.template]
  const own = cursor === undefined ? offer.resources.map((resource) => resource.definition) : []
  if (template?.list === undefined) return { resources: own }
  const page = await template.list(position.cursor, request)
  const next = nextCursor(position.template, page.nextCursor, listed)
  return { resources: [...own, ...page.resources], ...(next === undefined ? {} : { nextCursor: next }) }
}

function nextCursor(
  template: number,
  cursor: string | undefined,
  listed: readonly TemplateEntry[],
): string | undefined {
  if (cursor !== undefined) return `${template}.${cursor}`
  return template + 1 < listed.length ? `${template + 1}.` : undefined
}

function parseCursor(
  cursor: string | undefined,
  templates: number,
): { readonly template: number; readonly cursor?: string } {
  if (cursor === undefined) return { template: 0 }
  const match = /^(\d{1,3})\.(.*)$/s.exec(cursor)
  const template = Number(match?.[1])
  if (match === null || template >= templates) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'This cursor was not answered by resources/list')
  }
  return match[2] === undefined || match[2] === '' ? { template } : { template, cursor: match[2] }
}

function serveCompletion(server: ProtocolServer, offer: Offer, requestOf: RequestOf): void {
  server.setRequestHandler('completion/complete', async ({ params }, protocol) => {
    const { ref, argument } = params
    const request = requestOf(protocol)
    if (ref.type === 'ref/prompt') {
      const prompt = offer.prompts.find((entry) => entry.definition.name === ref.name)
      if (prompt === undefined)
        throw unknown(
          'prompt',
          ref.name,
          offer.prompts.map((entry) => entry.definition.name),
        )
      return { completion: (await prompt.complete?.(argument.name, argument.value, request)) ?? nothing() }
    }
    const template = offer.templates.find((entry) => entry.definition.uriTemplate === ref.uri)
    if (template === undefined)
      throw unknown(
        'resource template',
        ref.uri,
        offer.templates.map((entry) => entry.definition.uriTemplate),
      )
    return { completion: (await template.complete?.(argument.name, argument.value, request)) ?? nothing() }
  })
}

function nothing(): Completion {
  return { values: [], total: 0, hasMore: false }
}

function unknown(thing: string, name: string, names: Iterable<string>): ProtocolError {
  return new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `There is no ${thing} ${name}. There are: ${[...names].join(', ')}`,
  )
}

/** What fails outside of a tool is a JSON-RPC error; its `data` is the JSON that a tool would answer. */
async function asProtocolError<Value>(run: () => Promise<Value>): Promise<Value> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof ProtocolError) throw error
    const { category } = toQuerentError(error)
    const data = toErrorAnswer(error)
    const code =
      category === 'internal' || category === 'external'
        ? ProtocolErrorCode.InternalError
        : ProtocolErrorCode.InvalidParams
    throw new ProtocolError(code, data.hint === undefined ? data.error : `${data.error} ${data.hint}`, data)
  }
}
