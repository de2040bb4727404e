import type { ErrorCode } from '../../errors/catalogue.js'
import { QuerentError } from '../../errors/querent-error.js'
import type { HttpAnswer } from '../../net/http-client.js'

export interface StatusContext {
  /** The table and the number of the request. */
  readonly subject: string
  /** Names of the parameters, for hints. */
  readonly parameters: string
  /** What the API says, as `apiMessage` gives it. */
  readonly detail: string
}

/** The error for a status that does not stand for rows. */
export function statusError(answer: HttpAnswer, context: StatusContext): QuerentError {
  const { status } = answer
  const seconds = answer.retryAfterMs === undefined ? undefined : Math.ceil(answer.retryAfterMs / 1_000)
  const wait = seconds === undefined ? '' : `; it asks to wait ${seconds} s`
  return new QuerentError(codeFor(answer), { ...context, status, wait })
}

function codeFor(answer: HttpAnswer): ErrorCode {
  const { status } = answer
  if (status === 401 || status === 407) return 'source.unauthorized'
  // Several APIs, GitHub's among them, answer 403 when a quota is used up.
  if (answer.isRateLimited || (status === 403 && isQuotaUsedUp(answer))) return 'source.rate_limited'
  if (status === 403) return 'source.forbidden'
  if (status === 404 || status === 410) return 'source.not_found'
  if (status >= 500) return 'source.server_error'
  return status >= 400 ? 'source.bad_request' : 'source.unexpected_status'
}

function isQuotaUsedUp(answer: HttpAnswer): boolean {
  return answer.retryAfterMs !== undefined || answer.headers['x-ratelimit-remaining'] === '0'
}
