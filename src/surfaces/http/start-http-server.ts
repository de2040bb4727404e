import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { QuerentError } from '../../errors/querent-error.js'
import type { NamedToken } from '../../identity/token-table.js'
import type { Workspace } from '../../workspace/workspace.js'
import { instructionsOf } from '../mcp/instructions.js'
import type { ExtendOffer } from '../mcp/offer.js'
import { workspaceOffer } from '../mcp/workspace-offer.js'
import { authenticator } from './authenticate.js'
import { sendError, sendJson } from './http-reply.js'
import { isLoopback, urlHost } from './loopback.js'
import { McpEndpoint } from './mcp-endpoint.js'
import { openMetrics, type Metrics } from './metrics.js'
import { RequestGuard } from './request-guard.js'
import { restPaths, restRouteOf, serveRest } from './rest-api.js'

export interface HttpServerOptions {
  readonly workspace: Workspace
  /** Querent's version, as clients see it. */
  readonly version: string
  /** Default 127.0.0.1. Another address than loopback needs tokens. */
  readonly host?: string
  /** 0 takes a free one. */
  readonly port: number
  readonly tokens?: readonly NamedToken[]
  /** Names by which clients may call besides the address, with or without a port. */
  readonly allowedHosts?: readonly string[]
  /** Web origins whose pages may call. */
  readonly allowedOrigins?: readonly string[]
  /** Serve /metrics. Default false. */
  readonly metrics?: boolean
  /** `query` may write. Default false. */
  readonly readWrite?: boolean
  /** Longest text block of a tool's answer. Default 50,000. */
  readonly maxChars?: number
  /** Most sessions of 2025-era MCP clients. Default 256. */
  readonly maxSessions?: number
  /** Such a session without a request for this long ends. Default 30 minutes. */
  readonly sessionIdleMs?: number
  /** Faults of connections, for the log. */
  readonly onError?: (error: Error) => void
  readonly extend?: ExtendOffer
}

export interface HttpServer {
  /** Such as `http://127.0.0.1:8080`. */
  readonly url: string
  readonly port: number
  /** Takes no more requests, cancels what runs after the grace, and resolves when all connections are closed. */
  close(graceMs?: number): Promise<void>
}

/**
 * Serves MCP at /mcp and the HTTP API at /v1. Rejects with `server.token_required` off loopback without tokens, and
 * with `server.listen_failed`.
 */
export async function startHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const host = options.host ?? '127.0.0.1'
  const tokens = options.tokens ?? []
  if (!isLoopback(host) && tokens.length === 0) throw new QuerentError('server.token_required', { host })
  const handler = await HttpHandler.open(options, host, tokens)
  const server = createServer(
    { headersTimeout: 10_000, requestTimeout: 30_000, keepAliveTimeout: 5_000, connectionsCheckingInterval: 2_000 },
    (request, response) => void handler.serve(request, response),
  )
  server.maxConnections = 2_000
  try {
    await listen(server, host, options.port)
  } catch (error) {
    await handler.close()
    throw error
  }
  const { port } = server.address() as AddressInfo
  return { url: `http://${urlHost(host)}:${port}`, port, close: (graceMs) => close(server, handler, graceMs ?? 2_000) }
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const reason = error.code ?? error.name
      reject(new QuerentError('server.listen_failed', { host, port, reason }, { cause: error }))
    })
    server.listen(port, host, resolve)
  })
}

/** Lets answers in flight finish within the grace; ends streams and what still runs after it. */
async function close(server: Server, handler: HttpHandler, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) =>
    server.close(() => {
      resolve()
    }),
  )
  server.closeIdleConnections()
  await handler.close(graceMs)
  server.closeIdleConnections()
  const timer = setTimeout(() => {
    server.closeAllConnections()
  }, graceMs)
  await closed
  clearTimeout(timer)
}

class HttpHandler {
  readonly #guard: RequestGuard
  readonly #authenticate: ReturnType<typeof authenticator>
  readonly #mcp: McpEndpoint
  readonly #workspace: Workspace
  readonly #metrics: Metrics | undefined
  readonly #version: string
  readonly #stopListening: () => void
  #open = 0
  #drained: (() => void) | undefined

