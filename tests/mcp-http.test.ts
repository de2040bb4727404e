import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { connect } from 'node:net'
import { Client, StreamableHTTPClientTransport, type ClientOptions } from '@modelcontextprotocol/client'
import { afterEach, describe, expect, it } from 'vitest'
import { startHttpServer, type HttpServer, type HttpServerOptions } from '../src/surfaces/http/start-http-server.js'
import { Secret } from '../src/util/secret.js'
import { accounts, nasty, orders } from './support/memory-tables.js'
import { MemoryWorkspace } from './support/memory-workspace.js'
import { eraOptions, eras, type Era } from './support/stdio-client.js'

const cleanUp: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const step of cleanUp.splice(0).reverse()) await step()
})

interface Started {
  readonly server: HttpServer
  readonly workspace: MemoryWorkspace
}

async function start(options: Partial<HttpServerOptions> = {}): Promise<Started> {
  const workspace = new MemoryWorkspace([accounts, orders, nasty])
  const server = await startHttpServer({ workspace, version: '0.0.0', port: 0, ...options })
  cleanUp.push(
    () => workspace.close(),
    () => server.close(0),
  )
  return { server, workspace }
}

async function connectClient(
  server: HttpServer,
  era: Era,
  options: ClientOptions & { readonly token?: string } = {},
): Promise<Client> {
  const { token, ...clientOptions } = options
  const client = new Client({ name: 'test', version: '0.0.0' }, { ...eraOptions(era), ...clientOptions })
  const requestInit = token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), { requestInit }))
  cleanUp.push(() => client.close())
  return client
}

const adaToken = 'token-of-ada-0123456789'
const bobToken = 'token-of-bob-0123456789'
const ada = { name: 'ada', token: new Secret(adaToken, 'ada') }
const bob = { name: 'bob', token: new Secret(bobToken, 'bob') }

interface Reply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** A request with any headers, which fetch would not let a test set. */
function send(
  server: HttpServer,
  path: string,
  options: { readonly method?: string; readonly headers?: Record<string, string>; readonly body?: string } = {},
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const { method = 'GET', headers = {}, body } = options
    const sent = httpRequest({ host: '127.0.0.1', port: server.port, path, method, headers }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text })
      })
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

