import type { IncomingMessage, ServerResponse } from 'node:http'
import { toNodeHandler } from '@modelcontextprotocol/node'
import {
  createMcpHandler,
  isJsonContentType,
  isLegacyRequest,
  PARSE_ERROR,
  type McpHttpHandler,
} from '@modelcontextprotocol/server'
import type { Caller } from '../../model/caller.js'
import { localCaller } from '../../model/caller.js'
import { createServer, type ServerIdentity } from '../mcp/create-server.js'
import type { Offer } from '../mcp/offer.js'
import { McpSessions } from './mcp-sessions.js'
import { maxBodyBytes } from './read-json.js'

export interface McpEndpointOptions {
  readonly offer: Offer
  readonly identity: ServerIdentity
  readonly maxSessions: number
  readonly sessionIdleMs: number
  readonly onError: (error: Error) => void
}

/** MCP over Streamable HTTP in both eras: the newer one stateless, the older one in sessions. */
export class McpEndpoint {
  readonly #modern: McpHttpHandler
  readonly #sessions: McpSessions
  readonly #callers = new WeakMap<Request, Caller>()
  readonly #onError: (error: Error) => void

  constructor(options: McpEndpointOptions) {
    const { offer, identity, onError } = options
    this.#onError = onError
    this.#modern = createMcpHandler(
      ({ requestInfo }) => {
        const caller = (requestInfo === undefined ? undefined : this.#callers.get(requestInfo)) ?? localCaller
        return createServer(offer, { caller, surface: 'mcp-http' }, identity)
      },
      { legacy: 'reject', onerror: onError, maxRequestBodySize: maxBodyBytes },
    )
    this.#sessions = new McpSessions({
      createServer: (caller, session) => createServer(offer, { caller, surface: 'mcp-http', session }, identity),
      resumable: offer.resumable,
      maxSessions: options.maxSessions,
      idleMs: options.sessionIdleMs,
      onError,
    })
  }

  get sessions(): number {
    return this.#sessions.size
  }

  /** Answers one HTTP request of a known caller. */
  async serve(request: IncomingMessage, response: ServerResponse, caller: Caller): Promise<void> {
    const handler = toNodeHandler(
      { fetch: (webRequest) => this.#fetch(webRequest, caller) },
      { onerror: this.#onError, maxRequestBodySize: maxBodyBytes },
    )
    const { method = 'GET', url = '/' } = request
    await handler(Object.assign(request, { method, url }), response)
  }

  announceChange(): void {
    this.#modern.notify.toolsChanged()
    this.#modern.notify.promptsChanged()
    this.#modern.notify.resourcesChanged()
    this.#sessions.announceChange()
  }

  async close(): Promise<void> {
    await Promise.all([this.#modern.close(), this.#sessions.close()])
  }

  /** The body is parsed once, here, and handed to whoever serves the era. */
  async #fetch(request: Request, caller: Caller): Promise<Response> {
    if (request.method !== 'POST') return this.#sessions.serve(request, undefined, caller)
    if (!isJsonContentType(request.headers.get('content-type'))) {
      return rpcError(415, -32_000, 'Unsupported Media Type: Content-Type must be application/json')
    }
    let body: unknown
    try {
      body = JSON.parse(await request.text())
    } catch {
      return rpcError(400, PARSE_ERROR, 'Parse error: the body is not valid JSON')
    }
    if (await isLegacyRequest(request, body)) return this.#sessions.serve(request, body, caller)
    this.#callers.set(request, caller)
    return this.#modern.fetch(request, { parsedBody: body })
  }
}

function rpcError(status: number, code: number, message: string): Response {
  return Response.json({ jsonrpc: '2.0', id: null, error: { code, message } }, { status })
}
