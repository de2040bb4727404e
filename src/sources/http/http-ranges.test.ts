import { afterEach, describe, expect, test } from 'vitest'
import { openHttpApi, type HttpApi } from '../../../tests/support/http-api.js'
import type { ComparisonOperator, Filter } from '../../model/filter.js'

const cleanups: (() => unknown)[] = []

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

async function open(...args: Parameters<typeof openHttpApi>): Promise<HttpApi> {
  const api = await openHttpApi(...args)
  cleanups.push(() => api[Symbol.asyncDispose]())
  return api
}

function compare(column: string, operator: ComparisonOperator, text: string, type: string): Filter {
  return { kind: 'compare', column, operator, value: { type, text } }
}

function oneOf(column: string, texts: readonly string[], type: string): Filter {
  return { kind: 'in', column, negated: false, values: texts.map((text) => ({ type, text })) }
}

interface Case {
  readonly column: string
  readonly sends?: string
  readonly accepts: readonly string[]
  readonly emit?: object
  readonly exact?: boolean
}

async function apiFor({ column, sends, ...param }: Case): Promise<HttpApi> {
  return await open(() => [], {
    tables: [
      {
        name: 'items',
        endpoint: '/items',
        params: [{ name: 'x', ...param, ...(sends === undefined ? {} : { type: sends }) }],
        response: {
          schema: [
            { name: 'id', type: 'bigint' },
            { name: 'x', type: column },
          ],
        },
      },
    ],
  })
}

const both = { accepts: ['>=', '<='], emit: { '>=': 'from', '<=': 'to' } }
const strict = { accepts: ['>', '<'], emit: { '>': 'after', '<': 'before' } }
const ts = 'TIMESTAMP'

