import type { IncomingMessage, ServerResponse } from 'node:http'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { afterEach, describe, expect, test } from 'vitest'
import { startApiServer, type ApiServer } from '../../../tests/support/api-server.js'
import { batchesOf, CountingMeter, openSource, planOf, type OpenOptions } from '../../../tests/support/open-source.js'
import { QuerentError } from '../../errors/querent-error.js'
import type { Filter } from '../../model/filter.js'
import type { ScanRequest, Source } from '../source.js'
import { httpKind } from './http-kind.js'

const canary = 'canary-9c41e7'
const cleanups: (() => unknown)[] = []

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

interface Api extends ApiServer {
  readonly source: Source
}

type Table = Record<string, unknown>

const pulls: Table = {
  name: 'pulls',
  endpoint: '/repos/{owner}/{repo}/pulls',
  params: [
    { name: 'owner', required: true },
    { name: 'repo', required: true },
    { name: 'state', default: 'open' },
  ],
  response: {
    path: '$',
    schema: [
      { name: 'number', type: 'bigint' },
      { name: 'title', type: 'varchar' },
      { name: 'state', type: 'varchar' },
      { name: 'user_login', type: 'varchar', source: '$.user.login' },
    ],
  },
}

const items: Table = { name: 'items', endpoint: '/items', response: { schema: [{ name: 'id', type: 'bigint' }] } }

async function api(
  listener: (request: IncomingMessage, response: ServerResponse) => void,
  tables: readonly Table[],
  options: OpenOptions & { readonly config?: object; readonly source?: object } = {},
): Promise<Api> {
  const server = await startApiServer(listener)
  const source = await openSource(
    httpKind,
    {
      name: 'api',
      kind: 'http',
      config: {
        base_url: server.url,
        token: canary,
        retry: { base_backoff_ms: 1, max_backoff_ms: 2 },
        ...options.config,
      },
      tables,
      ...options.source,
    },
    options,
  )
  cleanups.push(
    () => {
      server.close()
    },
    () => source[Symbol.asyncDispose](),
  )
  return { ...server, source }
}

function json(response: ServerResponse, value: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(200, { 'content-type': 'application/json', ...headers })
  response.end(typeof value === 'string' ? value : JSON.stringify(value))
}

function equal(column: string, text: string, type = 'VARCHAR'): Filter {
  return { kind: 'compare', column, operator: '=', value: { type, text } }
}

function oneOf(column: string, texts: readonly (string | undefined)[], type = 'VARCHAR'): Filter {
  return { kind: 'in', column, negated: false, values: texts.map((text) => ({ type, text })) }
}

function compare(column: string, operator: '<' | '<=' | '>' | '>=' | '<>', text: string, type = 'BIGINT'): Filter {
  return { kind: 'compare', column, operator, value: { type, text } }
}

/** The error of a call that must fail, after a look for the credential anywhere inside it. */
async function failure(run: Promise<unknown>): Promise<QuerentError> {
  const error: unknown = await run.then(
    () => expect.fail('the call must be rejected'),
    (reason: unknown) => reason,
  )
  expect(inspect(error, { depth: 20, showHidden: true })).not.toContain(canary)
  expect(inspect(error, { depth: 20, showHidden: true })).not.toContain(Buffer.from(canary).toString('base64'))
  if (!(error instanceof QuerentError)) throw error
  expect(`${error.message} ${error.hint ?? ''}`).not.toMatch(/undefined|\{\w+\}|\bat .*\.ts/)
  return error
}

async function scanError(source: Source, request: Partial<ScanRequest> = {}, table = 'items'): Promise<QuerentError> {
  return await failure(planOf(source, table, request).then((plan) => batchesOf(source, plan)))
}

const ownerAndRepo = [equal('owner', 'duckdb'), equal('repo', 'duckdb')]

