import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { clock, startTestEngine, type TestEngine } from '../../../tests/support/engine.js'
import type { PlanAnswer, PlanRequest } from './protocol.js'

let test: TestEngine
beforeAll(() => {
  test = startTestEngine()
})
afterAll(() => test.close())

const columns = [
  { name: 'a', type: 'INTEGER' },
  { name: 'ts', type: 'TIMESTAMPTZ' },
]
const relations = ['t', 'u', 'v'].map((name) => ({ catalog: 0, schema: 's', name, columns }))

async function plan(sql: string, options: Partial<PlanRequest> = {}): Promise<PlanAnswer> {
  const { tree } = await test.engine.call('parse', { sql })
  const request = { queryId: 'p', callerKey: 'local', relations, clock, optimize: true }
  return test.engine.call('plan', { ...request, tree, sql, ...options })
}

describe('plan', () => {
  it('shows filters with folded constants, by the query’s clock', async () => {
    const { plan: json, level } = await plan('SELECT a FROM p.s.t WHERE ts > now() - INTERVAL 1 DAY AND a IN (1, 3)')
    expect(level).toBe(0)
    expect(json).toContain('CONSTANT_COMPARISON')
    expect(json).toContain(String(Date.UTC(2026, 0, 30, 12) * 1000))
  })

  it('answers the unoptimised plan for lineage', async () => {
    expect((await plan('SELECT a + 1 FROM p.s.t WHERE a = 1', { optimize: false })).level).toBe(2)
  })

  it('answers no plan where DuckDB cannot print one (P7)', async () => {
    expect((await plan("SELECT '101'::BIT")).plan).toBeUndefined()
  })

  it('reports an unknown column at its place in the user’s text', async () => {
    const sql = "SELECT 'é', (SELECT max(u.a) FROM p.s.u), b FROM p.s.t"
    await expect(plan(sql)).rejects.toMatchObject({
      code: 'sql.binder',
      position: sql.indexOf(' b ') + 1,
      hint: 'Near names: a.',
    })
  })

  it('names no other table, and no catalog of its own', async () => {
    const error = await plan('SELECT a FROM p.s.tt').catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code: 'engine.catalog', hint: '' })
    expect(String(error)).not.toMatch(/pg_|"p"|p\.s|"[uv]"/)
  })

  it('plans a writing statement in its database', async () => {
    const statement = {
      sql: 'INSERT INTO orders SELECT a, 1 FROM s.t',
      database: 'shop',
      tables: [
        {
          catalog: 0,
          schema: 'main',
          name: 'orders',
          columns: [
            { name: 'id', type: 'INTEGER' },
            { name: 'v', type: 'INTEGER' },
          ],
        },
      ],
    }
    const request = { queryId: 'w', callerKey: 'local', statement, relations, clock, optimize: true }
    const plans = await Promise.all([1, 2, 3].map((n) => test.engine.call('plan', { ...request, queryId: `w${n}` })))
    for (const { plan: json } of plans) expect(json).toContain('LOGICAL_INSERT')
  })

  it('leaves nothing behind', async () => {
    await plan('SELECT a FROM p.s.t')
    await expect(plan('SELECT a FROM p.s.t', { queryId: 'other' })).rejects.toMatchObject({ code: 'sql.binder' })
  })

  it('is stopped by its signal', async () => {
    const abort = new AbortController()
    const terms = Array.from({ length: 240 }, () => '1').join('+')
    const sql = `SELECT ${Array.from({ length: 50 }, () => terms).join(', ')}`
    const { tree } = await test.engine.call('parse', { sql })
    const request = { queryId: 'slow', callerKey: 'local', tree, relations: [], clock, optimize: true }
    const planned = test.engine.call('plan', request, { signal: abort.signal })
    await test.engine.call('parse', { sql: 'SELECT 1' })
    abort.abort()
    await expect(planned).rejects.toMatchObject({
      code: expect.stringMatching(/engine\.(interrupted|restarted)/) as string,
    })
  })
})

describe('parse', () => {
  it.each([
    ['', 'sql.empty'],
    [' -- nothing', 'sql.empty'],
    ['SELECT 1; SELECT 2', 'sql.multiple_statements'],
    ['DELETE FROM t', 'sql.statement_refused'],
    ["IMPORT DATABASE '/tmp'", 'sql.statement_refused'],
    ['SELECT \0 1', 'sql.syntax'],
  ])('answers %j with %s', async (sql, code) => {
    await expect(test.engine.call('parse', { sql })).rejects.toMatchObject({ code })
  })

  it('counts the place of an error in characters', async () => {
    const sql = "SELECT 'é😀' FRO x y"
    await expect(test.engine.call('parse', { sql })).rejects.toMatchObject({ position: sql.indexOf(' x ') + 1 })
  })

  it('prints a tree again', async () => {
    const { tree } = await test.engine.call('parse', { sql: 'select a from t where b=1' })
    expect(await test.engine.call('deparse', { tree })).toEqual({ sql: 'SELECT a FROM t WHERE (b = 1)' })
  })
})

describe('introspect', () => {
  it('runs a source’s statement on its files alone, within its time', async () => {
    const request = { sql: "SELECT 1 AS a, 'x' AS b", files: [], attach: [], timeoutMs: 30_000 }
    expect(await test.engine.call('introspect', request)).toEqual({ rows: '[[1,"x"]]' })
    const slow = { ...request, sql: 'SELECT count(*) FROM range(100000000000) r(i) WHERE i % 7 = 3', timeoutMs: 50 }
    await expect(test.engine.call('introspect', slow)).rejects.toMatchObject({ code: 'engine.timed_out' })
    const other = { ...request, sql: "FROM read_text('/etc/hostname')" }
    await expect(test.engine.call('introspect', other)).rejects.toMatchObject({ code: 'engine.refused' })
  })
})