describe('ranges keep every row that the condition lets through', () => {
  test.each<[Case, readonly Filter[], string]>([
    [{ column: 'timestamp', ...both }, [compare('x', '>=', '2024-01-15 10:00:00', ts)], 'from=2024-01-15T10:00:00Z'],
    [{ column: 'timestamp', ...both }, [compare('x', '>', '2024-01-15 10:00:00.7', ts)], 'from=2024-01-15T10:00:00Z'],
    [
      { column: 'timestamp', ...both },
      [compare('x', '<', '2024-01-15 10:00:00.000001', ts)],
      'to=2024-01-15T10:00:01Z',
    ],
    [{ column: 'timestamp', ...strict }, [compare('x', '>', '2024-01-15 10:00:00', ts)], 'after=2024-01-15T09:59:59Z'],
    [{ column: 'timestamp', ...strict }, [compare('x', '>=', '2024-01-15 10:00:00', ts)], 'after=2024-01-15T09:59:59Z'],
    [
      { column: 'timestamp', ...strict },
      [compare('x', '<=', '2024-01-15 10:00:00', ts)],
      'before=2024-01-15T10:00:01Z',
    ],
    [{ column: 'timestamp', ...strict }, [compare('x', '<', '2024-01-15 10:00:00', ts)], 'before=2024-01-15T10:00:00Z'],
    [
      { column: 'timestamptz', sends: 'bigint', ...both },
      [compare('x', '>=', '2024-01-15 10:00:00.5+00', 'TIMESTAMP WITH TIME ZONE')],
      'from=1705312800',
    ],
    // A day of the API may begin half a day earlier or later than one of UTC.
    [
      { column: 'timestamp', sends: 'date', ...both },
      [compare('x', '>=', '2024-03-01 00:30:00', ts)],
      'from=2024-02-29',
    ],
    [{ column: 'timestamp', sends: 'date', ...both }, [compare('x', '<', '2024-02-28 12:00:00', ts)], 'to=2024-03-01'],
    [{ column: 'date', ...both }, [compare('x', '>', '2024-02-28', 'DATE')], 'from=2024-02-28'],
    [{ column: 'date', ...strict }, [compare('x', '>=', '2024-03-01', 'DATE')], 'after=2024-02-29'],
    [
      { column: 'bigint', ...strict },
      [compare('x', '>=', '9223372036854775807', 'BIGINT')],
      'after=9223372036854775806',
    ],
    [{ column: 'bigint', ...both }, [compare('x', '=', '7', 'BIGINT')], 'from=7&to=7'],
    [{ column: 'double', ...both }, [compare('x', '>', '1.5', 'DOUBLE')], 'from=1.5'],
    [{ column: 'double', ...strict }, [compare('x', '>=', '1.5', 'DOUBLE')], ''],
    [{ column: 'decimal(10,2)', ...both }, [compare('x', '<', '19.99', 'DECIMAL(10,2)')], 'to=19.99'],
    [{ column: 'timestamp', ...both }, [compare('x', '>=', 'infinity', ts)], ''],
    [
      { column: 'bigint', ...both },
      [compare('x', '>=', '3', 'BIGINT'), compare('x', '>', '10', 'BIGINT'), compare('x', '<', '9', 'BIGINT')],
      'from=10&to=9',
    ],
    [
      { column: 'timestamp', accepts: ['>='] },
      [compare('x', '>=', '2024-01-15 10:00:00', ts)],
      'x=2024-01-15T10:00:00Z',
    ],
    [{ column: 'timestamp', accepts: ['>='] }, [compare('x', '<', '2024-01-15 10:00:00', ts)], ''],
  ])('%j %j', async (param, filters, query) => {
    const api = await apiFor(param)
    const plan = await api.plan('items', { filters, limit: 5 })
    expect(decodeURIComponent(plan.preview[0] ?? '')).toBe(query === '' ? 'GET /items' : `GET /items?${query}`)
    expect(plan.residual).toEqual(filters)
    expect(plan.limit).toBeUndefined()
  })

  test('exact only where it is declared, with the operator and the precision that were asked', async () => {
    const api = await apiFor({ column: 'timestamp', ...both, exact: true })
    const exact = compare('x', '>=', '2024-01-15 10:00:00.123456', ts)
    const plan = await api.plan('items', { filters: [exact], limit: 5 })
    expect(decodeURIComponent(plan.preview[0] ?? '')).toBe('GET /items?from=2024-01-15T10:00:00.123456Z')
    expect(plan).toMatchObject({ residual: [], pushed: [exact], limit: 5 })
    const other = compare('x', '>', '2024-01-15 10:00:00.123456', ts)
    expect((await api.plan('items', { filters: [other] })).residual).toEqual([other])
  })

  test('a default gives way to a range; = and IN stay with the operators that are accepted', async () => {
    const param = { name: 'x', default: 1, accepts: ['=', '>='], emit: { '>=': 'min' } }
    const api = await open(() => [], {
      tables: [
        {
          name: 'items',
          endpoint: '/items',
          params: [param],
          response: { schema: [{ name: 'x', type: 'int' }] },
        },
      ],
    })
    const preview = async (...filters: Filter[]): Promise<readonly string[]> =>
      (await api.plan('items', { filters })).preview
    expect(await preview()).toEqual(['GET /items?x=1'])
    expect(await preview(compare('x', '>', '3', 'INTEGER'))).toEqual(['GET /items?min=3'])
    expect(await preview(compare('x', '=', '3', 'INTEGER'))).toEqual(['GET /items?x=3'])
    expect((await api.failure('items', { filters: [compare('x', '<', '3', 'INTEGER')] })).code).toBe(
      'source.default_conflict',
    )
  })

  test('bounds go into the body and the path as other values do', async () => {
    const api = await open(() => [], {
      tables: [
        {
          name: 'items',
          endpoint: '/items',
          method: 'POST',
          params: [{ name: 'x', accepts: ['>=', '<'], emit: { '>=': 'since', '<': 'until' } }],
          body: { template: '{"range": {"gte": {since}, "lt": "{until}"}}' },
          response: { schema: [{ name: 'x', type: 'bigint' }] },
        },
      ],
    })
    await api.scan('items', { filters: [compare('x', '>=', '9007199254740993', 'BIGINT')] })
    expect(api.requests[0]?.body).toBe('{"range":{"gte":9007199254740993}}')
  })
})