function post(server: HttpServer, path: string, body: unknown, headers: Record<string, string> = {}): Promise<Reply> {
  return send(server, path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
}

function json(reply: Reply): Record<string, unknown> {
  return JSON.parse(reply.body) as Record<string, unknown>
}

describe.each(eras)('MCP over HTTP, %s era', (era) => {
  it('lists tools and answers a query', async () => {
    const { server, workspace } = await start()
    const client = await connectClient(server, era)
    expect((await client.listTools()).tools).toHaveLength(6)
    const result = await client.callTool({ name: 'query', arguments: { sql: 'SELECT 7' } })
    expect(result.structuredContent).toMatchObject({ rows: [[7]] })
    const [first] = workspace.started
    expect(first?.context).toMatchObject({ caller: { id: 'local' }, surface: 'mcp-http' })
    expect(first?.context.session !== undefined).toBe(era === 'legacy')
  })

  it('stops the query when the client cancels', async () => {
    const { server, workspace } = await start()
    const client = await connectClient(server, era)
    const controller = new AbortController()
    const waiting = client.callTool({ name: 'query', arguments: { sql: 'WAIT 0' } }, { signal: controller.signal })
    waiting.catch(() => undefined)
    await expect.poll(() => workspace.running).toBe(1)
    controller.abort()
    await expect.poll(() => workspace.stopped).toEqual(['WAIT 0'])
    expect((await client.callTool({ name: 'query', arguments: { sql: 'SELECT 1' } })).isError).not.toBe(true)
  })

  it('sends progress', async () => {
    const { server } = await start()
    const client = await connectClient(server, era)
    const controller = new AbortController()
    let seen = 0
    const waiting = client.callTool(
      { name: 'query', arguments: { sql: 'WAIT 3' } },
      { signal: controller.signal, onprogress: () => (seen += 1) },
    )
    waiting.catch(() => undefined)
    await expect.poll(() => seen).toBeGreaterThan(1)
    controller.abort()
  })

  it('announces a change of the catalog', async () => {
    let changes = 0
    const { server, workspace } = await start()
    await connectClient(server, era, {
      listChanged: { resources: { autoRefresh: false, debounceMs: 0, onChanged: () => (changes += 1) } },
    })
    await expect
      .poll(() => {
        if (changes === 0) workspace.change()
        return changes
      })
      .toBeGreaterThan(0)
  })

  it('takes each token for its own caller and refuses others', async () => {
    const { server, workspace } = await start({ tokens: [ada, bob] })
    const adas = await connectClient(server, era, { token: adaToken })
    const bobs = await connectClient(server, era, { token: bobToken })
    await adas.callTool({ name: 'query', arguments: { sql: 'SELECT 1' } })
    await bobs.callTool({ name: 'query', arguments: { sql: 'SELECT 2' } })
    expect(workspace.started.map(({ sql, context }) => [sql, context.caller.id])).toEqual([
      ['SELECT 1', 'ada'],
      ['SELECT 2', 'bob'],
    ])
    await expect(connectClient(server, era, { token: 'wrong' })).rejects.toThrow()
    await expect(connectClient(server, era)).rejects.toThrow()
  })
})

describe('2025-era sessions', () => {
  const initialize = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '0' } },
  }
  const accept = { accept: 'application/json, text/event-stream' }
  const list = { jsonrpc: '2.0', id: 2, method: 'tools/list' }

  async function open(server: HttpServer, token: string): Promise<string> {
    const reply = await post(server, '/mcp', initialize, { ...accept, authorization: `Bearer ${token}` })
    expect(reply.status).toBe(200)
    return String(reply.headers['mcp-session-id'])
  }

  it('are not there for another caller', async () => {
    const { server } = await start({ tokens: [ada, bob] })
    const session = await open(server, adaToken)
    const headers = (token: string): Record<string, string> => ({
      ...accept,
      authorization: `Bearer ${token}`,
      'mcp-session-id': session,
    })
    expect((await post(server, '/mcp', list, headers(adaToken))).status).toBe(200)
    expect((await post(server, '/mcp', list, headers(bobToken))).status).toBe(404)
    expect((await send(server, '/mcp', { method: 'DELETE', headers: headers(bobToken) })).status).toBe(404)
    expect((await send(server, '/mcp', { method: 'DELETE', headers: headers(adaToken) })).status).toBe(200)
    expect((await post(server, '/mcp', list, headers(adaToken))).status).toBe(404)
  })

  it('give way, the one idle longest first, when there are too many', async () => {
    const { server } = await start({ tokens: [ada], maxSessions: 2 })
    const first = await open(server, adaToken)
    const second = await open(server, adaToken)
    const headers = (session: string): Record<string, string> => ({
      ...accept,
      authorization: `Bearer ${adaToken}`,
      'mcp-session-id': session,
    })
    await post(server, '/mcp', list, headers(first))
    const third = await open(server, adaToken)
    expect((await post(server, '/mcp', list, headers(second))).status).toBe(404)
    expect((await post(server, '/mcp', list, headers(first))).status).toBe(200)
    expect((await post(server, '/mcp', list, headers(third))).status).toBe(200)
  })

  it('end after they were idle', async () => {
    const { server } = await start({ tokens: [ada], sessionIdleMs: 30 })
    const session = await open(server, adaToken)
    const headers = { ...accept, authorization: `Bearer ${adaToken}`, 'mcp-session-id': session }
    await expect
      .poll(async () => {
        await new Promise((resolve) => setTimeout(resolve, 120))
        return (await post(server, '/mcp', list, headers)).status
      })
      .toBe(404)
  })

  it('take a new stream at once after the old one broke', async () => {
    const { server } = await start({ tokens: [ada] })
    const session = await open(server, adaToken)
    const headers = { accept: 'text/event-stream', authorization: `Bearer ${adaToken}`, 'mcp-session-id': session }
    const listen = (): Promise<{ status: number; end: () => void }> =>
      new Promise((resolve, reject) => {
        const sent = httpRequest({ host: '127.0.0.1', port: server.port, path: '/mcp', headers }, (response) => {
          resolve({ status: response.statusCode ?? 0, end: () => sent.destroy() })
        })
        sent.on('error', reject)
        sent.end()
      })
    const first = await listen()
    expect(first.status).toBe(200)
    expect((await send(server, '/mcp', { headers })).status).toBe(409)
    first.end()
    await expect
      .poll(async () => {
        const next = await listen()
        next.end()
        return next.status
      })
      .toBe(200)
  })

  it('stop the query of a client whose connection broke', async () => {
    const { server, workspace } = await start({ tokens: [ada] })
    const session = await open(server, adaToken)
    const body = {
      jsonrpc: '2.0',
      id: 5,
      method: 'tools/call',
      params: { name: 'query', arguments: { sql: 'WAIT 0' } },
    }
    const sent = httpRequest({
      host: '127.0.0.1',
      port: server.port,
      path: '/mcp',
      method: 'POST',
      headers: {
        ...accept,
        'content-type': 'application/json',
        authorization: `Bearer ${adaToken}`,
        'mcp-session-id': session,
      },
    })
    sent.on('error', () => undefined)
    sent.end(JSON.stringify(body))
    await expect.poll(() => workspace.running).toBe(1)
    sent.destroy()
    await expect.poll(() => workspace.stopped).toEqual(['WAIT 0'])
  })

  it('need initialize first', async () => {
    const { server } = await start()
    const reply = await post(server, '/mcp', list, accept)
    expect(reply.status).toBe(400)
    expect(reply.body).toMatch(/initialize/)
  })
})

