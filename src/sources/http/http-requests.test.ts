import { afterEach, describe, expect, test } from 'vitest'
import { openHttpApi, type HttpApi } from '../../../tests/support/http-api.js'
import type { Filter } from '../../model/filter.js'

const cleanups: (() => unknown)[] = []

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

async function open(...args: Parameters<typeof openHttpApi>): Promise<HttpApi> {
  const api = await openHttpApi(...args)
  cleanups.push(() => api[Symbol.asyncDispose]())
  return api
}

function equal(column: string, text: string, type = 'VARCHAR'): Filter {
  return { kind: 'compare', column, operator: '=', value: { type, text } }
}

function oneOf(column: string, texts: readonly string[], type = 'VARCHAR'): Filter {
  return { kind: 'in', column, negated: false, values: texts.map((text) => ({ type, text })) }
}

const id = { name: 'id', type: 'bigint' }
const search = { name: 'search', endpoint: '/search', method: 'POST', response: { schema: [id] } }
const hostile = '"}, "admin": true, {"x": "\\ \n \u2028 é </script> ${q} {n}'

describe('bodies', () => {
  test('values are put into parsed JSON: whole, typed, inside texts, or left out', async () => {
    const template = `{
      "query": {"text": "{q}", "label": "about \${q}!", "limit": {n}, "ok": "{ok}", "none": "{unset}"},
      "list": ["{q}", "{unset}", 9007199254740993]
    }`
    const params = [
      { name: 'q', required: true },
      { name: 'n', type: 'bigint', default: 5 },
      { name: 'ok', type: 'boolean', default: true },
      { name: 'unset' },
    ]
    const api = await open(() => [], { tables: [{ ...search, params, body: { template } }] })
    await api.scan('search', { filters: [equal('q', hostile), equal('n', '9223372036854775807', 'BIGINT')] })
    const [request] = api.requests
    expect(request).toMatchObject({ method: 'POST', headers: { 'content-type': 'application/json' } })
    expect(JSON.parse(request?.body ?? '')).toMatchObject({
      query: { text: hostile, label: `about ${hostile}!`, ok: true },
      list: [hostile, expect.any(Number)],
    })
    expect(request?.body).not.toContain('none')
    expect(request?.body).toContain('"limit":9223372036854775807,')
    expect(request?.body).toContain(',9007199254740993]')
  })

  test('a template may be written as YAML, and members may be added beside it', async () => {
    const params = [
      { name: 'q', required: true },
      { name: 'size', in: 'body', type: 'int', default: 3 },
      { name: 'trace', in: 'header', default: 't' },
      { name: 'v', default: '1' },
    ]
    const body = { template: { filter: { text: '{q}' } } }
    const api = await open(() => [], { tables: [{ ...search, params, body }] })
    await api.scan('search', { filters: [equal('q', 'x')] })
    expect(api.requests[0]?.body).toBe('{"filter":{"text":"x"},"size":3}')
    expect(api.requests[0]?.headers['trace']).toBe('t')
    expect(api.requests[0]?.url.search).toBe('?v=1')
  })

  test('without a template the body is made of its parameters', async () => {
    const params = [{ name: 'q', in: 'body' }]
    const api = await open(() => [], { tables: [{ ...search, params }] })
    await api.scan('search', { filters: [equal('q', hostile)] })
    await api.scan('search')
    expect(api.requests.map(({ body }) => JSON.parse(body) as unknown)).toEqual([{ q: hostile }, {}])
  })

  test.each<[unknown]>([[{ a: '{q}', fixed: 'x y' }], ['a={q}&fixed=x+y']])('a form of %j', async (template) => {
    const params = [{ name: 'q', required: true }]
    const api = await open(() => [], { tables: [{ ...search, params, body: { kind: 'form', template } }] })
    await api.scan('search', { filters: [equal('q', 'a&admin=1=é')] })
    expect(api.requests[0]?.headers['content-type']).toBe('application/x-www-form-urlencoded')
    expect(api.requests[0]?.body).toBe('a=a%26admin%3D1%3D%C3%A9&fixed=x+y')
  })

  test('the braces of a GraphQL document are its own', async () => {
    const query = 'query($id: ID!) { items(owner: $id) { nodes {id} } }'
    const params = [{ name: 'id', required: true }]
    const body = { template: { query, variables: { id: '{id}' } } }
    const table = { ...search, params, body, response: { schema: [{ name: 'title', type: 'varchar' }] } }
    const api = await open(() => [], { tables: [table] })
    await api.scan('search', { filters: [equal('id', 'x"){ admin }')] })
    expect(JSON.parse(api.requests[0]?.body ?? '')).toEqual({ query, variables: { id: 'x"){ admin }' } })
  })

  test('half a character and an endless text are refused before any request', async () => {
    const api = await open(() => [], { tables: [{ ...search, params: [{ name: 'q', in: 'body' }] }] })
    for (const text of ['\ud800', 'x'.repeat(1_000_000)]) {
      expect((await api.failure('search', { filters: [equal('q', text)] })).code).toBe('source.bad_parameter')
    }
    expect(api.requests).toEqual([])
  })

  test('a redirect of a POST is not followed', async () => {
    const api = await open(
      (_, response) => {
        response.statusCode = 307
        response.setHeader('location', '/other')
        return {}
      },
      { tables: [search] },
    )
    expect((await api.failure('search')).code).toBe('net.redirect_invalid')
    expect(api.requests).toHaveLength(1)
  })

  test('explain shows the body', async () => {
    const params = [{ name: 'q', required: true }]
    const api = await open(() => [], { tables: [{ ...search, params, body: { template: { a: '{q}' } } }] })
    expect((await api.plan('search', { filters: [equal('q', 'x')] })).preview).toEqual(['POST /search {"a":"x"}'])
    expect((await api.plan('search', { keyColumns: ['q'] })).preview).toEqual(['POST /search {"a":"{q}"}'])
  })
})