describe('lists', () => {
  const table = (explode: unknown, more: object = {}): object => ({
    name: 'items',
    endpoint: '/items',
    params: [{ name: 'id', explode }],
    response: { schema: [{ name: 'id', type: 'bigint' }] },
    ...more,
  })
  const ids = (count: number): string[] => Array.from({ length: count }, (_, index) => String(index))

  test('IN as repeated pairs, or joined', async () => {
    const api = await open(() => [], { tables: [table(true), { ...table({ separator: ',' }), name: 'joined' }] })
    await api.scan('items', { filters: [oneOf('id', ['1', '2', '3'], 'BIGINT')] })
    await api.scan('joined', { filters: [oneOf('id', ['1', '2', '3'], 'BIGINT')] })
    expect(api.requests.map(({ url }) => url.search)).toEqual(['?id=1&id=2&id=3', '?id=1%2C2%2C3'])
  })

  test('200 keys of a join are four requests, each with the rows that belong to it', async () => {
    const api = await open(() => [{ id: 1 }], { tables: [table({ separator: ',', max: 50 })] })
    const plan = await api.plan('items', { keyColumns: ['id'] })
    expect(plan.keysPerRequest).toBe(50)
    const keys = [...ids(200), '5', '7'].map((key) => [key])
    const batches = await api.scan('items', { keyColumns: ['id'] }, { keys })
    expect(api.requests).toHaveLength(4)
    const asked = api.requests.flatMap(({ url }) => (url.searchParams.get('id') ?? '').split(','))
    expect(asked.sort()).toEqual(ids(200).sort())
    expect(batches.map(({ matchAny }) => matchAny?.['id']?.length)).toEqual([50, 50, 50, 50])
    expect(batches[0]?.constants).toEqual({})
  })

  test('a list in the path and in the body', async () => {
    const api = await open(() => [], {
      tables: [
        table(
          { separator: ',' },
          { endpoint: '/items/{id}', params: [{ name: 'id', required: true, explode: { separator: ',' } }] },
        ),
        table(true, { name: 'body', method: 'POST', body: { template: { ids: '{id}' } } }),
      ],
    })
    await api.scan('items', { filters: [oneOf('id', ['1', '2'], 'BIGINT')] })
    await api.scan('body', { filters: [oneOf('id', ['1', '2'], 'BIGINT')] })
    expect(api.requests[0]?.url.pathname).toBe('/items/1%2C2')
    expect(api.requests[1]?.body).toBe('{"ids":[1,2]}')
  })

  test('a value that holds the separator is refused, not taken for two', async () => {
    const params = [{ name: 'tag', explode: { separator: ',' } }]
    const response = { schema: [{ name: 'tag', type: 'varchar' }] }
    const api = await open(() => [], { tables: [table(true, { params, response })] })
    const error = await api.failure('items', { filters: [oneOf('tag', ['a', 'b,c'], 'VARCHAR')] })
    expect(error.code).toBe('source.bad_parameter')
    expect(api.requests).toEqual([])
  })

  test('where the rows do not say which value is theirs, each value is asked for alone', async () => {
    const api = await open(() => [], { tables: [table(true, { response: { schema: [{ name: 'x', type: 'int' }] } })] })
    const plan = await api.plan('items', { filters: [oneOf('id', ['1', '2'], 'BIGINT')] })
    expect(plan.preview).toEqual(['GET /items?id=1', 'GET /items?id=2'])
    expect(plan.notes?.join()).toContain('one request for each value')
  })

  test('more values than one request takes are several, beyond the limit of requests a local condition', async () => {
    const api = await open(() => [], { tables: [table({ max: 2 })], limits: { maxRequests: 2 } })
    const plan = await api.plan('items', { filters: [oneOf('id', ids(3), 'BIGINT')] })
    expect(plan.preview).toEqual(['GET /items?id=0&id=1', 'GET /items?id=2'])
    expect((await api.plan('items', { filters: [oneOf('id', ids(9), 'BIGINT')] })).preview).toEqual(['GET /items'])
  })
})

