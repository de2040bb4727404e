import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeOf, startTestEngine, type TestEngine } from '../../../tests/support/engine.js'
import { createEngine } from './engine.js'

const endless = 'SELECT count(*) FROM range(100000000000) AS r(i) WHERE i % 7 = 3'
/** One scalar call that DuckDB cannot interrupt and its memory limit does not see. */
const hugeValue = 'SELECT len(range(300000000))'

/** Asks one thing, prints the worker's process id, and does not close its engine. */
const parentScript = `
  const { createEngine } = await import(${JSON.stringify(new URL('../../../dist/engine/client/engine.js', import.meta.url).href)})
  const options = { threads: 1, memoryLimitBytes: 1e8, maxConcurrentQueries: 1, stateDir: process.argv[1], onLog() {} }
  const engine = createEngine(options)
  await engine.call('parse', { sql: 'SELECT 1' })
  console.log(engine.pid)
`

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

let test: TestEngine
beforeAll(() => {
  test = startTestEngine()
})
afterAll(() => test.close())

async function untilRunning(): Promise<number> {
  for (;;) {
    if (test.engine.pid !== undefined) return test.engine.pid
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

describe('createEngine', () => {
  it('answers concurrent queries each with its own rows', async () => {
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, index) =>
        test.query(`SELECT ${index} AS i, count(*) FROM range(${index} * 1000)`, { callerKey: `c${index % 3}` }),
      ),
    )
    expect(answers.map((answer) => answer.rows)).toEqual(answers.map((_, index) => [`[${index},${index * 1000}]`]))
  })

  it('ends pending queries as engine.restarted when its worker is killed, and runs the next one', async () => {
    await test.query('SELECT 1')
    const pending = [test.query(endless), test.query(endless)]
    const codes = Promise.all(pending.map(codeOf))
    await test.query('SELECT 1')
    process.kill(await untilRunning(), 'SIGKILL')
    expect(await codes).toEqual(['engine.restarted', 'engine.restarted'])
    expect((await test.query('SELECT 2')).rows).toEqual(['[2]'])
  })

  it('ends a query whose values outgrow memory as engine.out_of_memory, and runs the next one', async () => {
    expect(await codeOf(test.query(hugeValue))).toBe('engine.out_of_memory')
    expect((await test.query('SELECT 3')).rows).toEqual(['[3]'])
  })

  it('reports a query that cannot spill enough as engine.out_of_memory without losing the worker', async () => {
    const small = startTestEngine({ memoryLimitBytes: 64 * 1024 ** 2, maxTempBytes: 1024 ** 2 })
    try {
      await small.query('SELECT 1')
      const pid = small.engine.pid
      const sql = 'SELECT i % 5000000, list(i) FROM range(20000000) AS r(i) GROUP BY ALL'
      expect(['engine.out_of_memory', 'engine.disk_full']).toContain(await codeOf(small.query(sql)))
      expect(small.engine.pid).toBe(pid)
    } finally {
      await small.close()
    }
  })

  it('interrupts a running query when its signal is aborted, and keeps the worker', async () => {
    await test.query('SELECT 1')
    const pid = test.engine.pid
    const abort = new AbortController()
    const join = 'SELECT count(*) FROM range(10000000) a, range(10000000) b WHERE a.range % 7 = b.range % 5'
    const code = codeOf(test.query(join, { signal: abort.signal }))
    await test.query('SELECT 1')
    abort.abort()
    expect(await code).toBe('engine.interrupted')
    expect(test.engine.pid).toBe(pid)
  })

  it('replaces a worker that does not stop when it is told to', async () => {
    const abort = new AbortController()
    const roomy = startTestEngine({ memoryLimitBytes: 16 * 1024 ** 3 })
    try {
      await roomy.query('SELECT 1')
      const code = codeOf(roomy.query('SELECT len(list_sort(range(100000000)))', { signal: abort.signal }))
      await roomy.query('SELECT 1')
      abort.abort()
      expect(['engine.restarted', 'engine.interrupted']).toContain(await code)
      expect((await roomy.query('SELECT 4')).rows).toEqual(['[4]'])
    } finally {
      await roomy.close()
    }
  })

  it('closes a query that is still running', async () => {
    const queryId = 'running'
    const { tree } = await test.engine.call('parse', { sql: endless })
    const open = {
      queryId,
      callerKey: 'local',
      callerDir: test.folder + '/local',
      files: [],
      attach: [],
      relations: [],
    }
    await test.engine.call('open', { ...open, clock: '2026-01-31 12:00:00+00' })
    const code = codeOf(test.engine.call('execute', { queryId, tree, maxRows: 1, maxChars: 100 }))
    await test.engine.call('close', { queryId })
    expect(await code).toBe('engine.interrupted')
  })

  it('rejects calls after close, and ends its process', async () => {
    const other = startTestEngine()
    await other.query('SELECT 1')
    const pid = other.engine.pid ?? 0
    const pending = codeOf(other.query(endless))
    await other.query('SELECT 1')
    await other.close()
    expect(await pending).toBe('engine.closed')
    expect(await codeOf(other.query('SELECT 1'))).toBe('engine.closed')
    expect(() => process.kill(pid, 0)).toThrow()
  })

  it.each(['', 'process.kill(process.pid, "SIGKILL")'])('leaves no worker when its parent ends (%s)', async (end) => {
    const parent = spawn(process.execPath, ['--input-type=module', '-e', `${parentScript}\n${end}`, test.folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [pid] = (await once(parent.stdout, 'data')) as [Buffer]
    await once(parent, 'exit')
    while (isAlive(Number(pid.toString()))) await new Promise((resolve) => setTimeout(resolve, 10))
  })

  it('says why a worker does not start', async () => {
    const broken = createEngine({
      threads: -1,
      memoryLimitBytes: 1024 ** 3,
      maxConcurrentQueries: 1,
      stateDir: test.folder,
      onLog: () => undefined,
    })
    expect(await codeOf(broken.call('parse', { sql: 'SELECT 1' }))).toBe('engine.unavailable')
    await broken.close()
  })
})
