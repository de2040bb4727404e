import { randomUUID } from 'node:crypto'
import { isInitializeRequest, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server'
import type { Caller } from '../../model/caller.js'
import { announceChange } from '../mcp/announce-change.js'
import { followResponse } from './follow-response.js'
import type { Offer } from '../mcp/offer.js'
import type { ProtocolServer } from '../mcp/protocol-server.js'

export interface McpSessionsOptions {
  /** A server for one session; `session` names it to the workspace and is not the id that the client holds. */
  readonly createServer: (caller: Caller, session: string) => ProtocolServer
  readonly resumable: Offer['resumable']
  /** Most sessions at a time. A new one takes the place of the one that was idle longest. */
  readonly maxSessions: number
  /** A session without a request for this long ends. */
  readonly idleMs: number
  readonly onError: (error: Error) => void
}

interface Session {
  readonly callerId: string
  readonly transport: WebStandardStreamableHTTPServerTransport
  readonly server: ProtocolServer
  /** Requests and streams that are open. */
  open: number
  usedAtMs: number
}

const sweepMs = 60_000

/** The 2025-era clients over HTTP: each has a session, so that a cancellation or an answer finds its server again. */
export class McpSessions {
  readonly #options: McpSessionsOptions
  readonly #sessions = new Map<string, Session>()
  readonly #timer: NodeJS.Timeout

  constructor(options: McpSessionsOptions) {
    this.#options = options
    this.#timer = setInterval(
      () => {
        this.#endIdle()
      },
      Math.min(sweepMs, options.idleMs),
    )
    this.#timer.unref()
  }

  get size(): number {
    return this.#sessions.size
  }

  async serve(request: Request, body: unknown, caller: Caller): Promise<Response> {
    const id = request.headers.get('mcp-session-id')
    if (id !== null) {
      const session = this.#sessions.get(id)
      // Another caller's session is not there.
      if (session?.callerId !== caller.id)
        return rpcError(404, -32_001, 'Session not found: send initialize for a new one')
      return this.#forward(session, request, body)
    }
    if (!isInitializeRequest(body)) {
      return rpcError(400, -32_000, 'Bad Request: send initialize first, then its Mcp-Session-Id with each request')
    }
    if (!this.#makeRoom()) {
      return rpcError(503, -32_000, 'Too many sessions are open; try again later', { 'retry-after': '5' })
    }
    return this.#forward(await this.#open(caller), request, body)
  }

  announceChange(): void {
    for (const { server } of this.#sessions.values()) announceChange(server)
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await Promise.all([...this.#sessions.values()].map(({ transport }) => transport.close()))
  }

  async #open(caller: Caller): Promise<Session> {
    const id = randomUUID()
    const server = this.#options.createServer(caller, randomUUID())
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => id,
      ...this.#options.resumable,
    })
    const session: Session = { callerId: caller.id, transport, server, open: 0, usedAtMs: performance.now() }
    server.onclose = () => this.#sessions.delete(id)
    server.onerror = this.#options.onError
    await server.connect(transport)
    this.#sessions.set(id, session)
    return session
  }

  async #forward(session: Session, request: Request, body: unknown): Promise<Response> {
    session.open += 1
    session.usedAtMs = performance.now()
    const done = (): void => {
      session.open -= 1
      session.usedAtMs = performance.now()
    }
    try {
      const response = await session.transport.handleRequest(request, body === undefined ? {} : { parsedBody: body })
      return followResponse(response, request.signal, done)
    } catch (error) {
      done()
      throw error
    }
  }

  #makeRoom(): boolean {
    if (this.#sessions.size < this.#options.maxSessions) return true
    let oldest: Session | undefined
    for (const session of this.#sessions.values()) {
      if (session.open === 0 && session.usedAtMs < (oldest?.usedAtMs ?? Number.POSITIVE_INFINITY)) oldest = session
    }
    if (oldest === undefined) return false
    void oldest.transport.close()
    return true
  }

  #endIdle(): void {
    const before = performance.now() - this.#options.idleMs
    for (const session of this.#sessions.values()) {
      if (session.open === 0 && session.usedAtMs < before) void session.transport.close()
    }
  }
}

function rpcError(status: number, code: number, message: string, headers: Record<string, string> = {}): Response {
  return Response.json({ jsonrpc: '2.0', id: null, error: { code, message } }, { status, headers })
}
