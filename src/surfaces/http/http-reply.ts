import type { ServerResponse } from 'node:http'
import type { QuerentError } from '../../errors/querent-error.js'
import { toErrorAnswer, toQuerentError } from '../../workspace/error-answer.js'

/** Sends a JSON body that no cache keeps. */
export function sendJson(response: ServerResponse, status: number, value: unknown): void {
  const body = JSON.stringify(value)
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  })
  response.end(body)
}

export interface ErrorReplyOptions {
  /** Wraps the answer in a JSON-RPC error, for clients of /mcp. */
  readonly jsonRpc?: boolean
  /** The path names a table, so an unknown one is 404. */
  readonly namesTable?: boolean
}

/** Sends an error as the tools answer it, with a status that fits. Nothing when the answer has begun. */
export function sendError(response: ServerResponse, error: unknown, options: ErrorReplyOptions = {}): void {
  if (response.headersSent || response.destroyed) {
    response.destroy()
    return
  }
  const known = toQuerentError(error)
  const status = statusOf(known, options.namesTable === true)
  if (status === 401) response.setHeader('www-authenticate', 'Bearer realm="querent"')
  if (status === 429) response.setHeader('retry-after', String(retryAfterSeconds(known)))
  if (status === 413) response.setHeader('connection', 'close')
  const answer = toErrorAnswer(known)
  const body =
    options.jsonRpc === true
      ? { jsonrpc: '2.0', id: null, error: { code: -32_000, message: answer.error, data: answer } }
      : answer
  sendJson(response, status, body)
}

const statusByCode: Readonly<Partial<Record<QuerentError['code'], number>>> = {
  'server.unauthorized': 401,
  'server.no_such_path': 404,
  'state.not_found': 404,
  'server.method_not_allowed': 405,
  'limit.timeout': 408,
  'server.body_too_large': 413,
  'server.content_type': 415,
  'server.busy': 429,
  'limit.cancelled': 499,
  'engine.restarted': 503,
}

const statusByCategory: Readonly<Record<QuerentError['category'], number>> = {
  user: 400,
  limit: 400,
  policy: 403,
  timeout: 408,
  external: 502,
  internal: 500,
}

function statusOf(error: QuerentError, namesTable: boolean): number {
  if (namesTable && error.code === 'catalog.unknown_table') return 404
  return statusByCode[error.code] ?? statusByCategory[error.category]
}

function retryAfterSeconds(error: QuerentError): number {
  const retryAfterMs = Number(error.params['retryAfterMs'])
  return Number.isFinite(retryAfterMs) ? Math.max(1, Math.ceil(retryAfterMs / 1000)) : 1
}