describe('description', () => {
  test('parameters are columns too, and say how they are filtered', async () => {
    const { source, asked } = await api((_, response) => response.end(), [pulls])
    const [table] = await source.describeTables([{ source: 'api', table: 'PULLS' }], {
      signal: new AbortController().signal,
    })
    expect(table?.columns).toEqual([
      { name: 'number', type: 'BIGINT', filtering: { kind: 'local' } },
      { name: 'title', type: 'VARCHAR', filtering: { kind: 'local' } },
      { name: 'state', type: 'VARCHAR', filtering: { kind: 'pushed', operators: ['=', 'in'] }, defaultValue: 'open' },
      { name: 'user_login', type: 'VARCHAR', filtering: { kind: 'local' } },
      { name: 'owner', type: 'VARCHAR', filtering: { kind: 'required', operators: ['=', 'in'] } },
      { name: 'repo', type: 'VARCHAR', filtering: { kind: 'required', operators: ['=', 'in'] } },
    ])
    expect(asked).toEqual([])
  })

  test('an unknown table is an error with the near names', async () => {
    const { source } = await api((_, response) => response.end(), [pulls])
    expect(await failure(planOf(source, 'pull'))).toMatchObject({
      code: 'catalog.unknown_table',
      hint: 'Did you mean pulls?',
    })
  })
})