describe('paging in the body', () => {
  test('body_cursor puts the cursor where it belongs, as the API gave it', async () => {
    const cursors = ['a"b', 9007199254740993n, null]
    const seen: unknown[] = []
    const api = await open(
      ({ body }) => {
        const { variables } = JSON.parse(body) as { variables: { after?: unknown } }
        seen.push(variables.after)
        const next = cursors[seen.length - 1]
        return `{"data":[{"id":${seen.length}}],"page":{"end":${typeof next === 'bigint' ? String(next) : JSON.stringify(next)}}}`
      },
      {
        tables: [
          {
            ...search,
            body: { template: { query: 'query { x }', variables: { first: 10 } } },
            response: { path: '$.data', schema: [id] },
            pagination: { type: 'body_cursor', cursor_path: '$.variables.after', next_path: '$.page.end' },
          },
        ],
      },
    )
    expect(await api.scan('search')).toHaveLength(3)
    expect(seen).toEqual([undefined, 'a"b', 9007199254740992])
    expect(api.requests[2]?.body).toContain('"after":9007199254740993')
  })

  test('pages and sizes go into the body too; a body that comes again is a loop', async () => {
    const pagination = { type: 'page', in: 'body', param: 'p', size_param: '$.size.max', size: 2 }
    const api = await open(
      ({ body }) => {
        const { p, size } = JSON.parse(body) as { p: number; size: { max: number } }
        return Array.from({ length: p === 3 ? 1 : p > 3 ? 0 : size.max }, (_, index) => ({ id: p * 10 + index }))
      },
      { tables: [{ ...search, pagination }] },
    )
    expect((await api.scan('search')).length).toBe(3)
    expect(api.requests[0]?.body).toBe('{"size":{"max":2},"p":1}')
    const looping = await open(() => ({ d: [{ id: 1 }], next: 'same' }), {
      tables: [
        {
          ...search,
          response: { path: '$.d', schema: [id] },
          pagination: { type: 'body_cursor', cursor_path: '$.after', next_path: '$.next' },
        },
      ],
    })
    expect((await looping.failure('search')).code).toBe('source.page_loop')
  })
})

describe('requests by conditions', () => {
  const users = {
    name: 'users',
    endpoint: '/users',
    params: [{ name: 'id', type: 'bigint' }, { name: 'email' }, { name: 'team' }],
    requests: [
      { when_filters: ['id'], endpoint: '/users/{id}' },
      { when_filters: ['email', 'team'], endpoint: '/find', method: 'POST', body: { template: { mail: '{email}' } } },
    ],
    response: { schema: [id, { name: 'email', type: 'varchar' }] },
  }

  test('the first whose conditions are all sent is made', async () => {
    const api = await open(() => [], { tables: [users], limits: { maxRequests: 2 } })
    const preview = async (...filters: Filter[]): Promise<readonly string[]> =>
      (await api.plan('users', { filters })).preview
    expect(await preview()).toEqual(['GET /users'])
    expect(await preview(equal('id', '7', 'BIGINT'))).toEqual(['GET /users/7'])
    expect(await preview(equal('team', 'a'))).toEqual(['GET /users?team=a'])
    expect(await preview(equal('email', 'x@y'), equal('team', 'a'))).toEqual(['POST /find?team=a {"mail":"x@y"}'])
    // Too many for one request each, so the condition is not sent and must not choose the request.
    const many = oneOf('id', ['1', '2', '3'], 'BIGINT')
    const plan = await api.plan('users', { filters: [many] })
    expect(plan).toMatchObject({ preview: ['GET /users'], residual: [many], pushed: [] })
    expect((await api.plan('users', { keyColumns: ['id'] })).preview).toEqual(['GET /users/{id}'])
  })

  test('a condition that the request has no place for is applied afterwards, or refused where the rows cannot say', async () => {
    const api = await open(() => [], { tables: [users] })
    const email = equal('email', 'x@y')
    const byId = await api.plan('users', { filters: [equal('id', '7', 'BIGINT'), email] })
    expect(byId.preview).toEqual(['GET /users/7'])
    expect(byId.residual).toContain(email)
    expect(byId.pushed).not.toContain(email)
    const only = {
      ...users,
      name: 'only',
      params: [
        { name: 'id', type: 'bigint' },
        { name: 'mail', in: 'body' },
      ],
      requests: [{ when_filters: ['id'], endpoint: '/users/{id}' }],
    }
    const other = await open(() => [], { tables: [{ ...only, method: 'POST' }] })
    const error = await other.failure('only', { filters: [equal('id', '7', 'BIGINT'), equal('mail', 'x')] })
    expect(error.code).toBe('source.unsupported_condition')
  })

  test('without a request that is always possible a query without conditions is refused', async () => {
    const api = await open(() => [], { tables: [{ ...users, endpoint: undefined }] })
    const error = await api.failure('users')
    expect(error).toMatchObject({
      code: 'source.required_filter',
      message: 'api.users needs a condition on id, or email and team.',
    })
    expect(api.requests).toEqual([])
  })
})

