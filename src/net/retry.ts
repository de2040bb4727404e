export interface RetryPolicy {
  /** Attempts after the first. */
  readonly maxRetries: number
  readonly baseBackoffMs: number
  readonly maxBackoffMs: number
  /** A `Retry-After` beyond this is not waited for: the answer is an error at once. */
  readonly maxRetryAfterMs: number
}

export const defaultRetryPolicy: RetryPolicy = {
  maxRetries: 2,
  baseBackoffMs: 250,
  maxBackoffMs: 5_000,
  maxRetryAfterMs: 10_000,
}

/** Statuses of a passing fault. */
const retryableStatuses: ReadonlySet<number> = new Set([429, 502, 503, 504])

export function isRetryableStatus(status: number): boolean {
  return retryableStatuses.has(status)
}

/** Milliseconds that a `Retry-After` header asks for: seconds, or a date; undefined when it says nothing readable. */
export function parseRetryAfter(value: string | undefined, nowMs: number): number | undefined {
  const text = value?.trim() ?? ''
  if (/^\d{1,10}$/.test(text)) return Number(text) * 1_000
  if (!/^[A-Za-z]{3}/.test(text)) return undefined
  const time = Date.parse(text)
  return Number.isNaN(time) ? undefined : Math.max(0, time - nowMs)
}

/**
 * How long to wait before the next attempt, or undefined to give up. Exponential with full jitter, so that parallel
 * requests that failed together do not come back together.
 *
 * @param attempt attempts made so far, from 1
 */
export function backoffMs(
  policy: RetryPolicy,
  attempt: number,
  retryAfterMs: number | undefined,
  random: () => number = Math.random,
): number | undefined {
  if (attempt > policy.maxRetries) return undefined
  const ceiling = Math.min(policy.maxBackoffMs, policy.baseBackoffMs * 2 ** (attempt - 1))
  const jittered = Math.ceil(ceiling * random())
  if (retryAfterMs === undefined) return jittered
  return retryAfterMs > policy.maxRetryAfterMs ? undefined : retryAfterMs + Math.ceil(policy.baseBackoffMs * random())
}