describe('planning', () => {
  test('equalities are pushed; a column of the answer is applied again; nothing is asked', async () => {
    const { source, asked } = await api((_, response) => response.end(), [pulls])
    const state = equal('state', 'closed')
    const title: Filter = { kind: 'like', column: 'title', pattern: '%x%' }
    const plan = await planOf(source, 'pulls', {
      filters: [...ownerAndRepo, state, title],
      columns: ['number', 'owner'],
      limit: 5,
    })
    expect(plan).toMatchObject({
      residual: [state, title],
      requests: { estimate: 1, max: 100 },
      preview: ['GET /repos/duckdb/duckdb/pulls?state=closed'],
      shape: { rowsPath: [], columns: [{ name: 'number', type: 'BIGINT', path: ['number'] }] },
    })
    expect(plan.limit).toBeUndefined()
    expect(asked).toEqual([])
    expect(inspect(plan, { depth: 20 })).not.toContain(canary)
  })

  test('a missing required parameter is refused with a statement to repair it by', async () => {
    const { source } = await api((_, response) => response.end(), [pulls])
    const error = await failure(planOf(source, 'pulls', { filters: [equal('owner', 'x')] }))
    expect(error.code).toBe('source.required_filter')
    expect(error.message).toBe('api.pulls needs a condition on repo.')
    expect(error.hint).toContain("SELECT * FROM api.pulls WHERE owner = '…' AND repo = '…'")
  })

  test('defaults hold without a condition, give way to = and IN, and refuse all others', async () => {
    const withAny = {
      ...pulls,
      name: 'any',
      params: [{ name: 'state', default: 'open', any: 'all' }],
      endpoint: '/any',
    }
    const { source } = await api((_, response) => response.end(), [pulls, withAny])
    const plan = async (table: string, request: Partial<ScanRequest>): Promise<readonly string[]> =>
      (await planOf(source, table, { ...request, filters: [...(request.filters ?? [])] })).preview
    expect(await plan('any', {})).toEqual(['GET /any?state=open'])
    expect(await plan('any', { filters: [oneOf('state', ['a', undefined, 'b'])] })).toEqual([
      'GET /any?state=a',
      'GET /any?state=b',
    ])
    expect(await plan('any', { filters: [compare('state', '<>', 'open', 'VARCHAR')] })).toEqual(['GET /any?state=all'])
    expect(await plan('any', { otherConditions: ['state'] })).toEqual(['GET /any?state=all'])
    expect(await plan('any', { forced: { state: 'all' } })).toEqual(['GET /any?state=all'])
    for (const request of [
      { filters: [...ownerAndRepo, compare('state', '<>', 'open', 'VARCHAR')] },
      { filters: ownerAndRepo, otherConditions: ['state'] },
    ]) {
      const error = await failure(planOf(source, 'pulls', request))
      expect(error.code).toBe('source.default_conflict')
      expect(error.hint).toContain("state = 'open' (the default)")
    }
  })

  test('contradictory equalities make no request and no rows', async () => {
    const { source, asked } = await api((_, response) => response.end(), [pulls])
    const plan = await planOf(source, 'pulls', { filters: [...ownerAndRepo, equal('repo', 'other')] })
    expect(plan.requests).toEqual({ estimate: 0, max: 0 })
    expect(await batchesOf(source, plan)).toEqual([])
    expect(asked).toEqual([])
  })

  test('OR of equalities and a closed integer range are lists of values', async () => {
    const table = { name: 'n', endpoint: '/n/{id}', params: [{ name: 'id', type: 'bigint', required: true }] }
    const { source } = await api((_, response) => response.end(), [{ ...items, ...table }], {
      limits: { maxRequests: 5 },
    })
    const or: Filter = { kind: 'or', filters: [equal('id', '4', 'BIGINT'), oneOf('id', ['7', '4'], 'BIGINT')] }
    expect((await planOf(source, 'n', { filters: [or] })).preview).toEqual(['GET /n/4', 'GET /n/7'])
    const range = [compare('id', '>=', '9'), compare('id', '<', '12')]
    expect((await planOf(source, 'n', { filters: range })).preview).toEqual(['GET /n/9', 'GET /n/10', 'GET /n/11'])
    const none = [compare('id', '>', '3'), compare('id', '<', '4')]
    expect((await planOf(source, 'n', { filters: none })).requests.estimate).toBe(0)
    const wide = [compare('id', '>=', '1'), compare('id', '<=', '9000000000000000000')]
    expect((await failure(planOf(source, 'n', { filters: wide }))).code).toBe('source.required_filter')
    const many = oneOf('id', ['1', '2', '3', '4', '5', '6'], 'BIGINT')
    expect((await failure(planOf(source, 'n', { filters: [many] }))).code).toBe('source.fan_out')
  })

  test('a condition on a parameter that the rows do not carry is refused rather than compared with nothing', async () => {
    const search = { ...items, name: 'search', endpoint: '/search', params: [{ name: 'q' }] }
    const { source } = await api((_, response) => response.end(), [search])
    const like: Filter = { kind: 'prefix', column: 'q', prefix: 'a' }
    expect((await failure(planOf(source, 'search', { filters: [like] }))).code).toBe('source.unsupported_condition')
    const isNull: Filter = { kind: 'null', column: 'q', negated: false }
    expect((await planOf(source, 'search', { filters: [isNull] })).preview).toEqual(['GET /search'])
  })

  test('rules of the source and the table are obeyed before any request', async () => {
    const { source, asked } = await api(
      (_, response) => response.end(),
      [
        { ...items, name: 'a', safety: { require_filters_on: ['id'] } },
        { ...items, name: 'b', safety: { require_at_least_one_filter: true } },
      ],
    )
    expect((await failure(planOf(source, 'a'))).message).toBe('api.a may only be read with a condition on id.')
    expect((await failure(planOf(source, 'b'))).message).toBe('api.b may only be read with at least one condition.')
    const filters = [compare('id', '>', '3')]
    expect((await planOf(source, 'a', { filters })).residual).toEqual(filters)
    expect((await planOf(source, 'b', { filters })).residual).toEqual(filters)
    expect(asked).toEqual([])
  })
})

