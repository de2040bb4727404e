import { HostPolicy } from '../../net/host-policy.js'
import { HttpClient, type HttpClientOptions } from '../../net/http-client.js'
import { OAuthTokens } from '../../net/oauth-tokens.js'
import { redactor } from '../../util/redactor.js'
import { Secret } from '../../util/secret.js'
import type { AuthConfig } from './auth-config.js'
import type { HttpConfig } from './http-config.js'

type Pairs = readonly (readonly [name: string, value: string])[]

/** What one request proves with who asks; sent to the source's own origin only. */
export interface Credentials {
  readonly headers: Readonly<Record<string, string>>
  readonly query: Pairs
  readonly body: Pairs
}

/** The credentials of one source. */
export interface Authenticator {
  current(signal: AbortSignal): Promise<Credentials>
  /** Others after these were refused; undefined: there are none. */
  renewed(refused: Credentials, signal: AbortSignal): Promise<Credentials | undefined>
  /** Every secret in use, to be hidden in messages. */
  secrets(): readonly Secret[]
  close(): Promise<void>
}

/** @param clientOptions limits of the source, for a client of the token endpoint */
export function createAuthenticator(
  source: HttpConfig,
  clientOptions: Omit<HttpClientOptions, 'policy'>,
): Authenticator {
  const { token, auth } = source.config
  if (auth?.type === 'oauth2') return oauthAuthenticator(source.name, auth, clientOptions)
  const secrets = token === undefined ? secretsOf(auth) : [token]
  const bearer = token === undefined ? {} : { authorization: `Bearer ${token.reveal()}` }
  const credentials = auth === undefined ? { headers: bearer, query: [], body: [] } : staticCredentials(auth)
  return {
    current: () => Promise.resolve(credentials),
    renewed: () => Promise.resolve(undefined),
    secrets: () => secrets,
    close: () => Promise.resolve(),
  }
}

type StaticAuth = Exclude<AuthConfig, { readonly type: 'oauth2' }>

function staticCredentials(auth: StaticAuth): Credentials {
  switch (auth.type) {
    case 'header': {
      const headers = auth.headers.map(({ name, bearer, value }) => [
        name.toLowerCase(),
        bearer === undefined ? (value?.reveal() ?? '') : `Bearer ${bearer.reveal()}`,
      ])
      return { headers: Object.fromEntries(headers) as Record<string, string>, query: [], body: [] }
    }
    case 'basic':
      return { headers: { authorization: `Basic ${basicText(auth)}` }, query: [], body: [] }
    case 'custom': {
      const pairs = (given: typeof auth.query): Pairs => (given ?? []).map(({ name, value }) => [name, value.reveal()])
      return { headers: {}, query: pairs(auth.query), body: pairs(auth.body) }
    }
  }
}

function basicText({ username, password }: Extract<AuthConfig, { readonly type: 'basic' }>): string {
  return Buffer.from(`${username.reveal()}:${password?.reveal() ?? ''}`).toString('base64')
}

function secretsOf(auth: AuthConfig | undefined): readonly Secret[] {
  switch (auth?.type) {
    case undefined:
      return []
    case 'header':
      return auth.headers.flatMap(({ bearer, value }) => [bearer, value].filter((secret) => secret !== undefined))
    case 'basic': {
      const parts = [auth.username, auth.password].filter((secret) => secret !== undefined)
      return [...parts, new Secret(basicText(auth), 'basic credentials')]
    }
    case 'custom':
      return [...(auth.query ?? []), ...(auth.body ?? [])].map(({ value }) => value)
    case 'oauth2':
      return [auth.client_id, auth.client_secret, auth.refresh_token].filter((secret) => secret !== undefined)
  }
}

function oauthAuthenticator(
  name: string,
  auth: Extract<AuthConfig, { readonly type: 'oauth2' }>,
  clientOptions: Omit<HttpClientOptions, 'policy'>,
): Authenticator {
  const tokenUrl = new URL(auth.token_url)
  const fixed = secretsOf(auth)
  const tokens = new OAuthTokens({
    client: new HttpClient({ ...clientOptions, policy: new HostPolicy(tokenUrl) }),
    tokenUrl,
    clientId: auth.client_id,
    clientSecret: auth.client_secret,
    refreshToken: auth.refresh_token,
    scope: auth.scope,
    clientAuth: auth.client_auth,
    params: auth.params ?? {},
    subject: name,
    redact: redactor(fixed),
  })
  const used = new WeakMap<Credentials, Secret>()
  const current = async (signal: AbortSignal): Promise<Credentials> => {
    const secret = await tokens.current(signal)
    const credentials = { headers: { authorization: `Bearer ${secret.reveal()}` }, query: [], body: [] }
    used.set(credentials, secret)
    return credentials
  }
  return {
    current,
    renewed: async (refused, signal) => {
      const secret = used.get(refused)
      if (secret !== undefined) tokens.discard(secret)
      return await current(signal)
    },
    secrets: () => [...fixed, ...tokens.known],
    close: () => tokens.close(),
  }
}
