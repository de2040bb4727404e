import { afterEach, expect, test } from 'vitest'
import { openHttpApi, type HttpApi } from '../../../tests/support/http-api.js'

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

test('requests of all scans together keep the pace', async () => {
  const arrivals: number[] = []
  const api = await open(
    () => {
      arrivals.push(performance.now())
      return []
    },
    { config: { rate_limit: { requests_per_second: 50 } }, tables: [items] },
  )
  await api.scan('items')
  const start = performance.now()
  await Promise.all(Array.from({ length: 5 }, () => api.scan('items')))
  // At least four intervals of 20 ms; a timer may be early by a fraction of a millisecond, never more.
  expect((arrivals.at(-1) ?? 0) - start).toBeGreaterThan(75)
})

test('a quota that is used up holds every scan back, and a long wait is refused at once', async () => {
  const limit = { rate_limit: { remaining_header: 'X-Left', reset_header: 'X-Reset' } }
  const api = await open(
    (_, response) => {
      response.setHeader('x-left', '0')
      response.setHeader('x-reset', String(Math.floor(Date.now() / 1_000) + 1_000))
      return []
    },
    { config: limit, tables: [items] },
  )
  await api.scan('items')
  const error = await api.failure('items')
  expect(error.code).toBe('source.quota_used_up')
  expect(error.message).toMatch(/^api\.items, request 1: the source takes requests again in \d+ s/)
  expect(api.requests).toHaveLength(1)
})

test('a quota that comes back soon is waited for', async () => {
  const limit = { rate_limit: { remaining_header: 'x-left', reset_header: 'x-reset' } }
  let first = 0
  let second = 0
  const api = await open(
    (_, response) => {
      if (first === 0) {
        first = performance.now()
        response.setHeader('x-left', '0')
        response.setHeader('x-reset', '0.2')
      } else second = performance.now()
      return []
    },
    { config: limit, tables: [items] },
  )
  await api.scan('items')
  await api.scan('items')
  expect(second - first).toBeGreaterThan(190)
})

test('a wait ends with the query', async () => {
  const limit = { rate_limit: { requests_per_second: 0.01 } }
  const api = await open(() => [], { config: limit, tables: [items] })
  await api.scan('items')
  const reason = new TypeError('given up')
  const controller = new AbortController()
  const scan = api.scan('items', {}, { signal: controller.signal })
  controller.abort(reason)
  await expect(scan).rejects.toBe(reason)
  expect(api.requests).toHaveLength(1)
})

test('other statuses may mean too many requests, and are tried again', async () => {
  let count = 0
  const api = await open(
    (_, response) => {
      if (++count < 3) response.statusCode = 403
      return count < 3 ? { message: 'secondary limit' } : [{ id: 1 }]
    },
    { config: { rate_limit: { extra_statuses: [403] } }, tables: [items] },
  )
  expect(await api.scan('items')).toHaveLength(1)
  expect(count).toBe(3)
  const always = await open(
    (_, response) => {
      response.statusCode = 403
      return {}
    },
    { config: { rate_limit: { extra_statuses: [403] } }, tables: [items] },
  )
  expect((await always.failure('items')).code).toBe('source.rate_limited')
})

test('a POST is tried again only where the table says that it is idempotent', async () => {
  const post = { ...items, method: 'POST' }
  for (const idempotent of [undefined, false, true]) {
    const api = await open(
      (_, response) => {
        response.statusCode = 503
        return {}
      },
      { tables: [{ ...post, ...(idempotent === undefined ? {} : { idempotent }) }] },
    )
    expect((await api.failure('items')).code).toBe('source.server_error')
    expect(api.requests).toHaveLength(idempotent === true ? 3 : 1)
  }
})
