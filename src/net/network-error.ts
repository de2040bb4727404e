import { QuerentError } from '../errors/querent-error.js'
import { blockedAddressCode } from './ssrf.js'

export interface FailureContext {
  /** Source or table and the number of the request. */
  readonly subject: string
  readonly host: string
  readonly connectTimeoutMs: number
}

/** Failures of a connection that another attempt may not meet. */
const passingCodes: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
  'UND_ERR_SOCKET',
  'UND_ERR_CONNECT_TIMEOUT',
])

export function isPassingFailure(error: unknown): boolean {
  return !(error instanceof QuerentError) && passingCodes.has(codeOf(error) ?? '')
}

/** Wraps what undici, the socket, TLS or the decoder threw. A QuerentError passes as it is. */
export function toNetworkError(error: unknown, context: FailureContext): QuerentError {
  if (error instanceof QuerentError) return error
  const { subject, host, connectTimeoutMs } = context
  const code = codeOf(error) ?? ''
  const options = { cause: error }
  if (code === blockedAddressCode) return new QuerentError('net.blocked_address', { subject, host }, options)
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return new QuerentError('net.dns', { subject, host }, options)
  if (code === 'UND_ERR_CONNECT_TIMEOUT') {
    const params = { subject, phase: `connection to ${host}`, timeoutMs: connectTimeoutMs }
    return new QuerentError('net.timeout', params, options)
  }
  if (isTlsCode(code)) return new QuerentError('net.tls', { subject, host, reason: code }, options)
  if (code.startsWith('Z_') || code.startsWith('ERR__ERROR') || code.startsWith('ERR_BROTLI')) {
    return new QuerentError('net.bad_encoding', { subject, reason: code }, options)
  }
  if (code.startsWith('HPE_') || code === 'UND_ERR_HEADERS_OVERFLOW') {
    return new QuerentError('net.protocol', { subject, reason: code }, options)
  }
  if (code === 'UND_ERR_DESTROYED' || code === 'UND_ERR_CLOSED')
    return new QuerentError('net.closed', { subject }, options)
  if (code === 'ECONNRESET' || code === 'EPIPE' || code.startsWith('UND_ERR_') || code === '') {
    return new QuerentError('net.connection_lost', { subject, reason: code === '' ? 'unknown' : code }, options)
  }
  return new QuerentError('net.connect', { subject, host, reason: code }, options)
}

function isTlsCode(code: string): boolean {
  return (
    /^(?:CERT_|ERR_TLS_|ERR_SSL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|CRL_|HOSTNAME_MISMATCH)/.test(code) ||
    code === 'EPROTO' ||
    code === 'INVALID_CA'
  )
}

/** Node tries several addresses of a name and reports all failures in one AggregateError. */
function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined
  if ('code' in error && typeof error.code === 'string') return error.code
  if (error instanceof AggregateError) return codeOf(error.errors[0])
  return 'cause' in error ? codeOf(error.cause) : undefined
}