describe('values in their places', () => {
  test.each(['..', '.', '', '../../x?y', 'a/../b', '%2e%2e', 'a\\..', 'a\nb', 'a\0', 'x'.repeat(1_000_000), '\ud800'])(
    'a path value of %j never names another endpoint',
    async (value) => {
      const { source, asked } = await api((_, response) => response.end(), [pulls])
      const error = await scanError(source, { filters: [equal('owner', value), equal('repo', 'r')] }, 'pulls')
      expect(error.code).toBe('source.bad_parameter')
      expect(asked).toEqual([])
    },
  )

  test('other values are encoded for their place', async () => {
    const table = { ...items, endpoint: '/x/{p}.json?fixed=1', params: [{ name: 'p', required: true }, { name: 'q' }] }
    const { source, asked } = await api(
      (_, response) => {
        json(response, [])
      },
      [table],
    )
    const filters = [equal('p', "a/b?c#d&e%f'é {r}"), equal('q', '../?&=\n\0"+ ')]
    await batchesOf(source, await planOf(source, 'items', { filters }))
    expect(asked).toEqual(['/x/a%2Fb%3Fc%23d%26e%25f%27%C3%A9%20%7Br%7D.json?fixed=1&q=..%2F%3F%26%3D%0A%00%22%2B%20'])
  })

  test('headers refuse line breaks, and times are ISO 8601', async () => {
    let seen: unknown
    const params = [
      { name: 'x-tenant', in: 'header' },
      { name: 'since', type: 'timestamp' },
      { name: 'day', type: 'date' },
    ]
    const { source, asked } = await api(
      (request, response) => {
        seen = request.headers['x-tenant']
        json(response, [])
      },
      [{ ...items, params }],
    )
    const filters = [
      equal('x-tenant', 't1'),
      equal('since', '2024-01-15 14:30:00.5', 'TIMESTAMP'),
      equal('day', '2024-01-15', 'DATE'),
    ]
    await batchesOf(source, await planOf(source, 'items', { filters }))
    expect(asked).toEqual(['/items?since=2024-01-15T14%3A30%3A00.5Z&day=2024-01-15'])
    expect(seen).toBe('t1')
    const bad = [equal('x-tenant', 'a\r\nauthorization: x')]
    expect((await scanError(source, { filters: bad })).code).toBe('source.bad_parameter')
    const infinite = [equal('day', 'infinity', 'DATE')]
    expect((await scanError(source, { filters: infinite })).code).toBe('source.bad_parameter')
  })
})

