import { createServer, type RequestListener, type Server } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo, LookupFunction } from 'node:net'
import { inspect } from 'node:util'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { afterEach, expect, test } from 'vitest'
import { QuerentError } from '../errors/querent-error.js'
import { HostPolicy } from './host-policy.js'
import { HttpClient, type HttpClientOptions, type HttpRequest, type RequestMeter } from './http-client.js'

const canary = 'canary-5f2a'
const cleanups: (() => Promise<void> | void)[] = []

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

async function serve(listener: RequestListener): Promise<{ readonly server: Server; readonly base: URL }> {
  const server = createServer(listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  cleanups.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return { server, base: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`) }
}

class CountingMeter implements RequestMeter {
  requests = 0
  bytes = 0

  request(): void {
    this.requests++
  }

  received(bytes: number): void {
    this.bytes += bytes
  }
}

function client(
  base: URL,
  options: Partial<HttpClientOptions> & { readonly allowed?: readonly string[] } = {},
): HttpClient {
  const { allowed = [], ...rest } = options
  const made = new HttpClient({
    policy: new HostPolicy(base, allowed),
    concurrency: 4,
    connectTimeoutMs: 5_000,
    requestTimeoutMs: 20_000,
    maxBodyBytes: 1_000_000,
    retry: { maxRetries: 2, baseBackoffMs: 1, maxBackoffMs: 2, maxRetryAfterMs: 2_000 },
    ...rest,
  })
  cleanups.push(() => made.close())
  return made
}

interface Sent {
  readonly meter: CountingMeter
  readonly run: Promise<Awaited<ReturnType<HttpClient['send']>>>
}

function get(http: HttpClient, url: URL, options: Partial<HttpRequest> & { readonly signal?: AbortSignal } = {}): Sent {
  const { signal = new AbortController().signal, ...rest } = options
  const meter = new CountingMeter()
  const request = {
    method: 'GET' as const,
    url,
    idempotent: true,
    boundHeaders: { authorization: `Bearer ${canary}` },
    ...rest,
  }
  return { meter, run: http.send(request, { signal, meter, subject: 'api.items, request 1' }) }
}

/** The error of a call that must fail, after a look for the credential anywhere inside it. */
async function failure(run: Promise<unknown>): Promise<QuerentError> {
  const error: unknown = await run.then(
    () => expect.fail('the call must be rejected'),
    (reason: unknown) => reason,
  )
  expect(inspect(error, { depth: 20, showHidden: true })).not.toContain(canary)
  if (!(error instanceof QuerentError)) throw error
  return error
}

test('answers carry status, joined headers and the body, and the request names Querent', async () => {
  const { base } = await serve((request, response) => {
    response.setHeader('link', ['<a>; rel="next"', '<b>; rel="last"'])
    response.end(JSON.stringify(request.headers))
  })
  const { meter, run } = get(client(base), new URL('/x', base))
  const answer = await run
  expect(answer.status).toBe(200)
  expect(answer.headers['link']).toBe('<a>; rel="next", <b>; rel="last"')
  expect(JSON.parse(answer.body.toString())).toMatchObject({
    'user-agent': expect.stringMatching(/^querent\/\d/) as string,
    authorization: `Bearer ${canary}`,
  })
  expect(meter).toMatchObject({ requests: 1, bytes: answer.body.length })
})

test('encoded bodies are decoded and counted as they unpack', async () => {
  const text = 'x'.repeat(5_000)
  const encoded = {
    gzip: gzipSync(text),
    br: brotliCompressSync(text),
    deflate: deflateSync(text),
    bare: deflateRawSync(text),
  }
  const { base } = await serve((request, response) => {
    const name = (request.url ?? '').slice(1) as keyof typeof encoded
    response.setHeader('content-encoding', name === 'bare' ? 'deflate' : name)
    response.end(encoded[name])
  })
  const http = client(base)
  for (const name of Object.keys(encoded)) {
    const { meter, run } = get(http, new URL(name, base))
    expect((await run).body.toString()).toBe(text)
    expect(meter.bytes).toBe(5_000)
  }
})

test('a body that unpacks beyond the limit, or never ends, is refused', async () => {
  const bomb = gzipSync(Buffer.alloc(50_000_000))
  let sentMost = 0
  const { base } = await serve((request, response) => {
    if (request.url === '/bomb') {
      response.setHeader('content-encoding', 'gzip')
      response.end(bomb)
      return
    }
    const more = (): void => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536, 97))) sentMost += 65_536
    }
    response.on('drain', more)
    more()
  })
  const http = client(base)
  const packed = get(http, new URL('/bomb', base))
  expect((await failure(packed.run)).code).toBe('net.body_too_large')
  expect(packed.meter.bytes).toBeLessThan(1_200_000)
  expect((await failure(get(http, new URL('/endless', base)).run)).code).toBe('net.body_too_large')
  expect(sentMost).toBeLessThan(50_000_000)
})

test('a damaged or unknown encoding is named', async () => {
  const { base } = await serve((request, response) => {
    const name = request.url === '/unknown' ? 'zstd, frob' : 'gzip'
    response.setHeader('content-encoding', name)
    const packed = gzipSync('abc'.repeat(1_000))
    response.end(request.url === '/cut' ? packed.subarray(0, packed.length - 9) : 'not gzip')
  })
  const http = client(base)
  for (const path of ['/unknown', '/damaged', '/cut']) {
    expect((await failure(get(http, new URL(path, base)).run)).code).toBe('net.bad_encoding')
  }
})

test('an answer that breaks off is an error after its retries, whatever announced its length', async () => {
  const { base } = await serve((request, response) => {
    if (request.url === '/length') response.writeHead(200, { 'content-length': 100 })
    response.write('[1,2')
    setImmediate(() => response.socket?.destroy())
  })
  const http = client(base)
  for (const path of ['/length', '/chunked']) {
    const { meter, run } = get(http, new URL(path, base))
    expect((await failure(run)).code).toBe('net.connection_lost')
    expect(meter.requests).toBe(3)
  }
})

test('passing statuses are tried again and counted; other failures and POST are not', async () => {
  const seen = new Map<string, number>()
  const { base } = await serve((request, response) => {
    const path = request.url ?? ''
    const count = (seen.get(path) ?? 0) + 1
    seen.set(path, count)
    response.statusCode = path === '/500' ? 500 : count < 3 ? Number(path.slice(1)) : 200
    response.end('ok')
  })
  const http = client(base)
  for (const status of [429, 502, 503, 504]) {
    const { meter, run } = get(http, new URL(`/${status}`, base))
    expect((await run).status).toBe(200)
    expect(meter.requests).toBe(3)
  }
  expect((await get(http, new URL('/500', base)).run).status).toBe(500)
  expect(seen.get('/500')).toBe(1)
  seen.clear()
  const posted = await get(http, new URL('/503', base), { method: 'POST', idempotent: false, body: '{}' }).run
  expect(posted.status).toBe(503)
  expect(seen.get('/503')).toBe(1)
})

test('a short Retry-After is waited for; a long one ends the attempts at once', async () => {
  let asked = 0
  const { base } = await serve((request, response) => {
    asked++
    response.statusCode = request.url === '/short' && asked > 1 ? 200 : 429
    response.setHeader('retry-after', request.url === '/short' ? '0' : '86400')
    response.end('{}')
  })
  const http = client(base)
  expect((await get(http, new URL('/short', base)).run).status).toBe(200)
  asked = 0
  const answer = await get(http, new URL('/long', base)).run
  expect(answer).toMatchObject({ status: 429, retryAfterMs: 86_400_000 })
  expect(asked).toBe(1)
})

test('redirects of GET are followed with credentials only to the origin, at most five', async () => {
  const foreign = await serve((request, response) => response.end(request.headers.authorization ?? 'no credentials'))
  const { base } = await serve((request, response) => {
    const hop = Number(new URL(request.url ?? '', 'http://x').searchParams.get('hop'))
    if (request.url === '/foreign') response.writeHead(302, { location: `${foreign.base.href}there` })
    else if (hop > 0) response.writeHead(307, { location: `?hop=${hop - 1}` })
    response.end(request.headers.authorization ?? 'no credentials')
  })
  const http = client(base, { allowed: [foreign.base.host] })
  const five = get(http, new URL('/?hop=5', base))
  expect((await five.run).body.toString()).toContain(canary)
  expect(five.meter.requests).toBe(6)
  expect((await failure(get(http, new URL('/?hop=6', base)).run)).code).toBe('net.too_many_redirects')
  expect((await get(http, new URL('/foreign', base)).run).body.toString()).toBe('no credentials')
  const posted = get(http, new URL('/?hop=1', base), { method: 'POST', idempotent: false, body: '{}' })
  expect((await failure(posted.run)).code).toBe('net.redirect_invalid')
})

test('a redirect to a host or port that the workspace does not name is refused before it is asked', async () => {
  let reached = 0
  const other = await serve((_, response) => {
    reached++
    response.end('secret')
  })
  const targets = [
    other.base.href,
    'http://169.254.169.254/latest/meta-data/',
    'http://0x7f000001:1/',
    'http://[::ffff:127.0.0.1]/',
    'http://2130706433/',
    'http://localhost/',
    'file:///etc/passwd',
    'http://user:pass@127.0.0.1/',
  ]
  const { base } = await serve((request, response) => {
    response.writeHead(302, { location: targets[Number(request.url?.slice(1))] })
    response.end()
  })
  const http = client(base)
  for (const index of targets.keys()) {
    expect((await failure(get(http, new URL(`/${index}`, base)).run)).code).toBe('net.host_refused')
  }
  expect(reached).toBe(0)
})

test('a host that only a pattern allows must resolve to public addresses', async () => {
  let reached = 0
  const { base } = await serve((_, response) => {
    reached++
    response.end('[]')
  })
  const answers: Record<string, readonly { address: string; family: number }[]> = {
    'private.example.com': [{ address: '127.0.0.1', family: 4 }],
    'mixed.example.com': [
      { address: '93.184.215.14', family: 4 },
      { address: '::ffff:10.0.0.1', family: 6 },
    ],
    'empty.example.com': [],
    'named.example.com': [{ address: '127.0.0.1', family: 4 }],
  }
  const lookup: LookupFunction = (host, _, callback) => {
    callback(null, [...(answers[host] ?? [])])
  }
  const { port } = base
  const http = client(base, {
    allowed: [`*.example.com:${port}`, `named.example.com:${port}`],
    lookup,
  })
  for (const name of ['private', 'mixed', 'empty']) {
    const error = await failure(get(http, new URL(`http://${name}.example.com:${port}/`)).run)
    expect(error.code).toBe('net.blocked_address')
  }
  expect(reached).toBe(0)
  expect((await get(http, new URL(`http://named.example.com:${port}/`)).run).status).toBe(200)
})