describe('errors in answers that look like rows', () => {
  const table = (error: object): object => ({
    name: 'items',
    endpoint: '/items',
    response: { path: '$.items', schema: [id], error },
  })

  test('what the workspace file points at is an error where it says something', async () => {
    for (const [answer, text] of [
      [{ items: [{ id: 1 }], incomplete_results: true }, '$.incomplete_results is true'],
      [{ items: [], meta: { problem: { message: 'quota' } } }, 'It says: quota'],
    ] as const) {
      const path = ['$.incomplete_results', '$.meta.problem']
      const api = await open(() => answer, { tables: [table({ path })] })
      const error = await api.failure('items')
      expect(error.code).toBe('source.error_answer')
      expect(error.message).toContain(text)
    }
    for (const fine of [false, null, '', [], 0]) {
      const api = await open(() => ({ items: [{ id: 1 }], bad: fine }), { tables: [table({ path: '$.bad' })] })
      expect(await api.scan('items')).toHaveLength(1)
    }
  })

  test('listed statuses are errors also where they have rows; the others stay errors', async () => {
    for (const [status, rules, isError] of [
      [203, ['203'], true],
      [203, ['>=204'], false],
      [201, ['2xx'], true],
      [404, ['5xx'], true],
      [200, [404, '>=500'], false],
    ] as const) {
      const api = await open(
        (_, response) => {
          response.statusCode = status
          return { items: [{ id: 1 }] }
        },
        { tables: [table({ status: rules })] },
      )
      const run = api.scan('items').then(
        () => false,
        () => true,
      )
      expect([status, await run]).toEqual([status, isError])
    }
  })
})

describe('a page that passes for the last', () => {
  const cursor = { type: 'cursor', next_path: '$.meta.nxt', param: 'after' }
  const table = { name: 'items', endpoint: '/items', response: { path: '$.items', schema: [id] } }

  test.each<[string, object, object | undefined]>([
    ['a cursor under another key', { meta: { next: 'abc' } }, cursor],
    ['a misspelled path', { mta: { nextToken: 'abc' } }, cursor],
    ['has_more', { has_more: true }, cursor],
    ['a cursor, and no pagination declared', { next_cursor: 'abc' }, undefined],
    ['a next address, and no pagination declared', { paging: { next: 'https://x/y' } }, undefined],
  ])('is an error where the answer has %s', async (_, more, pagination) => {
    const api = await open(() => ({ items: [{ id: 1 }], ...more }), {
      tables: [{ ...table, ...(pagination === undefined ? {} : { pagination }) }],
    })
    const error = await api.failure('items')
    expect(error.code).toBe('source.cursor_missing')
    expect(error.hint).toContain('Set pagination')
    await expect(api.source.check(new AbortController().signal)).rejects.toMatchObject({
      code: 'source.cursor_missing',
    })
  })

  test.each<[string, object]>([
    ['no sign of more', { meta: {}, total: 1, has_more: false, next_cursor: null, previous_cursor: 'x' }],
    ['an empty cursor', { meta: { nxt: '' }, has_more: true }],
  ])('is the last with %s', async (_, more) => {
    const api = await open(() => ({ items: [{ id: 1 }], ...more }), { tables: [{ ...table, pagination: cursor }] })
    expect(await api.scan('items')).toHaveLength(1)
  })

  test('a path that was seen once is believed; one that never was is doubted in the plan', async () => {
    let count = 0
    const api = await open(
      () => (++count === 2 ? { items: [{ id: 2 }], has_more: true } : { items: [{ id: 1 }], meta: { nxt: 'x' } }),
      { tables: [{ ...table, pagination: cursor }] },
    )
    expect(await api.scan('items')).toHaveLength(2)
    expect((await api.plan('items')).notes?.join()).not.toContain('no answer had')
    const never = await open(() => ({ items: [{ id: 1 }] }), { tables: [{ ...table, pagination: cursor }] })
    expect((await never.plan('items')).notes?.join()).not.toContain('no answer had')
    await never.scan('items')
    expect((await never.plan('items')).notes?.join()).toContain('no answer had $.meta.nxt so far')
  })
})