describe('scan', () => {
  test('pages by the Link header give texts as they came, with the values asked with', async () => {
    const { source, asked, url } = await api(
      (request, response) => {
        expect(request.headers.authorization).toBe(`Bearer ${canary}`)
        const page = Number(new URL(request.url ?? '', 'http://x').searchParams.get('page') ?? 1)
        const link = page < 3 ? { link: `<${url}/repos/duckdb/duckdb/pulls?page=${page + 1}>; rel="next"` } : undefined
        json(response, `[{"number":${page}.0}]`, link)
      },
      [pulls],
    )
    const meter = new CountingMeter()
    const plan = await planOf(source, 'pulls', { filters: ownerAndRepo })
    const batches = await batchesOf(source, plan, { meter })
    const constants = {
      owner: { type: 'VARCHAR', text: 'duckdb' },
      repo: { type: 'VARCHAR', text: 'duckdb' },
      state: { type: 'VARCHAR', text: 'open' },
    }
    expect(batches).toEqual([1, 2, 3].map((page) => ({ kind: 'json', texts: [`[{"number":${page}.0}]`], constants })))
    expect(meter).toMatchObject({ requests: 3, bytes: 48 })
    expect(asked).toHaveLength(3)
  })

  test('one request per value, each with the rows that belong to it', async () => {
    const { source, asked } = await api(
      (_, response) => {
        json(response, [])
      },
      [pulls],
    )
    const filters = [...ownerAndRepo, oneOf('state', ['open', 'all'])]
    const plan = await planOf(source, 'pulls', { filters })
    expect(plan.residual).toEqual([filters[2]])
    await batchesOf(source, plan)
    expect([...asked].sort()).toEqual(['all', 'open'].map((state) => `/repos/duckdb/duckdb/pulls?state=${state}`))
  })

  test('keys of a bind join multiply the requests; equal ones and those outside the conditions are left out', async () => {
    const { source, asked } = await api(
      (_, response) => {
        json(response, [{ state: 'OPEN' }])
      },
      [pulls],
    )
    const plan = await planOf(source, 'pulls', {
      filters: [equal('owner', 'o'), oneOf('state', ['open', 'closed']), oneOf('repo', ['a', 'b'])],
      keyColumns: ['title', 'repo'],
    })
    expect(plan.preview).toEqual(['open', 'closed'].map((state) => `GET /repos/o/{repo}/pulls?state=${state}`))
    expect(plan.keysPerRequest).toBe(1)
    const keys = [
      ['t1', 'a'],
      ['t2', 'a'],
      ['t1', 'b'],
      ['t1', 'c'],
    ]
    const batches = await batchesOf(source, plan, { keys })
    expect([...asked].sort()).toEqual([
      '/repos/o/a/pulls?state=closed',
      '/repos/o/a/pulls?state=open',
      '/repos/o/b/pulls?state=closed',
      '/repos/o/b/pulls?state=open',
    ])
    expect(batches.map(({ match }) => match?.['state']?.text).sort()).toEqual(['closed', 'closed', 'open', 'open'])
  })

  test('LIMIT ends the paging when nothing is left to apply', async () => {
    const { source, asked } = await api(
      (request, response) => {
        const page = Number(new URL(request.url ?? '', 'http://x').searchParams.get('page') ?? 1)
        json(response, [{ id: 1 }, { id: 2 }], { link: `</items?page=${page + 1}>; rel=next` })
      },
      [items],
    )
    expect(await batchesOf(source, await planOf(source, 'items', { limit: 2 }))).toHaveLength(1)
    expect(asked).toHaveLength(1)
    expect(await batchesOf(source, await planOf(source, 'items', { limit: 3 }))).toHaveLength(2)
    expect(asked).toHaveLength(3)
    const filtered = await planOf(source, 'items', { limit: 2, filters: [compare('id', '>', '5')] })
    expect(filtered.limit).toBeUndefined()
  })

  test('a reader that stops ends the paging with at most one page on its way', async () => {
    const { source, asked } = await api(
      (request, response) => {
        const page = Number(new URL(request.url ?? '', 'http://x').searchParams.get('page') ?? 1)
        json(response, [{ id: page }], { link: `</items?page=${page + 1}>; rel=next` })
      },
      [items],
    )
    const plan = await planOf(source, 'items')
    const run = { signal: new AbortController().signal, caller: { id: 'local', roles: [], claims: {} } }
    let count = 0
    for await (const batch of source.scan(plan, { ...run, meter: new CountingMeter() })) {
      count += batch.texts.length
      if (count === 3) break
    }
    expect(asked.length).toBeLessThanOrEqual(4)
  })

  test('too many pages or rows are an error, never a part', async () => {
    const endless = (request: IncomingMessage, response: ServerResponse): void => {
      const page = Number(new URL(request.url ?? '', 'http://x').searchParams.get('page') ?? 1)
      json(response, [{ id: page }], { link: `</items?page=${page + 1}>; rel=next` })
    }
    const capped = await api(endless, [
      { ...items, params: [{ name: 'q' }], safety: { max_pages: 3 } },
      { ...items, name: 'rows', safety: { max_rows: 2 } },
    ])
    const pages = await scanError(capped.source)
    expect(pages).toMatchObject({
      code: 'source.page_limit',
      message: 'api.items has more than 3 pages of rows for this query.',
    })
    expect(pages.hint).toContain('a condition on q')
    expect(capped.asked).toHaveLength(3)
    expect((await scanError(capped.source, {}, 'rows')).code).toBe('source.row_limit')
  })

  test('exactly as many pages as allowed are whole', async () => {
    const { source } = await api(
      (request, response) => {
        const isLast = request.url?.includes('page=2') === true
        json(response, [{ id: 1 }], isLast ? {} : { link: '</items?page=2>; rel=next' })
      },
      [{ ...items, safety: { max_pages: 2, max_rows: 2 } }],
    )
    expect(await batchesOf(source, await planOf(source, 'items'))).toHaveLength(2)
  })

  test('next links that go round, lead elsewhere or are no address are errors', async () => {
    const { source } = await api(
      (request, response) => {
        const links: Record<string, string> = {
          '/loop': '</loop?page=2>; rel=next',
          '/loop?page=2': '</loop>; rel=next',
          '/elsewhere': '<http://169.254.169.254/latest>; rel=next',
          '/broken': '<http://[>; rel=next',
        }
        json(response, [{ id: 1 }], { link: links[request.url ?? ''] ?? '' })
      },
      ['loop', 'elsewhere', 'broken'].map((name) => ({ ...items, name, endpoint: `/${name}` })),
    )
    expect((await scanError(source, {}, 'loop')).code).toBe('source.page_loop')
    expect((await scanError(source, {}, 'elsewhere')).code).toBe('net.host_refused')
    expect((await scanError(source, {}, 'broken')).code).toBe('source.next_page')
  })

  test('an abort rejects with its reason and reaches the socket', async () => {
    let closed = 0
    let arrived: () => void = () => undefined
    const arrival = new Promise<void>((resolve) => (arrived = resolve))
    const { source } = await api(
      (request) => {
        request.socket.on('close', () => closed++)
        arrived()
      },
      [items],
    )
    const controller = new AbortController()
    const reason = new QuerentError('limit.cancelled')
    const run = batchesOf(source, await planOf(source, 'items'), { signal: controller.signal })
    await arrival
    controller.abort(reason)
    await expect(run).rejects.toBe(reason)
    await expect.poll(() => closed).toBe(1)
  })

  test('the time of a table ends its scan', async () => {
    const { source } = await api(() => undefined, [{ ...items, safety: { timeout: '40ms' } }])
    expect(await scanError(source)).toMatchObject({
      code: 'source.timeout',
      message: 'Reading api.items took longer than 40 ms.',
    })
  })
})