describe('the HTTP API', () => {
  it('queries, explains, lists, describes, pages, downloads and cancels', async () => {
    const { server, workspace } = await start()
    const query = await post(server, '/v1/query', { sql: 'SELECT * FROM data.orders' })
    expect(query.status).toBe(200)
    const { result, rowCount } = json(query) as { result: string; rowCount: number }
    expect(rowCount).toBeGreaterThan(100)
    expect(json(await post(server, '/v1/explain', { sql: 'SELECT * FROM data.orders' }))).toMatchObject({
      success: true,
    })
    expect(json(await send(server, '/v1/tables?query=account'))).toMatchObject({
      total: 1,
      tables: [{ table: 'data.accounts' }],
    })
    expect(json(await send(server, '/v1/tables/data.orders'))).toMatchObject({ table: 'data.orders' })
    const page = json(await send(server, `/v1/results/${result}?offset=4998`))
    expect(page).toMatchObject({ success: true, rowCount: 2, totalRows: 5000, complete: true })
    const csv = await send(server, `/v1/results/${result}?format=csv`)
    expect(csv.headers['content-type']).toBe('text/csv')
    expect(csv.headers['content-disposition']).toMatch(/^attachment/)
    expect(csv.body.split('\n')).toHaveLength(5000)
    const waiting = post(server, '/v1/query', { sql: 'WAIT 0' })
    await expect.poll(() => workspace.running).toBe(1)
    const cancelled = await send(server, `/v1/queries/${workspace.runningId() ?? ''}`, { method: 'DELETE' })
    expect(json(cancelled)).toMatchObject({ cancelled: true })
    const stopped = await waiting
    expect(stopped.status).toBe(499)
    expect(json(stopped)).toMatchObject({ success: false, code: 'limit.cancelled' })
  })

  it.each([
    ['POST', '/v1/query', { sql: '' }, 400, 'sql.empty'],
    ['POST', '/v1/query', { sql: 'SELECT 1', maxrows: 1 }, 400, 'server.invalid_arguments'],
    ['POST', '/v1/query', [1], 400, 'server.invalid_arguments'],
    ['POST', '/v1/query', { sql: 'SELECT * FROM nope' }, 400, 'catalog.unknown_table'],
    ['POST', '/v1/query', { sql: 'CRASH' }, 500, 'internal.unexpected'],
    ['GET', '/v1/query', undefined, 405, 'server.method_not_allowed'],
    ['GET', '/v1/tables/nope', undefined, 404, 'catalog.unknown_table'],
    ['GET', '/v1/tables?limit=x', undefined, 400, 'server.invalid_arguments'],
    ['GET', '/v1/tables?limit=1&limit=2', undefined, 400, 'server.invalid_arguments'],
    ['GET', '/v1/tables?what=1', undefined, 400, 'server.invalid_arguments'],
    ['GET', '/v1/results/nope', undefined, 404, 'state.not_found'],
    ['DELETE', '/v1/queries/nope', undefined, 404, 'state.not_found'],
    ['GET', '/v2', undefined, 404, 'server.no_such_path'],
    ['GET', '/v1/%zz', undefined, 404, 'server.no_such_path'],
    ['GET', '/metrics', undefined, 404, 'server.no_such_path'],
  ])('answers %s %s %j with %i %s', async (method, path, body, status, code) => {
    const { server } = await start()
    const headers: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' }
    const reply = await send(server, path, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    expect(reply.status).toBe(status)
    expect(json(reply)).toMatchObject({ success: false, code })
    expect(reply.body).not.toMatch(/secret|password/)
  })

  it('refuses bodies that are too large, no JSON, or of another type', async () => {
    const { server } = await start()
    const large = await post(server, '/v1/query', { sql: 'x'.repeat(5 * 1024 * 1024) })
    expect([large.status, json(large)['code']]).toEqual([413, 'server.body_too_large'])
    const rpc = await post(server, '/mcp', {
      jsonrpc: '2.0',
      id: 1,
      method: 'x',
      params: { y: 'x'.repeat(5 * 1024 * 1024) },
    })
    expect(rpc.status).toBe(413)
    const broken = await send(server, '/v1/query', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{',
    })
    expect([broken.status, json(broken)['code']]).toEqual([400, 'server.invalid_json'])
    const plain = await send(server, '/v1/query', {
      method: 'POST',
      headers: { 'content-type': 'text/plain' },
      body: '{}',
    })
    expect([plain.status, json(plain)['code']]).toEqual([415, 'server.content_type'])
    const mcp = await send(server, '/mcp', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{',
    })
    expect([mcp.status, (json(mcp)['error'] as { code: number }).code]).toEqual([400, -32700])
  })

  it('stops the query of a client that left', async () => {
    const { server, workspace } = await start()
    const sent = httpRequest({
      host: '127.0.0.1',
      port: server.port,
      path: '/v1/query',
      method: 'POST',
      headers: { 'content-type': 'application/json' },
    })
    sent.on('error', () => undefined)
    sent.end(JSON.stringify({ sql: 'WAIT 0' }))
    await expect.poll(() => workspace.running).toBe(1)
    sent.destroy()
    await expect.poll(() => workspace.stopped).toEqual(['WAIT 0'])
  })

  it('keeps the results and queries of callers apart', async () => {
    const { server, workspace } = await start({ tokens: [ada, bob] })
    const as = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` })
    const query = await post(server, '/v1/query', { sql: 'SELECT * FROM data.orders' }, as(adaToken))
    const { result } = json(query) as { result: string }
    expect((await send(server, `/v1/results/${result}`, { headers: as(adaToken) })).status).toBe(200)
    expect((await send(server, `/v1/results/${result}`, { headers: as(bobToken) })).status).toBe(404)
    const waiting = post(server, '/v1/query', { sql: 'WAIT 0' }, as(adaToken))
    await expect.poll(() => workspace.running).toBe(1)
    const path = `/v1/queries/${workspace.runningId() ?? ''}`
    expect((await send(server, path, { method: 'DELETE', headers: as(bobToken) })).status).toBe(404)
    expect((await send(server, path, { method: 'DELETE', headers: as(adaToken) })).status).toBe(200)
    expect((await waiting).status).toBe(499)
  })

  it('answers 200 parallel queries of two callers each with its own rows', async () => {
    const { server, workspace } = await start({ tokens: [ada, bob] })
    const replies = await Promise.all(
      Array.from({ length: 200 }, async (_, index) => {
        const token = index % 2 === 0 ? adaToken : bobToken
        const reply = await post(server, '/v1/query', { sql: `SELECT ${index}` }, { authorization: `Bearer ${token}` })
        return json(reply)['rows']
      }),
    )
    expect(replies).toEqual(Array.from({ length: 200 }, (_, index) => [[index]]))
    for (const { sql, context } of workspace.started) {
      expect(context.caller.id).toBe(Number(sql.slice(7)) % 2 === 0 ? 'ada' : 'bob')
    }
  })
})

describe('who may call', () => {
  it('refuses foreign hosts and origins, takes loopback ones', async () => {
    const { server } = await start({
      allowedOrigins: ['https://app.example.com'],
      allowedHosts: ['proxy.test', 'other.test:99'],
    })
    const port = String(server.port)
    const status = async (headers: Record<string, string>): Promise<number> =>
      (await send(server, '/healthz', { headers })).status
    expect(await status({ host: 'evil.example.com' })).toBe(403)
    expect(await status({ host: `evil.example.com:${port}` })).toBe(403)
    expect(await status({ host: 'localhost.evil.example.com' })).toBe(403)
    expect(await status({ host: `localhost:${port}` })).toBe(200)
    expect(await status({ host: `[::1]:${port}` })).toBe(200)
    expect(await status({ host: 'proxy.test:5' })).toBe(200)
    expect(await status({ host: 'other.test:99' })).toBe(200)
    expect(await status({ host: 'other.test:98' })).toBe(403)
    expect(await status({ origin: 'https://evil.example.com' })).toBe(403)
    expect(await status({ origin: 'null' })).toBe(403)
    expect(await status({ origin: `http://localhost:${port}` })).toBe(200)
    expect(await status({ origin: 'https://app.example.com' })).toBe(200)
    expect(await status({ origin: 'https://app.example.com:444' })).toBe(403)
    const rpc = await post(server, '/mcp', { jsonrpc: '2.0', id: 1, method: 'ping' }, { host: 'evil.example.com' })
    expect(rpc.status).toBe(403)
    expect(json(rpc)['error']).toMatchObject({ data: { code: 'server.host_not_allowed' } })
  })

  it('lets only the pages of listed origins read answers', async () => {
    const { server } = await start({ allowedOrigins: ['https://app.example.com'] })
    const listed = await send(server, '/v1/query', {
      method: 'OPTIONS',
      headers: { origin: 'https://app.example.com' },
    })
    expect(listed.status).toBe(204)
    expect(listed.headers['access-control-allow-origin']).toBe('https://app.example.com')
    const loopback = await send(server, '/v1/query', { method: 'OPTIONS', headers: { origin: 'http://localhost:1' } })
    expect(loopback.headers['access-control-allow-origin']).toBeUndefined()
    const foreign = await send(server, '/v1/query', {
      method: 'OPTIONS',
      headers: { origin: 'https://evil.example.com' },
    })
    expect(foreign.status).toBe(403)
    expect(foreign.headers['access-control-allow-origin']).toBeUndefined()
  })

  it('does not start off loopback without tokens', async () => {
    const workspace = new MemoryWorkspace([])
    cleanUp.push(() => workspace.close())
    for (const host of ['0.0.0.0', '::', '192.0.2.1', 'example.com']) {
      await expect(startHttpServer({ workspace, version: '0', port: 0, host })).rejects.toMatchObject({
        code: 'server.token_required',
      })
    }
  })

  it('starts off loopback with tokens, and needs them', async () => {
    const { server } = await start({ host: '0.0.0.0', tokens: [ada] })
    expect((await send(server, '/healthz', { headers: { host: 'querent.example.com' } })).status).toBe(200)
    const none = await send(server, '/v1/tables')
    expect([none.status, none.headers['www-authenticate'], json(none)['code']]).toEqual([
      401,
      'Bearer realm="querent"',
      'server.unauthorized',
    ])
    for (const authorization of [
      'Bearer',
      'Bearer x',
      `Basic ${adaToken}`,
      adaToken,
      `Bearer ${adaToken}x`,
      `Bearer ${adaToken} y`,
    ]) {
      expect((await send(server, '/v1/tables', { headers: { authorization } })).status).toBe(401)
    }
    expect((await send(server, '/v1/tables', { headers: { authorization: `Bearer ${adaToken}` } })).status).toBe(200)
    expect((await send(server, '/v1/tables', { headers: { authorization: `bearer ${adaToken}` } })).status).toBe(200)
  })

  it('says when the port is taken', async () => {
    const { server, workspace } = await start()
    await expect(startHttpServer({ workspace, version: '0', port: server.port })).rejects.toMatchObject({
      code: 'server.listen_failed',
    })
  })
})

describe('running', () => {
  it('counts requests and queries by route and outcome, without values', async () => {
    const { server } = await start({ metrics: true })
    await post(server, '/v1/query', { sql: 'SELECT 1' })
    await post(server, '/v1/query', { sql: '' })
    await send(server, '/v1/tables/data.secret_name')
    const client = await connectClient(server, 'legacy')
    await client.callTool({ name: 'query', arguments: { sql: 'SELECT 1' } })
    const { body, headers } = await send(server, '/metrics')
    expect(headers['content-type']).toMatch(/^text\/plain/)
    expect(body).toMatch(/querent_queries_total\{surface="http",outcome="ok"\} 1/)
    expect(body).toMatch(/querent_queries_total\{surface="http",outcome="sql.empty"\} 1/)
    expect(body).toMatch(/querent_queries_total\{surface="mcp-http",outcome="ok"\} 1/)
    expect(body).toMatch(/querent_http_requests_total\{method="GET",route="\/v1\/tables\/\{name\}",status="404"\} 1/)
    expect(body).toMatch(/querent_mcp_sessions 1/)
    expect(body).not.toMatch(/secret_name/)
  })

  it('closes: answers in flight are cancelled, connections end', async () => {
    const { server, workspace } = await start()
    const client = await connectClient(server, 'modern')
    const rest = post(server, '/v1/query', { sql: 'WAIT 0' }).catch((error: unknown) => error)
    const tool = client.callTool({ name: 'query', arguments: { sql: 'WAIT 0' } }).catch((error: unknown) => error)
    await expect.poll(() => workspace.running).toBe(2)
    await server.close(10)
    await Promise.all([rest, tool])
    await expect.poll(() => workspace.running).toBe(0)
    await expect(send(server, '/healthz')).rejects.toThrow()
  })

  it('survives clients that send no HTTP', async () => {
    const { server } = await start()
    await new Promise<void>((resolve) => {
      const socket = connect(server.port, '127.0.0.1', () => socket.write('\u0000\u0001 nonsense\r\n\r\n'))
      socket.on('close', () => {
        resolve()
      })
      socket.on('error', () => undefined)
      socket.resume()
    })
    expect((await send(server, '/healthz')).status).toBe(200)
    for (const path of ['//', '/..//', '/%', '/v1/tables/%', 'http://[/', '*', '/mcp/..', '/\\']) {
      expect((await send(server, path)).status).toBe(404)
    }
  })
})
