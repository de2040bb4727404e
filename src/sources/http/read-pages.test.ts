import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { startApiServer, type ApiServer } from '../../../tests/support/api-server.js'
import { batchesOf, CountingMeter, openSource, planOf } from '../../../tests/support/open-source.js'
import { QuerentError } from '../../errors/querent-error.js'
import type { ScanRequest, Source } from '../source.js'
import { httpKind } from './http-kind.js'

const cleanups: (() => unknown)[] = []

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

type Answer = (query: URLSearchParams, response: ServerResponse, request: IncomingMessage) => void

interface Api {
  readonly source: Source
  readonly server: ApiServer
}

async function api(pagination: object, answer: Answer, table: object = {}): Promise<Api> {
  const server = await startApiServer((request, response) => {
    response.setHeader('content-type', 'application/json')
    answer(new URL(request.url ?? '', 'http://x').searchParams, response, request)
  })
  const source = await openSource(httpKind, {
    name: 'api',
    kind: 'http',
    config: { base_url: server.url, retry: { base_backoff_ms: 1, max_backoff_ms: 1 } },
    tables: [
      {
        name: 'rows',
        endpoint: '/rows?sort=a%20b',
        response: { path: '$.data', schema: [{ name: 'id', type: 'bigint' }] },
        pagination,
        ...table,
      },
    ],
  })
  cleanups.push(
    () => {
      server.close()
    },
    () => source[Symbol.asyncDispose](),
  )
  return { source, server }
}

async function idsOf(source: Source, request: Partial<ScanRequest> = {}): Promise<readonly unknown[]> {
  const batches = await batchesOf(source, await planOf(source, 'rows', request), { meter: new CountingMeter() })
  return batches
    .flatMap(({ texts }) => texts)
    .flatMap((text) => (JSON.parse(text) as { readonly data: readonly { readonly id: unknown }[] }).data)
    .map(({ id }) => id)
}

async function codeOf(source: Source, request: Partial<ScanRequest> = {}): Promise<string> {
  const error: unknown = await idsOf(source, request).catch((reason: unknown) => reason)
  return error instanceof QuerentError ? error.code : expect.fail(`no error but ${String(error)}`)
}

function ids(count: number, from = 0): { readonly id: number }[] {
  return Array.from({ length: count }, (_, index) => ({ id: from + index }))
}

function send(response: ServerResponse, value: unknown): void {
  response.end(JSON.stringify(value))
}

/** An API with `total` rows that gives at most `cap` of them per page. */
function numbered(total: number, options: { readonly cap?: number; readonly extra?: object } = {}): Answer {
  return (query, response) => {
    const size = Math.min(Number(query.get('size') ?? 10), options.cap ?? 1_000)
    const start = query.has('offset') ? Number(query.get('offset')) : (Number(query.get('page')) - 1) * size
    send(response, { ...options.extra, data: ids(Math.max(0, Math.min(size, total - start)), start) })
  }
}

const page = { type: 'page', param: 'page', size_param: 'size', size: 10 }
const offset = { type: 'offset', param: 'offset', size_param: 'size', size: 10 }

for (const style of [page, offset]) {
  test.each([0, 1, 9, 10, 11, 20, 95, 100])(`${style.type}: all of %i rows, in order`, async (total) => {
    const { source, server } = await api(style, numbered(total))
    expect(await idsOf(source)).toEqual(ids(total).map(({ id }) => id))
    // An empty page is the proof of the end; what is asked beyond it was on its way already.
    expect(server.asked.length).toBeLessThanOrEqual(Math.ceil(total / 10) + 8)
    expect(server.asked[0]).toMatch(/^\/rows\?sort=a%20b&size=10&(page=1|offset=0)$/)
  })

  test(`${style.type}: pages smaller than asked for lose nothing`, async () => {
    const { source } = await api(style, numbered(45, { cap: 7 }))
    expect(await idsOf(source)).toEqual(ids(45).map(({ id }) => id))
  })

  test(`${style.type}: a total saves the look beyond the end, and is not believed blindly`, async () => {
    const whole = await api({ ...style, total_path: '$.total' }, numbered(25, { extra: { total: 25 } }))
    expect(await idsOf(whole.source)).toHaveLength(25)
    expect(whole.server.asked).toHaveLength(3)
    const ownCount = await api({ ...style, total_path: '$.total' }, numbered(25, { extra: { total: 10 } }))
    expect(await idsOf(ownCount.source)).toHaveLength(25)
    const missing = await api({ ...style, total_path: '$.total' }, numbered(25, { extra: { total: 40 } }))
    expect(await codeOf(missing.source)).toBe('source.rows_missing')
  })

  test(`${style.type}: LIMIT asks for no more than it needs`, async () => {
    const { source, server } = await api(style, numbered(1_000))
    expect(await idsOf(source, { limit: 10 })).toHaveLength(10)
    expect(server.asked).toHaveLength(1)
    expect(await idsOf(source, { limit: 21 })).toHaveLength(30)
    expect(server.asked).toHaveLength(4)
  })

  test(`${style.type}: exactly as many pages as allowed are whole, one more is an error`, async () => {
    const table = { safety: { max_pages: 3 } }
    expect(await idsOf((await api(style, numbered(30), table)).source)).toHaveLength(30)
    expect(await codeOf((await api(style, numbered(31), table)).source)).toBe('source.page_limit')
  })

  test(`${style.type}: an API that ignores the parameter is found out`, async () => {
    const { source } = await api(style, (_, response) => {
      send(response, { data: ids(10) })
    })
    expect(await codeOf(source)).toBe('source.page_loop')
  })

  test(`${style.type}: a failed page fails the scan, however late`, async () => {
    const answer = numbered(100)
    const { source } = await api(style, (query, response, request) => {
      if (query.get('page') === '7' || query.get('offset') === '60') response.statusCode = 500
      answer(query, response, request)
    })
    expect(await codeOf(source)).toBe('source.server_error')
  })
}

