import { setTimeout as sleep } from 'node:timers/promises'
import { QuerentError } from '../errors/querent-error.js'

export interface RateLimit {
  readonly requestsPerSecond?: number | undefined
  /** Header with the requests that are left; lower case. */
  readonly remainingHeader?: string | undefined
  /** Header with the time when they are renewed; lower case. */
  readonly resetHeader?: string | undefined
  /** Statuses that mean too many requests, beside 429. */
  readonly extraStatuses: readonly number[]
  /** A longer wait is not made: the request fails at once. */
  readonly maxWaitMs: number
}

/** A reset beyond this is not believed. */
const maxResetMs = 3_600_000

/** The pace of one source: every request passes here, whichever scan it is for. */
export class RateLimiter {
  readonly #limit: RateLimit
  readonly #intervalMs: number
  /** When the next request may go; of `performance.now`. */
  #nextAtMs = 0
  #blockedUntilMs = 0

  constructor(limit: RateLimit) {
    this.#limit = limit
    this.#intervalMs = limit.requestsPerSecond === undefined ? 0 : 1_000 / limit.requestsPerSecond
  }

  /** Waits for this request's turn. Rejects with the signal's reason, or `source.quota_used_up` for a long wait. */
  async turn(signal: AbortSignal, subject: string): Promise<void> {
    for (;;) {
      const waitMs = this.#blockedUntilMs - performance.now()
      if (waitMs <= 0) break
      if (waitMs > this.#limit.maxWaitMs) {
        throw new QuerentError('source.quota_used_up', { subject, seconds: Math.ceil(waitMs / 1_000) })
      }
      await pause(waitMs, signal)
    }
    if (this.#intervalMs === 0) return
    const now = performance.now()
    const atMs = Math.max(now, this.#nextAtMs)
    this.#nextAtMs = atMs + this.#intervalMs
    if (atMs > now) await pause(atMs - now, signal)
  }

  isLimited(status: number): boolean {
    return status === 429 || this.#limit.extraStatuses.includes(status)
  }

  /** Learns from an answer when the source takes requests again. */
  note(status: number, headers: Readonly<Record<string, string>>, retryAfterMs: number | undefined): void {
    const { remainingHeader, resetHeader } = this.#limit
    // One answer that asks for a day must not close the source for a day: then each query hears it anew.
    if (this.isLimited(status) && retryAfterMs !== undefined && retryAfterMs <= this.#limit.maxWaitMs) {
      this.#block(retryAfterMs)
    }
    const remaining = remainingHeader === undefined ? '' : (headers[remainingHeader]?.trim() ?? '')
    if (!/^-?\d+(?:\.\d+)?$/.test(remaining) || Number(remaining) > 0 || resetHeader === undefined) return
    const resetMs = parseReset(headers[resetHeader], Date.now())
    if (resetMs !== undefined) this.#block(Math.min(resetMs, maxResetMs))
  }

  #block(ms: number): void {
    this.#blockedUntilMs = Math.max(this.#blockedUntilMs, performance.now() + ms)
  }
}

/**
 * Milliseconds until a quota is renewed: a header holds seconds from now, seconds or milliseconds since 1970, or a date.
 * undefined when it says nothing readable.
 */
export function parseReset(value: string | undefined, nowMs: number): number | undefined {
  const text = value?.trim() ?? ''
  if (/^\d{1,16}(?:\.\d+)?$/.test(text)) {
    const number = Number(text)
    if (number < 1e9) return number * 1_000
    return Math.max(0, (number < 1e11 ? number * 1_000 : number) - nowMs)
  }
  const time = /^(?:[A-Za-z]{3}|\d{4}-)/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(time) ? undefined : Math.max(0, time - nowMs)
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => {
    signal.throwIfAborted()
  })
}