describe('answers that are no rows', () => {
  const body = JSON.stringify({ message: `Bad\u202e credentials: Bearer ${canary}\n`, errors: [] })

  test.each([
    [400, 'source.bad_request'],
    [401, 'source.unauthorized'],
    [403, 'source.forbidden'],
    [404, 'source.not_found'],
    [418, 'source.bad_request'],
    [429, 'source.rate_limited'],
    [500, 'source.server_error'],
    [503, 'source.server_error'],
    [202, 'source.unexpected_status'],
    [206, 'source.unexpected_status'],
    [304, 'source.unexpected_status'],
  ])('status %i is %s', async (status, code) => {
    const { source } = await api(
      (_, response) => {
        response.writeHead(status, { 'content-type': 'application/json' })
        response.end(body)
      },
      [items],
    )
    const error = await scanError(source)
    expect(error.code).toBe(code)
    expect(error.message).toContain(`api.items, request 1`)
    expect(error.message).toContain(String(status))
    if (status !== 304) expect(error.message).toContain('It says: Bad credentials: Bearer ***')
  })

  test('a 403 of a used-up quota and a long Retry-After say so', async () => {
    const { source, asked } = await api(
      (request, response) => {
        response.writeHead(request.url === '/q' ? 403 : 429, {
          ...(request.url === '/q' ? { 'x-ratelimit-remaining': '0' } : { 'retry-after': '86400' }),
        })
        response.end('<html>')
      },
      [items, { ...items, name: 'q', endpoint: '/q' }],
    )
    expect((await scanError(source)).message).toBe(
      'api.items, request 1: status 429, too many requests; it asks to wait 86400 s.',
    )
    expect((await scanError(source, {}, 'q')).code).toBe('source.rate_limited')
    expect(asked).toHaveLength(2)
  })

  test.each<[string, string, string, Record<string, string>]>([
    ['HTML', '<html>log in</html>', 'source.not_json', { 'content-type': 'text/html; charset=utf-8' }],
    ['HTML without a type', '<html>', 'source.invalid_json', { 'content-type': '' }],
    ['nothing', '', 'source.invalid_json', {}],
    ['white space', ' \n', 'source.invalid_json', {}],
    ['half a document', '[{"id":1},{"id"', 'source.invalid_json', {}],
    ['two documents', '[][]', 'source.invalid_json', {}],
    ['other brackets', '[{"id":1]]', 'source.invalid_json', {}],
    ['no JSON', '[NaN]', 'source.invalid_json', {}],
    ['invalid UTF-8', '["\u00ff"]', 'source.invalid_json', { 'x-latin1': 'yes' }],
    ['deep nesting', '['.repeat(10_000) + ']'.repeat(10_000), 'source.invalid_json', {}],
    ['a number', '42', 'source.unexpected_shape', {}],
    ['an error', '{"error":{"message":"no access"}}', 'source.error_answer', {}],
    ['errors', '{"errors":["a"],"data":null}', 'source.error_answer', {}],
  ])('%s in a 200 is an error', async (_, text, code, headers) => {
    const { source } = await api(
      (_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json', ...headers })
        response.end(headers['x-latin1'] === undefined ? text : Buffer.from(text, 'latin1'))
      },
      [items],
    )
    expect((await scanError(source)).code).toBe(code)
  })

  test('a body shorter than announced is an error', async () => {
    const { source } = await api(
      (_, response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': 50 })
        response.write('[{"id":1}]')
        setImmediate(() => response.socket?.destroy())
      },
      [items],
    )
    expect((await scanError(source)).code).toBe('net.connection_lost')
  })

  test('a missing path names the keys that are there; an error beside it wins', async () => {
    const { source } = await api(
      (request, response) => {
        json(response, request.url === '/b' ? { error: 'quota exceeded' } : { 'da\u200bta': [], count: 0 })
      },
      ['a', 'b'].map((name) => ({
        ...items,
        name,
        endpoint: `/${name}`,
        response: { ...(items['response'] as object), path: '$.items' },
      })),
    )
    expect(await scanError(source, {}, 'a')).toMatchObject({
      code: 'source.unexpected_shape',
      message: 'api.a, request 1: the answer has no rows at $.items (there is no such key).',
      hint: 'Set response.path of the table to where the rows are. Keys of the answer: data, count.',
    })
    expect((await scanError(source, {}, 'b')).message).toContain('It says: quota exceeded')
  })

  test('null rows, an empty array, 204 and a 404 that is allowed are empty results', async () => {
    const { source } = await api(
      (request, response) => {
        const status = request.url === '/gone' ? 404 : request.url === '/none' ? 204 : 200
        response.writeHead(status, { 'content-type': 'application/json' })
        response.end(status === 204 ? '' : request.url === '/null' ? '{"a":null}' : '{"a":[]}')
      },
      ['gone', 'none', 'null', 'empty'].map((name) => ({
        ...items,
        name,
        endpoint: `/${name}`,
        response: { ...(items['response'] as object), path: '$.a', allow_404_empty: true },
      })),
    )
    for (const name of ['gone', 'none', 'null', 'empty']) {
      expect(await batchesOf(source, await planOf(source, name))).toEqual([])
    }
  })

  test('one object is one row, also with an error of its own among its columns', async () => {
    const response = { schema: [{ name: 'error', type: 'varchar' }] }
    const { source } = await api(
      (_, answer) => {
        json(answer, { error: 'none' })
      },
      [{ ...items, response }],
    )
    expect((await batchesOf(source, await planOf(source, 'items')))[0]?.texts).toEqual(['{"error":"none"}'])
  })

  test('other character sets and a byte order mark are read', async () => {
    const { source } = await api(
      (request, response) => {
        const latin1 = request.url === '/latin1'
        response.writeHead(200, { 'content-type': `application/json${latin1 ? '; charset=iso-8859-1' : ''}` })
        response.end(latin1 ? Buffer.from('["é"]', 'latin1') : '\ufeff["é"]')
      },
      ['latin1', 'bom'].map((name) => ({ ...items, name, endpoint: `/${name}` })),
    )
    for (const name of ['latin1', 'bom']) {
      expect((await batchesOf(source, await planOf(source, name)))[0]?.texts).toEqual(['["é"]'])
    }
  })
})

