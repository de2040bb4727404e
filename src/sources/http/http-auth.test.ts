import { inspect } from 'node:util'
import { afterEach, describe, expect, test } from 'vitest'
import { startApiServer } from '../../../tests/support/api-server.js'
import { openHttpApi, type HttpApi } from '../../../tests/support/http-api.js'
import { QuerentError } from '../../errors/querent-error.js'

const secret = 'canary-b71d04'
const items = { name: 'items', endpoint: '/items', response: { schema: [{ name: 'id', type: 'bigint' }] } }
const cleanups: (() => unknown)[] = []

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

async function open(...args: Parameters<typeof openHttpApi>): Promise<HttpApi> {
  const api = await openHttpApi(...args)
  cleanups.push(() => api[Symbol.asyncDispose]())
  return api
}

function expectNoSecret(error: unknown, ...secrets: readonly string[]): void {
  const text = inspect(error, { depth: 20, showHidden: true })
  for (const hidden of [secret, Buffer.from(secret).toString('base64'), ...secrets]) expect(text).not.toContain(hidden)
}

describe('fixed credentials', () => {
  test('headers, bearer and as they are', async () => {
    const headers = [
      { name: 'X-Api-Key', value: secret },
      { name: 'Authorization', bearer: secret },
    ]
    const api = await open(() => [], { config: { auth: { type: 'header', headers } }, tables: [items] })
    await api.scan('items')
    expect(api.requests[0]?.headers).toMatchObject({ 'x-api-key': secret, authorization: `Bearer ${secret}` })
  })

  test('basic, also without a password', async () => {
    for (const password of [secret, undefined]) {
      const auth = { type: 'basic', username: 'me', ...(password === undefined ? {} : { password }) }
      const api = await open(() => [], { config: { auth }, tables: [items] })
      await api.scan('items')
      const expected = Buffer.from(`me:${password ?? ''}`).toString('base64')
      expect(api.requests[0]?.headers.authorization).toBe(`Basic ${expected}`)
    }
  })

  test('query parameters are sent once on every page, and never shown', async () => {
    const auth = { type: 'custom', query: [{ name: 'api key', value: secret }] }
    const api = await open(
      ({ url }, response) => {
        const page = Number(url.searchParams.get('page') ?? 1)
        // As APIs do that put the whole address into the next link, the key included.
        if (page < 3) response.setHeader('link', `<${url.pathname}?api%20key=${secret}&page=${page + 1}>; rel=next`)
        return [{ id: page }]
      },
      { config: { auth }, tables: [items] },
    )
    const plan = await api.plan('items')
    expectNoSecret(plan)
    await api.scan('items')
    expect(api.requests.map(({ url }) => url.searchParams.getAll('api key'))).toEqual([[secret], [secret], [secret]])
  })

  test('query and body credentials do not follow a link to another host', async () => {
    const seen: { url: string; body: string; headers: string }[] = []
    const other = await startApiServer((request, response) => {
      let body = ''
      request.on('data', (chunk: Buffer) => (body += chunk.toString()))
      request.on('end', () => {
        seen.push({ url: request.url ?? '', body, headers: JSON.stringify(request.headers) })
        response.setHeader('content-type', 'application/json')
        response.end('[]')
      })
    })
    cleanups.push(() => {
      other.close()
    })
    const auth = {
      type: 'custom',
      query: [{ name: 'key', value: secret }],
      body: [{ name: 'secret', value: secret }],
    }
    const api = await open(
      (_, response) => {
        response.setHeader('link', `<${other.url}/next>; rel=next`)
        return [{ id: 1 }]
      },
      {
        config: { auth, allowed_hosts: [new URL(other.url).host] },
        tables: [{ ...items, method: 'POST', body: { template: { a: 1 } } }],
      },
    )
    await api.scan('items')
    expect(api.requests[0]?.body).toBe(`{"a":1,"secret":"${secret}"}`)
    expect(seen).toHaveLength(1)
    expect(seen[0]).toMatchObject({ url: '/next', body: '{"a":1}' })
    expect(JSON.stringify(seen)).not.toContain(secret)
  })

  test('what the API echoes is hidden in errors', async () => {
    const auths = [
      { type: 'header', headers: [{ name: 'x-key', value: secret }] },
      { type: 'basic', username: 'me', password: secret },
      { type: 'custom', query: [{ name: 'key', value: secret }] },
    ]
    for (const auth of auths) {
      const api = await open(
        ({ headers, url }, response) => {
          response.statusCode = 403
          return { message: `no ${headers.authorization ?? ''} ${String(headers['x-key'])} ${url.search}` }
        },
        { config: { auth }, tables: [items] },
      )
      const error = await api.failure('items')
      expect(error.code).toBe('source.forbidden')
      expect(error.message).toContain('***')
      expectNoSecret(error, Buffer.from(`me:${secret}`).toString('base64'))
    }
  })
})