describe('derived parameters', () => {
  test('parts of another one', async () => {
    const part = (name: string, index: number): object => ({
      name,
      derive: { kind: 'split', from: 'full_name', separator: '/', part: index },
    })
    const api = await open(() => [{ id: 1 }], {
      tables: [
        {
          name: 'pulls',
          endpoint: '/repos/{owner}/{repo}/pulls',
          params: [{ name: 'full_name', required: true }, part('owner', 0), part('repo', 1)],
          response: { schema: [{ name: 'id', type: 'int' }] },
        },
      ],
    })
    const of = (text: string): { filters: Filter[] } => ({ filters: [compare('full_name', '=', text, 'VARCHAR')] })
    const [batch] = await api.scan('pulls', of('duckdb/wasm'))
    expect(api.requests[0]?.url.pathname).toBe('/repos/duckdb/wasm/pulls')
    expect(api.requests[0]?.url.search).toBe('')
    expect(batch?.constants).toMatchObject({ owner: { text: 'duckdb' }, repo: { text: 'wasm' } })
    expect((await api.failure('pulls', of('duckdb'))).code).toBe('source.bad_parameter')
    expect((await api.failure('pulls', of('../x'))).code).toBe('source.bad_parameter')
    expect((await api.plan('pulls', { keyColumns: ['full_name'] })).preview).toEqual([
      'GET /repos/{owner}/{repo}/pulls',
    ])
  })

  test('a time before now, until a query says another', async () => {
    const api = await open(() => [], {
      tables: [
        {
          name: 'items',
          endpoint: '/items',
          params: [{ name: 'since', type: 'timestamp', derive: { kind: 'ago', seconds: 3600 } }],
          response: { schema: [{ name: 'id', type: 'int' }] },
        },
      ],
    })
    const before = Math.floor(Date.now() / 1_000)
    await api.scan('items')
    const sent = Date.parse(api.requests[0]?.url.searchParams.get('since') ?? '') / 1_000
    expect(sent).toBeGreaterThanOrEqual(before - 3_600)
    expect(sent).toBeLessThanOrEqual(Math.floor(Date.now() / 1_000) - 3_600)
    await api.scan('items', { filters: [compare('since', '=', '2024-01-01 00:00:00', ts)] })
    expect(api.requests[1]?.url.searchParams.get('since')).toBe('2024-01-01T00:00:00Z')
  })
})

test('a LIMIT asks for a page no larger than it needs', async () => {
  const pagination = { type: 'cursor', next_path: '$.next', param: 'after', size_param: 'n', size: 100 }
  const api = await open(() => ({ d: [{ id: 1 }], next: null }), {
    tables: [
      {
        name: 'items',
        endpoint: '/items',
        response: { path: '$.d', schema: [{ name: 'id', type: 'int' }] },
        pagination,
      },
    ],
  })
  await api.scan('items', { limit: 7 })
  await api.scan('items', { limit: 700 })
  await api.scan('items')
  expect(api.requests.map(({ url }) => url.search)).toEqual(['?n=7', '?n=100', '?n=100'])
})

test('columns are learned from a whole page', async () => {
  const pagination = { type: 'page', param: 'p', size_param: 'n', size: 50 }
  const api = await open(() => [{ id: 1 }, { id: 'x' }], {
    tables: [{ name: 'items', endpoint: '/items', pagination }],
  })
  const options = { signal: new AbortController().signal, learn: {} }
  const [table] = await api.source.describeTables([{ source: 'api', table: 'items' }], options)
  expect(api.requests[0]?.url.search).toBe('?n=50&p=1')
  expect(table?.columns.map(({ type }) => type)).toEqual(['VARCHAR'])
})

test('a row that moved to a later page comes once; rows without a key stay', async () => {
  const pages = [
    [{ id: 1, in: { org: 'a' } }, { id: 2, in: { org: 'a' } }, { id: null }],
    [{ id: 2, in: { org: 'a' } }, { id: 2, in: { org: 'b' } }, { id: null }],
    [{ id: 1, in: { org: 'a' } }],
  ]
  const api = await open(({ url }) => ({ d: pages[Number(url.searchParams.get('p')) - 1] ?? [] }), {
    tables: [
      {
        name: 'items',
        endpoint: '/items',
        key: ['id', 'org'],
        response: {
          path: '$.d',
          schema: [
            { name: 'id', type: 'int' },
            { name: 'org', type: 'varchar', source: '$.in.org' },
          ],
        },
        pagination: { type: 'page', param: 'p' },
      },
    ],
  })
  const batches = await api.scan('items', { limit: 3 })
  expect(batches.flatMap(({ texts }) => texts)).toEqual([
    JSON.stringify({ d: pages[0] }),
    JSON.stringify({ d: [{ id: 2, in: { org: 'b' } }, { id: null }] }),
  ])
  expect((await api.plan('items', { limit: 3 })).limit).toBeUndefined()
  const [table] = await api.source.describeTables([{ source: 'api', table: 'items' }], {
    signal: new AbortController().signal,
  })
  expect(table?.primaryKey).toEqual(['id', 'org'])
})
