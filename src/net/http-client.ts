import type { LookupFunction } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Dispatcher } from 'undici'
import { QuerentError } from '../errors/querent-error.js'
import { withBoundQuery } from './bound-query.js'
import type { HostPolicy } from './host-policy.js'
import type { HttpAgent } from './http-agent.js'
import { isPassingFailure, toNetworkError } from './network-error.js'
import { RateLimiter, type RateLimit } from './rate-limiter.js'
import { readBody } from './read-body.js'
import { backoffMs, isRetryableStatus, parseRetryAfter, type RetryPolicy } from './retry.js'
import { Slots } from './slots.js'
import { userAgent } from './user-agent.js'

export interface HttpClientOptions {
  readonly policy: HostPolicy
  /** Requests in flight at once. */
  readonly concurrency: number
  readonly connectTimeoutMs: number
  /** For one attempt, from connecting to the end of the body. */
  readonly requestTimeoutMs: number
  readonly maxBodyBytes: number
  readonly retry: RetryPolicy
  /** The pace of the source; without it only its `Retry-After` holds requests back. */
  readonly rateLimit?: RateLimit | undefined
  /** Resolves names; the system's resolver by default. */
  readonly lookup?: LookupFunction
}

export interface HttpRequest {
  readonly method: 'GET' | 'POST'
  readonly url: URL
  /** For any host. */
  readonly headers?: Readonly<Record<string, string>>
  /** Credentials and what else is for the source alone: sent only to the origin of the base URL. */
  readonly boundHeaders?: Readonly<Record<string, string>>
  /** Query parameters that are credentials: added, or put in place of those of the name, for the base URL's origin only. */
  readonly boundQuery?: readonly (readonly [name: string, value: string])[]
  readonly body?: string
  /** Instead of `body` where credentials may go. */
  readonly boundBody?: string
  /** May be sent again after a failure. */
  readonly idempotent: boolean
}

/** Counts requests and bytes, and throws when a limit is passed. */
export interface RequestMeter {
  request(): void
  received(bytes: number): void
}

export interface HttpRun {
  readonly signal: AbortSignal
  readonly meter: RequestMeter
  /** What is asked, for messages: a table and the number of the request. */
  readonly subject: string
}

/** An answer with any status that is not a redirect. */
export interface HttpAnswer {
  readonly status: number
  /** Lower-case names; several headers of one name are joined with commas. */
  readonly headers: Readonly<Record<string, string>>
  /** Decoded; of an answer that is not 2xx, at most the first 64 KB. */
  readonly body: Buffer
  /** Where the answer came from, after redirects. */
  readonly url: URL
  /** The status means too many requests. */
  readonly isRateLimited: boolean
  /** What `Retry-After` asks for. */
  readonly retryAfterMs?: number
}

const maxRedirects = 5
const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])
const maxErrorBodyBytes = 64 * 1_024

/** The HTTP side of one source: its connections, its guard, its limits. */
export class HttpClient {
  readonly #options: HttpClientOptions
  readonly #slots: Slots
  readonly #limiter: RateLimiter
  #agent: Promise<HttpAgent> | undefined
  #isClosed = false