describe('a shape that is not known', () => {
  const open: Table = {
    name: 'open',
    endpoint: '/{org}/open',
    params: [{ name: 'org', required: true }, { name: 'owner' }],
  }
  const row = {
    id: 1,
    at: '2024-01-15T10:00:00Z',
    day: '2024-01-15',
    ok: true,
    owner: { login: 'x' },
    'bad\u202ename': 'x',
  }

  test('is learned by one request and kept over a restart in a private file', async () => {
    const stateDir = await mkdtemp(join(tmpdir(), 'querent-learn-'))
    cleanups.push(() => rm(stateDir, { recursive: true, force: true }))
    let changes = 0
    const listener = (_: IncomingMessage, response: ServerResponse): void => {
      json(response, [row, { id: 2.5, at: null, day: '2024-13-01', more: '9223372036854775808' }], {
        link: '</p2>; rel=next',
      })
    }
    const server = await api(listener, [open], { stateDir, onChanged: () => changes++ })
    const { source } = server
    const signal = new AbortController().signal
    const name = { source: 'api', table: 'open' }
    const [before] = await source.describeTables([name], { signal })
    expect(before?.unknownShape).toBe('one request: GET /{org}/open')
    expect(server.asked).toEqual([])
    expect((await failure(source.describeTables([name], { signal, learn: {} }))).code).toBe('source.required_filter')
    const [table] = await source.describeTables([name], { signal, learn: { org: 'a', unrelated: 'b' } })
    expect(server.asked).toEqual(['/a/open'])
    expect(changes).toBe(1)
    expect(table?.unknownShape).toBeUndefined()
    expect(table?.columns.map((column) => [column.name, column.type])).toEqual([
      ['id', 'DOUBLE'],
      ['at', 'TIMESTAMP WITH TIME ZONE'],
      ['day', 'VARCHAR'],
      ['ok', 'BOOLEAN'],
      ['owner_json', 'JSON'],
      ['badname', 'VARCHAR'],
      ['more', 'VARCHAR'],
      ['org', 'VARCHAR'],
      ['owner', 'VARCHAR'],
    ])
    for (const file of await readdir(stateDir)) expect((await stat(join(stateDir, file))).mode & 0o777).toBe(0o600)
    const asked = server.asked.length
    const again = await api(listener, [open], { stateDir, config: { base_url: server.url } })
    expect((await again.source.describeTables([name], { signal }))[0]).toEqual(table)
    const moved = { ...open, endpoint: '/{org}/moved' }
    const other = await api(listener, [moved], { stateDir, config: { base_url: server.url } })
    expect((await other.source.describeTables([name], { signal }))[0]?.unknownShape).toBeDefined()
    expect(server.asked).toHaveLength(asked)
  })

  test('an answer without rows teaches nothing', async () => {
    const { source } = await api(
      (_, response) => {
        json(response, [])
      },
      [open],
    )
    const options = { signal: new AbortController().signal, learn: { org: 'a' } }
    const error = await failure(source.describeTables([{ source: 'api', table: 'open' }], options))
    expect(error.code).toBe('source.unknown_shape')
  })
})

test('the probe asks a table without conditions, else the base address', async () => {
  const { source, asked } = await api(
    (_, response) => {
      json(response, [])
    },
    [pulls, items],
  )
  await source.check(new AbortController().signal)
  expect(asked).toEqual(['/items'])
  const other = await api((_, response) => response.writeHead(401).end(), [pulls])
  expect((await failure(other.source.check(new AbortController().signal))).code).toBe('source.unauthorized')
})