test('an error beyond the end is no failure, but after a full page only 404 is the end', async () => {
  const beyond =
    (status: number, total: number): Answer =>
    (query, response, request) => {
      if ((Number(query.get('page')) - 1) * 10 >= total) response.statusCode = status
      numbered(total)(query, response, request)
    }
  expect(await idsOf((await api(page, beyond(404, 20))).source)).toHaveLength(20)
  expect(await idsOf((await api(page, beyond(400, 15))).source)).toHaveLength(15)
  expect(await codeOf((await api(page, beyond(422, 20))).source)).toBe('source.bad_request')
  expect(await codeOf((await api(page, beyond(404, 0))).source)).toBe('source.not_found')
})

test('an empty page before one with rows is an error', async () => {
  const { source } = await api(page, (query, response) => {
    send(response, { data: query.get('page') === '2' ? [] : ids(10, Number(query.get('page')) * 10) })
  })
  expect(await codeOf(source)).toBe('source.uneven_pages')
})

test('pages are asked for in parallel, as many as the source allows', async () => {
  let inFlight = 0
  let most = 0
  const answer = numbered(500)
  const { source } = await api(page, (query, response, request) => {
    most = Math.max(most, ++inFlight)
    setTimeout(() => {
      inFlight--
      answer(query, response, request)
    }, 20)
  })
  expect(await idsOf(source)).toHaveLength(500)
  expect(most).toBe(8)
})

test('a cursor goes back as it came, until there is none', async () => {
  const cursors = ['a b&c=d', 9_007_199_254_740_993n, null]
  const { source, server } = await api(
    { type: 'cursor', next_path: '$.meta.next', param: 'after' },
    (query, response) => {
      const index = query.has('after') ? cursors.findIndex((cursor) => String(cursor) === query.get('after')) + 1 : 0
      const next = cursors[index]
      response.end(
        `{"data":[{"id":${index}}],"meta":{"next":${typeof next === 'bigint' ? String(next) : JSON.stringify(next)}}}`,
      )
    },
  )
  expect(await idsOf(source)).toEqual([0, 1, 2])
  expect(server.asked[1]).toBe('/rows?sort=a%20b&after=a%20b%26c%3Dd')
  expect(server.asked[2]).toBe('/rows?sort=a%20b&after=9007199254740993')
})

test('a cursor that comes again is a loop', async () => {
  const { source } = await api({ type: 'cursor', next_path: '$.next', param: 'after' }, (_, response) => {
    send(response, { data: ids(1), next: 'same' })
  })
  expect(await codeOf(source)).toBe('source.page_loop')
})

test('a next address in the body is followed under the same guard as links', async () => {
  const { source } = await api({ type: 'next_url', next_path: '$.next' }, (query, response) => {
    send(response, { data: ids(1, Number(query.get('p'))), next: query.has('p') ? null : '/rows?p=7' })
  })
  expect(await idsOf(source)).toEqual([0, 7])
  const elsewhere = await api({ type: 'next_url', next_path: '$.next' }, (_, response) => {
    send(response, { data: ids(1), next: 'http://10.0.0.1/rows' })
  })
  expect(await codeOf(elsewhere.source)).toBe('net.host_refused')
})

test('row_cursor goes on after the last row, until the API says so or a page is empty', async () => {
  const answer: Answer = (query, response) => {
    const start = query.has('after') ? Number(query.get('after')) + 1 : 0
    send(response, { data: ids(Math.max(0, Math.min(3, 7 - start)), start), more: start + 3 < 7 })
  }
  const told = await api({ type: 'row_cursor', param: 'after', more_path: '$.more' }, answer)
  expect(await idsOf(told.source)).toEqual([0, 1, 2, 3, 4, 5, 6])
  expect(told.server.asked).toHaveLength(3)
  const untold = await api({ type: 'row_cursor', param: 'after', field: '$.id' }, answer)
  expect(await idsOf(untold.source)).toEqual([0, 1, 2, 3, 4, 5, 6])
  expect(untold.server.asked).toHaveLength(4)
  const without = await api({ type: 'row_cursor', param: 'after', field: 'key' }, answer)
  expect(await codeOf(without.source)).toBe('source.next_page')
})