test('an abort ends the request on its socket, also while it waits for its turn', async () => {
  const closed: string[] = []
  let arrived: () => void = () => undefined
  const arrival = new Promise<void>((resolve) => (arrived = resolve))
  const { base } = await serve((request, response) => {
    request.socket.on('close', () => closed.push('socket'))
    response.write('[')
    arrived()
  })
  const http = client(base, { concurrency: 1 })
  const controller = new AbortController()
  const reason = new QuerentError('limit.cancelled')
  const running = get(http, base, { signal: controller.signal })
  const waiting = get(http, base, { signal: controller.signal })
  await arrival
  controller.abort(reason)
  await expect(running.run).rejects.toBe(reason)
  await expect(waiting.run).rejects.toBe(reason)
  expect(waiting.meter.requests).toBe(0)
  await expect.poll(() => closed.length).toBe(1)
})

test('silence is a time-out that names what did not come', async () => {
  const { base } = await serve((request, response) => {
    if (request.url === '/half') response.write('[')
  })
  const http = client(base, { requestTimeoutMs: 50 })
  const nothing = await failure(get(http, new URL('/nothing', base)).run)
  expect(nothing).toMatchObject({ code: 'net.timeout', message: 'api.items, request 1: no answer within 50 ms.' })
  const half = await failure(get(http, new URL('/half', base)).run)
  expect(half.message).toBe('api.items, request 1: no end of the answer within 50 ms.')
})

