import { z } from 'zod'
import { QuerentError } from '../errors/querent-error.js'
import { sanitizeText } from '../util/sanitize-text.js'
import { Secret } from '../util/secret.js'
import type { HttpAnswer, HttpClient } from './http-client.js'
import { waitFor } from './wait-for.js'

export interface OAuthTokensOptions {
  /** Asks the token endpoint and nothing else: its policy names that host alone. */
  readonly client: HttpClient
  readonly tokenUrl: URL
  readonly clientId: Secret
  readonly clientSecret: Secret
  readonly refreshToken?: Secret | undefined
  readonly scope?: string | undefined
  /** `basic`: the client's credentials in a header; `body`: in the form. */
  readonly clientAuth: 'basic' | 'body'
  /** Further fields of the form. */
  readonly params: Readonly<Record<string, string>>
  /** The source's name, for messages. */
  readonly subject: string
  readonly redact: (text: string) => string
}

/** Renewed this long before it ends, so that a request under way does not meet the end. */
const marginMs = 30_000
const defaultLifeMs = 3_600_000
/** Tokens still known for hiding them in messages. */
const maxKnown = 4

const tokenAnswer = z.object({
  access_token: z
    .string()
    .min(1)
    .regex(/^[\x21-\x7e]+$/),
  token_type: z
    .string()
    .regex(/^bearer$/i)
    .optional(),
  expires_in: z.coerce.number().positive().optional().catch(undefined),
  refresh_token: z.string().min(1).optional(),
})

interface Token {
  readonly secret: Secret
  readonly endsAtMs: number
}

/** Access tokens of OAuth 2 for one source: asked for when one is needed, once for all who wait. */
export class OAuthTokens {
  readonly #options: OAuthTokensOptions
  readonly #closed = new AbortController()
  readonly #known: Secret[] = []
  #refreshToken: Secret | undefined
  #token: Token | undefined
  #pending: Promise<Token> | undefined

  constructor(options: OAuthTokensOptions) {
    this.#options = options
    this.#refreshToken = options.refreshToken
  }

  /** A token that is not about to end. Rejects with the signal's reason, `net.*` or `source.token_refused`. */
  async current(signal: AbortSignal): Promise<Secret> {
    const token = this.#token
    if (token !== undefined && performance.now() < token.endsAtMs) return token.secret
    this.#pending ??= this.#fetch().finally(() => {
      this.#pending = undefined
    })
    return (await waitFor(this.#pending, signal)).secret
  }

  /** Forgets a token that was refused; another that came meanwhile stays. */
  discard(secret: Secret): void {
    if (this.#token?.secret === secret) this.#token = undefined
  }

  /** Every token that may stand in an answer, to be hidden there. */
  get known(): readonly Secret[] {
    return this.#known
  }

  async close(): Promise<void> {
    this.#closed.abort(new QuerentError('net.closed', { subject: this.#options.subject }))
    await this.#options.client.close()
  }

  async #fetch(): Promise<Token> {
    const { client, tokenUrl, clientAuth, clientId, clientSecret, subject } = this.#options
    const basic = [clientId, clientSecret].map((secret) => encodeURIComponent(secret.reveal())).join(':')
    const answer = await client.send(
      {
        method: 'POST',
        url: tokenUrl,
        headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
        boundHeaders: clientAuth === 'basic' ? { authorization: `Basic ${btoa(basic)}` } : {},
        boundBody: this.#form(),
        // A refresh token may be good for one use only.
        idempotent: this.#refreshToken === undefined,
      },
      { signal: this.#closed.signal, meter: unmetered, subject: `${subject}, request for a token` },
    )
    const token = this.#read(answer)
    this.#token = token
    return token
  }

  #form(): string {
    const { clientAuth, clientId, clientSecret, scope, params } = this.#options
    const refreshToken = this.#refreshToken
    const form = new URLSearchParams(params)
    form.set('grant_type', refreshToken === undefined ? 'client_credentials' : 'refresh_token')
    if (refreshToken !== undefined) form.set('refresh_token', refreshToken.reveal())
    if (scope !== undefined) form.set('scope', scope)
    if (clientAuth === 'body') {
      form.set('client_id', clientId.reveal())
      form.set('client_secret', clientSecret.reveal())
    }
    return form.toString()
  }

  #read({ status, body }: HttpAnswer): Token {
    const { subject } = this.#options
    const parsed = tokenAnswer.safeParse(parseJson(body.toString()))
    if (status !== 200 || !parsed.success) {
      const detail = status === 200 ? ' It holds no bearer token.' : this.#reason(body.toString())
      throw new QuerentError('source.token_refused', { subject, status, detail })
    }
    const { access_token: text, expires_in: seconds, refresh_token: next } = parsed.data
    const lifeMs = seconds === undefined ? defaultLifeMs : seconds * 1_000
    const secret = this.#remember(new Secret(text, 'an access token'))
    if (next !== undefined && this.#refreshToken !== undefined) {
      this.#refreshToken = this.#remember(new Secret(next, 'a refresh token'))
    }
    return { secret, endsAtMs: performance.now() + Math.max(lifeMs - marginMs, lifeMs / 2) }
  }

  /** RFC 6749, 5.2: `error` is a code of a fixed list; longer texts may repeat what was sent. */
  #reason(body: string): string {
    const parsed = z.object({ error: z.string() }).safeParse(parseJson(body))
    if (!parsed.success) return ''
    return ` It says: ${sanitizeText(this.#options.redact(parsed.data.error), 60)}`
  }

  #remember(secret: Secret): Secret {
    this.#known.push(secret)
    if (this.#known.length > maxKnown) this.#known.shift()
    return secret
  }
}

/** Shared by all queries, so counted for none. */
const unmetered = { request: () => undefined, received: () => undefined }

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
