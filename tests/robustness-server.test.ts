import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startApiServer, type ApiServer } from './support/api-server.js'
import { isAlive, ServedWorkspace } from './support/served-workspace.js'

const endless = 'SELECT count(*) FROM range(1000000) a, range(1000000) b WHERE a.range + b.range = 3'
const waitMs = { timeout: 30_000 }

let current: ServedWorkspace
let api: ApiServer
/** Answers of /hang that wait, and how many of them lost their client. */
let hanging: ServerResponse[] = []
let lost = 0

beforeEach(async () => {
  hanging = []
  lost = 0
  api = await startApiServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://x')
    response.writeHead(200, { 'content-type': 'application/json' })
    if (pathname !== '/items/hang') {
      response.end(JSON.stringify([{ title: pathname }]))
      return
    }
    hanging.push(response)
    response.on('close', () => {
      if (!response.writableFinished) lost++
    })
    response.write('[')
  })
  current = new ServedWorkspace()
  await current.start({
    limits: { memory: '300MB', concurrent: 4, waiting: 100, temp: '200MB' },
    sources: [
      {
        name: 'api',
        kind: 'http',
        config: { base_url: api.url, retry: { max_retries: 0 } },
        tables: [
          {
            name: 'items',
            endpoint: '/items/{owner}',
            params: [{ name: 'owner', required: true }],
            response: { schema: [{ name: 'title', type: 'varchar' }] },
          },
        ],
      },
    ],
  })
})

afterEach(async () => {
  await current.stop()
  api.close()
})

function items(owner: string): string {
  return `SELECT title FROM api.items WHERE owner = '${owner}'`
}

async function expectNext(): Promise<void> {
  expect((await current.query('SELECT 6 * 7')).body).toMatchObject({ rows: [[42]] })
}

/** Kills the worker, the server's one child. */
function killWorker(): void {
  const [, worker] = current.family()
  if (worker === undefined) throw new TypeError('there is no worker')
  process.kill(worker, 'SIGKILL')
}

describe('a server over HTTP', () => {
  it('gives 500 requests of two callers their own rows, or says that it is busy', async () => {
    const answers = await Promise.all(
      Array.from({ length: 500 }, (_, index) =>
        current.query(items(`o${index}`), { caller: index % 2 === 0 ? 'alice' : 'bob' }),
      ),
    )
    const busy = answers.filter(({ body }) => body['code'] === 'server.busy')
    for (const [index, { status, body }] of answers.entries()) {
      if (status !== 429) expect(body['rows']).toEqual([[`/items/o${index}`]])
    }
    expect(busy).toHaveLength(answers.filter(({ status }) => status === 429).length)
    expect(busy.length).toBeLessThanOrEqual(400)
    await expectNext()
    expect(current.unfinished()).toEqual([])
  })

  it('ends what takes too much, and runs the next query', async () => {
    const statements: readonly (readonly [string, string])[] = [
      ['SELECT len(range(300000000))', 'OutOfMemoryException'],
      ['WITH RECURSIVE x AS (SELECT 1 a UNION ALL SELECT a + 1 FROM x) SELECT count(*) FROM x', 'TimeoutException'],
      [`SELECT ${'1+'.repeat(900)}1`, 'LimitException'],
    ]
    for (const [sql, errorType] of statements) {
      expect((await current.query(sql, { timeoutMs: 4_000 })).body).toMatchObject({ errorType })
      await expectNext()
    }
    expect(current.unfinished()).toEqual([])
  })

  it('refuses 20 MB of SQL with an answer', async () => {
    expect((await current.query(`SELECT 1 ${' '.repeat(20_000_000)}`)).status).toBe(413)
    await expectNext()
  })

  it('says that the engine was restarted when its worker is killed while a source is asked', async () => {
    await expectNext()
    const pending = current.query(items('hang'))
    await expect.poll(() => hanging.length, waitMs).toBe(1)
    killWorker()
    hanging[0]?.end('{"title":"late"}]')
    expect(await pending).toMatchObject({ status: 503, body: { code: 'engine.restarted' } })
    await expectNext()
    expect(current.unfinished()).toEqual([])
  })

  it('says so when its worker is killed while DuckDB runs', async () => {
    await expectNext()
    const pending = current.query(endless)
    await expect.poll(() => current.unfinished(), waitMs).toHaveLength(1)
    killWorker()
    expect(await pending).toMatchObject({ status: 503, body: { code: 'engine.restarted' } })
    await expectNext()
  })

  it('ends the request to a source with the query: at its time-out, its cancellation, and when its client leaves', async () => {
    await expectNext()
    for (let timeoutMs = 500; hanging.length === 0; timeoutMs *= 2) {
      expect((await current.query(items('hang'), { timeoutMs })).body).toMatchObject({ code: 'limit.timeout' })
    }
    await expect.poll(() => lost, waitMs).toBe(1)

    const cancelled = current.query(items('hang'))
    await expect.poll(() => hanging.length, waitMs).toBe(2)
    const [queryId = ''] = current.unfinished()
    expect((await current.request('DELETE', `/v1/queries/${queryId}`, { caller: 'bob' })).status).toBe(404)
    expect((await current.request('DELETE', `/v1/queries/${queryId}`)).status).toBe(200)
    expect((await cancelled).body).toMatchObject({ code: 'limit.cancelled' })
    await expect.poll(() => lost, waitMs).toBe(2)

    const controller = new AbortController()
    const left = current.query(items('hang'), { signal: controller.signal })
    left.catch(() => undefined)
    await expect.poll(() => hanging.length, waitMs).toBe(3)
    controller.abort()
    await expect(left).rejects.toThrow()
    await expect.poll(() => lost, waitMs).toBe(3)
    await expect.poll(() => current.unfinished(), waitMs).toEqual([])
  })

  it('leaves no process and no unfinished record when it is told to stop in the middle of a query', async () => {
    const pending = current.query(endless)
    pending.catch(() => undefined)
    await expect.poll(() => current.family().length, waitMs).toBe(2)
    const family = current.family()
    current.server.kill('SIGTERM')
    await once(current.server, 'exit')
    await expect.poll(() => family.filter(isAlive), waitMs).toEqual([])
    expect(current.unfinished()).toEqual([])
  })

  it('leaves no process when it is killed in the middle of a query', async () => {
    const pending = current.query(endless)
    pending.catch(() => undefined)
    await expect.poll(() => current.family().length, waitMs).toBe(2)
    const family = current.family()
    current.server.kill('SIGKILL')
    await expect.poll(() => family.filter(isAlive), waitMs).toEqual([])
  })
})