test('failures of the connection have their own codes', async () => {
  const { base, server } = await serve((_, response) => response.end())
  const tls = client(new URL(`https://${base.host}`))
  expect((await failure(get(tls, new URL(`https://${base.host}`)).run)).code).toBe('net.tls')
  const nameless = new URL('http://does-not-exist.invalid')
  const lookup: LookupFunction = (_, __, callback) => {
    callback(Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' }), '')
  }
  expect((await failure(get(client(nameless, { lookup }), nameless).run)).code).toBe('net.dns')
  server.close()
  await once(server, 'close')
  const refused = get(client(base), base)
  expect((await failure(refused.run)).code).toBe('net.connect')
  expect(refused.meter.requests).toBe(3)
})

test('what the meter throws ends the answer', async () => {
  const { base } = await serve((_, response) => response.end('abc'))
  const limit = new QuerentError('limit.cancelled')
  const meter: RequestMeter = {
    request: () => undefined,
    received: () => {
      throw limit
    },
  }
  const run = { signal: new AbortController().signal, meter, subject: 'x' }
  await expect(client(base).send({ method: 'GET', url: base, idempotent: true }, run)).rejects.toBe(limit)
})

test("at most the source's number of requests are in flight", async () => {
  const held: (() => void)[] = []
  let isOpen = false
  const { base } = await serve((_, response) => {
    if (isOpen) response.end('[]')
    else held.push(() => response.end('[]'))
  })
  const http = client(base, { concurrency: 3 })
  const sent = Array.from({ length: 20 }, () => get(http, base))
  await expect.poll(() => held.length).toBe(3)
  expect(sent.reduce((sum, { meter }) => sum + meter.requests, 0)).toBe(3)
  isOpen = true
  for (const release of held) release()
  expect((await Promise.all(sent.map(({ run }) => run))).map(({ status }) => status)).toEqual(Array(20).fill(200))
})