  static async open(options: HttpServerOptions, host: string, tokens: readonly NamedToken[]): Promise<HttpHandler> {
    let sessions = (): number => 0
    const metrics = options.metrics === true ? await openMetrics(() => sessions()) : undefined
    const handler = new HttpHandler(options, host, tokens, metrics)
    sessions = () => handler.#mcp.sessions
    return handler
  }

  private constructor(
    options: HttpServerOptions,
    host: string,
    tokens: readonly NamedToken[],
    metrics: Metrics | undefined,
  ) {
    const { version, extend } = options
    this.#metrics = metrics
    this.#version = version
    this.#workspace = metrics === undefined ? options.workspace : metrics.measure(options.workspace)
    this.#authenticate = authenticator(tokens)
    this.#guard = new RequestGuard({
      host,
      allowedHosts: options.allowedHosts ?? [],
      allowedOrigins: options.allowedOrigins ?? [],
    })
    const own = workspaceOffer(this.#workspace, {
      readWrite: options.readWrite ?? false,
      maxChars: options.maxChars ?? 50_000,
    })
    this.#mcp = new McpEndpoint({
      offer: extend === undefined ? own : extend(own),
      identity: { name: 'querent', version, instructions: instructionsOf(this.#workspace) },
      maxSessions: options.maxSessions ?? 256,
      sessionIdleMs: options.sessionIdleMs ?? 30 * 60_000,
      onError: options.onError ?? (() => undefined),
    })
    this.#stopListening = options.workspace.onChanged(() => {
      this.#mcp.announceChange()
    })
  }

  /** Never rejects: what fails is answered. */
  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const startedAtMs = performance.now()
    const url = targetOf(request)
    this.#open += 1
    response.once('close', () => {
      this.#open -= 1
      if (this.#open === 0) this.#drained?.()
      this.#metrics?.countRequest({
        method: request.method ?? '',
        route: routeOf(url.pathname),
        status: response.statusCode,
        seconds: (performance.now() - startedAtMs) / 1000,
      })
    })
    try {
      await this.#route(request, response, url)
    } catch (error) {
      const jsonRpc = url.pathname === '/mcp'
      sendError(response, error, { jsonRpc, namesTable: url.pathname.startsWith('/v1/tables/') })
    }
  }

  async #route(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
    this.#guard.check(request)
    this.#guard.addCorsHeaders(request, response)
    if (request.method === 'OPTIONS') {
      response.writeHead(204).end()
      return
    }
    if (url.pathname === '/healthz') {
      requireGet(request, response)
      sendJson(response, 200, { status: 'ok', version: this.#version })
      return
    }
    const caller = this.#authenticate(request.headers.authorization)
    if (url.pathname === '/mcp') {
      await this.#mcp.serve(request, response, caller)
      return
    }
    if (url.pathname === '/metrics' && this.#metrics !== undefined) {
      requireGet(request, response)
      const text = await this.#metrics.text()
      response.writeHead(200, { 'content-type': this.#metrics.contentType, 'cache-control': 'no-store' }).end(text)
      return
    }
    if (!url.pathname.startsWith('/v1/')) {
      throw new QuerentError('server.no_such_path', { paths: ['/mcp', ...restPaths, '/healthz'].join(', ') })
    }
    await serveRest(this.#workspace, { request, response, url, caller })
  }

  /** Ends the MCP connections; REST requests get the grace. */
  async close(graceMs = 0): Promise<void> {
    this.#stopListening()
    const drained = new Promise<void>((resolve) => {
      this.#drained = resolve
      if (this.#open === 0) resolve()
    })
    const timer = new Promise<void>((resolve) => setTimeout(resolve, graceMs).unref())
    await Promise.race([drained, timer])
    await this.#mcp.close()
  }
}

/** The path and query of a request; a target in another form, such as a proxy's, leads nowhere. */
function targetOf(request: IncomingMessage): URL {
  const target = request.url ?? ''
  const url = `http://server.invalid${target}`
  return new URL(target.startsWith('/') && URL.canParse(url) ? url : 'http://server.invalid/')
}

function requireGet(request: IncomingMessage, response: ServerResponse): void {
  if (request.method === 'GET' || request.method === 'HEAD') return
  response.setHeader('allow', 'GET')
  throw new QuerentError('server.method_not_allowed', { method: request.method, allowed: 'GET' })
}

function routeOf(pathname: string): string {
  if (pathname === '/mcp' || pathname === '/healthz' || pathname === '/metrics') return pathname
  return restRouteOf(pathname) ?? 'other'
}