interface TokenServer {
  readonly url: string
  readonly forms: URLSearchParams[]
  readonly basics: (string | undefined)[]
}

/** Gives `token-1`, `token-2` …, or what `answer` says. */
async function tokenServer(answer?: (count: number) => { status?: number; body: unknown }): Promise<TokenServer> {
  const forms: URLSearchParams[] = []
  const basics: (string | undefined)[] = []
  const server = await startApiServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      forms.push(new URLSearchParams(body))
      basics.push(request.headers.authorization)
      const given = answer?.(forms.length) ?? {
        body: { access_token: `token-${forms.length}`, token_type: 'Bearer', expires_in: 3600 },
      }
      response.writeHead(given.status ?? 200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(given.body))
    })
  })
  cleanups.push(() => {
    server.close()
  })
  return { url: `${server.url}/token`, forms, basics }
}

function oauth(server: TokenServer, more: object = {}): object {
  return { auth: { type: 'oauth2', token_url: server.url, client_id: 'me', client_secret: secret, ...more } }
}

describe('OAuth 2', () => {
  test('one token for all who wait, kept for later scans', async () => {
    const tokens = await tokenServer()
    const api = await open(() => [], {
      config: oauth(tokens, { scope: 'read', params: { audience: 'x' } }),
      tables: [items],
    })
    await Promise.all(Array.from({ length: 20 }, () => api.scan('items')))
    await api.scan('items')
    expect(tokens.forms.map((form) => Object.fromEntries(form))).toEqual([
      { grant_type: 'client_credentials', client_id: 'me', client_secret: secret, scope: 'read', audience: 'x' },
    ])
    expect(new Set(api.requests.map(({ headers }) => headers.authorization))).toEqual(new Set(['Bearer token-1']))
    expect(api.requests).toHaveLength(21)
  })

  test('client credentials in a header', async () => {
    const tokens = await tokenServer()
    const api = await open(() => [], { config: oauth(tokens, { client_auth: 'basic' }), tables: [items] })
    await api.scan('items')
    expect(tokens.basics).toEqual([`Basic ${btoa(`me:${secret}`)}`])
    expect(tokens.forms[0]?.has('client_secret')).toBe(false)
  })

  test('a refused token is renewed once for all, and the refusal stands if the new one is refused too', async () => {
    const tokens = await tokenServer()
    let valid = 'Bearer token-2'
    const api = await open(
      ({ headers }, response) => {
        if (headers.authorization !== valid) response.statusCode = 401
        return []
      },
      { config: oauth(tokens), tables: [items] },
    )
    await Promise.all(Array.from({ length: 8 }, () => api.scan('items')))
    expect(tokens.forms).toHaveLength(2)
    valid = 'none'
    expect((await api.failure('items')).code).toBe('source.unauthorized')
    expect(tokens.forms).toHaveLength(3)
  })

  test('a token that is about to end is renewed before it is used', async () => {
    const tokens = await tokenServer((count) => ({ body: { access_token: `token-${count}`, expires_in: 0.000_001 } }))
    const api = await open(() => [], { config: oauth(tokens), tables: [items] })
    await api.scan('items')
    await api.scan('items')
    expect(api.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer token-1', 'Bearer token-2'])
  })

  test('a refresh token is asked with, and replaced by the one that comes', async () => {
    const tokens = await tokenServer((count) => ({
      body: { access_token: `token-${count}`, refresh_token: `refresh-${count}`, expires_in: 0.000_001 },
    }))
    const api = await open(() => [], { config: oauth(tokens, { refresh_token: 'refresh-0' }), tables: [items] })
    await api.scan('items')
    await api.scan('items')
    expect(tokens.forms.map((form) => [form.get('grant_type'), form.get('refresh_token')])).toEqual([
      ['refresh_token', 'refresh-0'],
      ['refresh_token', 'refresh-1'],
    ])
  })

  test.each<[string, { status?: number; body: unknown }]>([
    ['an error', { status: 400, body: { error: 'invalid_client', error_description: `secret ${secret}` } }],
    ['an error that echoes', { status: 401, body: { error: `invalid ${secret}` } }],
    ['no token', { body: { token_type: 'bearer' } }],
    ['another type', { body: { access_token: 'x', token_type: 'mac' } }],
    ['a token that would split the header', { body: { access_token: 'x\r\ny' } }],
    ['no object', { body: 'text' }],
  ])('%s is refused: nothing is asked anonymously', async (_, given) => {
    const tokens = await tokenServer(() => given)
    const api = await open(() => [], { config: oauth(tokens), tables: [items] })
    const error = await api.failure('items')
    expect(error.code).toBe('source.token_refused')
    expectNoSecret(error)
    expect(api.requests).toHaveLength(0)
    // A failure is not kept.
    await api.failure('items')
    expect(tokens.forms).toHaveLength(2)
  })

  test('the token is hidden where the API echoes it, and goes to no other host', async () => {
    const tokens = await tokenServer(() => ({ body: { access_token: 'tok-canary-55' } }))
    const other = await startApiServer((request, response) => {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify([{ id: 1, seen: request.headers.authorization ?? 'nothing' }]))
    })
    cleanups.push(() => {
      other.close()
    })
    const api = await open(
      ({ headers, url }, response) => {
        if (url.pathname === '/items') {
          response.statusCode = 302
          response.setHeader('location', `${other.url}/x`)
        } else response.statusCode = 400
        return { message: `bad ${headers.authorization ?? ''}` }
      },
      {
        config: { ...oauth(tokens), allowed_hosts: [new URL(other.url).host] },
        tables: [items, { ...items, name: 'bad', endpoint: '/bad' }],
      },
    )
    const [batch] = await api.scan('items')
    expect(batch?.texts[0]).toContain('"seen":"nothing"')
    const error = await api.failure('bad')
    expect(error.message).toContain('It says: bad Bearer ***')
    expectNoSecret(error, 'tok-canary-55')
  })

  test('a caller who gives up does not end it for others', async () => {
    let release: () => void = () => undefined
    const held = new Promise<void>((resolve) => (release = resolve))
    const server = await startApiServer((_, response) => {
      void held.then(() => {
        response.setHeader('content-type', 'application/json')
        response.end('{"access_token":"t"}')
      })
    })
    cleanups.push(() => {
      server.close()
    })
    const tokens = { url: `${server.url}/token`, forms: [], basics: [] }
    const api = await open(() => [{ id: 1 }], { config: oauth(tokens), tables: [items] })
    const controller = new AbortController()
    const reason = new QuerentError('limit.cancelled')
    const first = api.scan('items', {}, { signal: controller.signal })
    const second = api.scan('items')
    await expect.poll(() => server.asked.length).toBe(1)
    controller.abort(reason)
    await expect(first).rejects.toBe(reason)
    release()
    expect(await second).toHaveLength(1)
    expect(server.asked).toHaveLength(1)
  })
})