  constructor(options: HttpClientOptions) {
    this.#options = options
    this.#slots = new Slots(options.concurrency)
    this.#limiter = new RateLimiter(
      options.rateLimit ?? { extraStatuses: [], maxWaitMs: options.retry.maxRetryAfterMs },
    )
  }

  /**
   * Sends a request, follows redirects and tries again where that is safe. Rejects with the signal's reason, what the
   * meter threw, or a `net.*` error.
   */
  async send(request: HttpRequest, run: HttpRun): Promise<HttpAnswer> {
    const { retry } = this.#options
    for (let attempt = 1; ; attempt++) {
      let waitMs: number | undefined
      let outcome: { readonly answer: HttpAnswer } | { readonly error: unknown }
      try {
        const answer = await this.#attempt(request, run)
        outcome = { answer }
        if (isRetryableStatus(answer.status) || answer.isRateLimited) {
          waitMs = backoffMs(retry, attempt, answer.retryAfterMs)
        }
      } catch (error) {
        run.signal.throwIfAborted()
        outcome = { error: toNetworkError(error, this.#failureContext(request.url, run)) }
        if (isPassingFailure(error)) waitMs = backoffMs(retry, attempt, undefined)
      }
      if (waitMs === undefined || !request.idempotent) {
        if ('answer' in outcome) return outcome.answer
        throw outcome.error
      }
      await sleep(waitMs, undefined, { signal: run.signal }).catch(() => {
        run.signal.throwIfAborted()
      })
    }
  }

  /** Ends requests in flight. */
  async close(): Promise<void> {
    this.#isClosed = true
    await (await this.#agent)?.close()
  }

  async #attempt(request: HttpRequest, run: HttpRun): Promise<HttpAnswer> {
    const release = await this.#slots.take(run.signal)
    try {
      await this.#limiter.turn(run.signal, run.subject)
      return await this.#inTime(request, run)
    } finally {
      release()
    }
  }

  async #inTime(request: HttpRequest, run: HttpRun): Promise<HttpAnswer> {
    const deadline = new Deadline(run.signal, this.#options.requestTimeoutMs)
    try {
      return await this.#follow(request, run, deadline)
    } catch (error) {
      throw deadline.timeoutError(run.subject) ?? error
    } finally {
      deadline.clear()
    }
  }

  async #follow(request: HttpRequest, run: HttpRun, deadline: Deadline): Promise<HttpAnswer> {
    let { url } = request
    for (let hop = 0; ; hop++) {
      this.#checkHost(url, run)
      run.meter.request()
      const response = await this.#dispatch(url, request, run, deadline)
      if (!redirectStatuses.has(response.statusCode)) return await this.#receive(response, url, run, deadline)
      await response.body.dump({ limit: maxErrorBodyBytes, signal: deadline.signal })
      if (hop === maxRedirects)
        throw new QuerentError('net.too_many_redirects', { subject: run.subject, limit: maxRedirects })
      url = redirectTarget(response, request, url, run)
    }
  }

  #checkHost(url: URL, run: HttpRun): void {
    if (this.#options.policy.trustOf(url) === 'refused') {
      throw new QuerentError('net.host_refused', { subject: run.subject, host: `${url.protocol}//${url.host}` })
    }
  }

  async #dispatch(url: URL, request: HttpRequest, run: HttpRun, deadline: Deadline): Promise<Dispatcher.ResponseData> {
    deadline.phase = 'answer'
    const isBound = this.#options.policy.isCredentialOrigin(url)
    const bound = isBound ? request.boundHeaders : undefined
    const body = isBound ? (request.boundBody ?? request.body) : request.body
    // The library is loaded with the first request: a server that makes none starts without its hundred modules.
    this.#agent ??= import('./http-agent.js').then(({ openHttpAgent }) => openHttpAgent(this.#options))
    const agent = await this.#agent
    if (this.#isClosed) throw new QuerentError('net.closed', { subject: run.subject })
    return agent.request(isBound ? withBoundQuery(url, request.boundQuery ?? []) : url, {
      method: request.method,
      headers: { 'user-agent': userAgent, 'accept-encoding': 'gzip, br', ...request.headers, ...bound },
      signal: deadline.signal,
      ...(body === undefined ? {} : { body }),
    })
  }

  async #receive(response: Dispatcher.ResponseData, url: URL, run: HttpRun, deadline: Deadline): Promise<HttpAnswer> {
    deadline.phase = 'end of the answer'
    const { statusCode: status } = response
    const headers = joinHeaders(response.headers)
    const isSuccess = status >= 200 && status < 300
    const maxBytes = isSuccess ? this.#options.maxBodyBytes : maxErrorBodyBytes
    const outcome = await readBody(response.body, {
      encoding: headers['content-encoding'],
      maxBytes,
      onBytes: (bytes) => {
        run.meter.received(bytes)
      },
    })
    const { subject } = run
    if (outcome.kind === 'unknownEncoding') {
      throw new QuerentError('net.bad_encoding', { subject, reason: 'unknown Content-Encoding' })
    }
    if (outcome.kind === 'cut' && isSuccess) throw new QuerentError('net.body_too_large', { subject, maxBytes })
    const retryAfterMs = parseRetryAfter(headers['retry-after'], Date.now())
    this.#limiter.note(status, headers, retryAfterMs)
    const isRateLimited = this.#limiter.isLimited(status)
    return {
      status,
      headers,
      body: outcome.body,
      url,
      isRateLimited,
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    }
  }

  #failureContext(url: URL, run: HttpRun): { subject: string; host: string; connectTimeoutMs: number } {
    return { subject: run.subject, host: url.host, connectTimeoutMs: this.#options.connectTimeoutMs }
  }
}

/** Ends an attempt by the caller's signal or by time. Not AbortSignal.any: it keeps memory while its parents live. */
class Deadline {
  phase = 'answer'
  readonly #controller = new AbortController()
  readonly #parent: AbortSignal
  readonly #timer: NodeJS.Timeout
  readonly #timeoutMs: number
  #timedOut = false

  constructor(parent: AbortSignal, timeoutMs: number) {
    this.#parent = parent
    this.#timeoutMs = timeoutMs
    parent.addEventListener('abort', this.#aborted, { once: true })
    this.#timer = setTimeout(() => {
      this.#timedOut = true
      this.#controller.abort()
    }, timeoutMs)
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  timeoutError(subject: string): QuerentError | undefined {
    if (!this.#timedOut) return undefined
    return new QuerentError('net.timeout', { subject, phase: this.phase, timeoutMs: this.#timeoutMs })
  }

  clear(): void {
    clearTimeout(this.#timer)
    this.#parent.removeEventListener('abort', this.#aborted)
  }

  readonly #aborted = (): void => {
    this.#controller.abort(this.#parent.reason)
  }
}

function redirectTarget(response: Dispatcher.ResponseData, request: HttpRequest, from: URL, run: HttpRun): URL {
  const { subject } = run
  const status = response.statusCode
  if (request.method !== 'GET') {
    throw new QuerentError('net.redirect_invalid', { subject, status, reason: `a redirect of a ${request.method}` })
  }
  const location = joinHeaders(response.headers)['location']
  if (location === undefined || !URL.canParse(location, from.href)) {
    throw new QuerentError('net.redirect_invalid', { subject, status, reason: 'no address to go to' })
  }
  return new URL(location, from)
}

function joinHeaders(headers: Dispatcher.ResponseData['headers']): Record<string, string> {
  const joined: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) joined[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : value
  }
  return joined
}
