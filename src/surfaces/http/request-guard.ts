import type { IncomingMessage, ServerResponse } from 'node:http'
import { validateHostHeader } from '@modelcontextprotocol/server'
import { QuerentError } from '../../errors/querent-error.js'
import { isLoopback, loopbackNames, urlHost } from './loopback.js'

export interface RequestGuardOptions {
  /** The address that the server listens on. */
  readonly host: string
  /** Further names by which clients may call the server: `name` on any port, `name:port` on that one. */
  readonly allowedHosts: readonly string[]
  /** Web origins, such as `https://app.example.com`, whose pages may call the server and read its answers. */
  readonly allowedOrigins: readonly string[]
}

/**
 * Refuses what a web page on a foreign site can send: a Host that is not this server (DNS rebinding) and an Origin that
 * is not allowed. Off loopback every request needs a token, which such a page lacks, so a Host is refused there only
 * where names were listed.
 */
export class RequestGuard {
  readonly #hosts: ReadonlySet<string> | undefined
  readonly #origins: ReadonlySet<string>
  readonly #onLoopback: boolean

  constructor(options: RequestGuardOptions) {
    this.#onLoopback = isLoopback(options.host)
    this.#origins = new Set(options.allowedOrigins.map((origin) => origin.toLowerCase()))
    const listed = options.allowedHosts.map((host) => host.toLowerCase())
    const own = this.#onLoopback ? [...loopbackNames, urlHost(options.host)] : [urlHost(options.host)]
    this.#hosts = this.#onLoopback || listed.length > 0 ? new Set([...own, ...listed]) : undefined
  }

  /** Throws `server.host_not_allowed` or `server.origin_not_allowed`. */
  check(request: IncomingMessage): void {
    const { host, origin } = request.headers
    if (this.#hosts !== undefined && !this.#hosts.has((host ?? '').toLowerCase()) && !this.#isNamed(host)) {
      throw new QuerentError('server.host_not_allowed')
    }
    if (origin !== undefined && !this.#isAllowed(origin, host)) throw new QuerentError('server.origin_not_allowed')
  }

  /** Lets the pages of a listed origin read the answer; other pages' browsers keep it from them. */
  addCorsHeaders(request: IncomingMessage, response: ServerResponse): void {
    const { origin } = request.headers
    response.setHeader('vary', 'Origin')
    if (origin === undefined || !this.#origins.has(origin.toLowerCase())) return
    response.setHeader('access-control-allow-origin', origin)
    response.setHeader('access-control-allow-methods', 'GET, POST, DELETE')
    response.setHeader('access-control-allow-headers', allowedHeaders)
    response.setHeader('access-control-expose-headers', 'Mcp-Session-Id, WWW-Authenticate, Retry-After')
    response.setHeader('access-control-max-age', '600')
  }

  #isNamed(host: string | undefined): boolean {
    return validateHostHeader(host, [...(this.#hosts ?? [])]).ok
  }

  #isAllowed(origin: string, host: string | undefined): boolean {
    if (this.#origins.has(origin.toLowerCase())) return true
    const url = URL.canParse(origin) ? new URL(origin) : undefined
    if (url === undefined) return false
    if (this.#onLoopback) return loopbackNames.includes(url.hostname)
    return host !== undefined && url.host === host.toLowerCase()
  }
}

const allowedHeaders = [
  'Authorization',
  'Content-Type',
  'Mcp-Session-Id',
  'Mcp-Protocol-Version',
  'Mcp-Method',
  'Mcp-Name',
  'Last-Event-ID',
].join(', ')
