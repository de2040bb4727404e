import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeOf, startTestEngine, type TestEngine } from '../../../tests/support/engine.js'

let test: TestEngine
beforeAll(() => {
  test = startTestEngine()
})
afterAll(() => test.close())

const escaped = (rows: readonly string[]): number =>
  rows.reduce((sum, row) => sum + JSON.stringify(row).length - 2 + 1, 0)

describe('execute', () => {
  it('keeps duplicate names, types and an empty result’s columns', async () => {
    const answer = await test.query("SELECT 1 AS a, 'x' AS a, NULL::DECIMAL(10,2) AS c WHERE false")
    expect(answer).toMatchObject({ columns: ['a', 'a', 'c'], rows: [], totalRows: 0, truncated: false })
    expect(answer.columnTypes).toEqual(['INTEGER', 'VARCHAR', 'DECIMAL(10,2)'])
  })

  it('cuts only where there is one more row', async () => {
    const cap = { execute: { maxRows: 3 } }
    expect(await test.query('FROM range(3)', cap)).toMatchObject({ truncated: false, totalRows: 3 })
    const cut = await test.query('FROM range(4)', cap)
    expect(cut).toMatchObject({ truncated: true, rows: ['[0]', '[1]', '[2]'] })
    expect(cut.totalRows).toBeUndefined()
  })

  it('counts characters of columns, types and rows as they stand escaped in a JSON string', async () => {
    const sql = `SELECT '"\\' || i AS q FROM range(1000) AS r(i)`
    const maxChars = 1000
    const cut = await test.query(sql, { execute: { maxChars } })
    const longer = await test.query(sql, { execute: { maxChars: 10_000 } })
    const head = [cut.columns, cut.columnTypes].map((names) => JSON.stringify(JSON.stringify(names)).length - 2)
    const total = (rows: readonly string[]): number => head.reduce((sum, chars) => sum + chars, escaped(rows))
    expect(cut.truncated).toBe(true)
    expect(total(cut.rows)).toBeLessThanOrEqual(maxChars)
    expect(total(longer.rows.slice(0, cut.rows.length + 1))).toBeGreaterThan(maxChars)
  })

  it('shortens the cells of a first row that is too long, rather than showing none', async () => {
    const sql = `SELECT repeat('"', 100000) AS a, 7 AS b, repeat('y', 60000) AS c FROM range(2)`
    const answer = await test.query(sql, { execute: { maxChars: 500 } })
    expect(answer.rows).toHaveLength(1)
    expect(escaped(answer.rows)).toBeLessThanOrEqual(500)
    expect(answer).toMatchObject({ truncated: true, shortenedCells: 2 })
    expect((JSON.parse(answer.rows[0] ?? '') as unknown[])[1]).toBe(7)
  })

  it('reports an error in the middle of a stream, at its place in the user’s text', async () => {
    const sql =
      "SELECT 'é' AS e, CAST(CASE WHEN i = 400000 THEN 'x' ELSE '1' END AS INTEGER) FROM range(500000) AS r(i)"
    const run = test.query(sql, { execute: { maxRows: 1_000_000, maxChars: 1e9 } })
    await expect(run).rejects.toMatchObject({ code: 'sql.conversion', position: sql.indexOf('CAST') })
  })

  it('gives no wrong rows where join_filter_pushdown does (P20)', async () => {
    const sql = `WITH r(c) AS (SELECT unnest(['ab','ab','a','a','']) UNION ALL SELECT '' FROM range(8)), l AS (SELECT 'a' AS c)
      SELECT l.c FROM l JOIN (SELECT c FROM r WHERE c IN ('ab','a','','x','y') ORDER BY c DESC LIMIT 2) t ON l.c = t.c AND 'a' = t.c`
    expect((await test.query(sql)).rows).toEqual([])
  })

  it('runs by the query’s clock', async () => {
    const answer = await test.query(
      'SELECT now(), current_date, current_timestamp, localtimestamp, current_time, localtime',
    )
    expect(answer.rows).toEqual([
      '["2026-01-31 12:00:00+00","2026-01-31","2026-01-31 12:00:00+00","2026-01-31 12:00:00","12:00:00+00","12:00:00"]',
    ])
  })

  it('names the place of an unknown column in characters, and this query’s columns alone', async () => {
    const sql = "SELECT 'é', foo FROM (VALUES (1)) AS v(food)"
    await expect(test.query(sql)).rejects.toMatchObject({
      code: 'sql.binder',
      position: sql.indexOf('foo'),
      hint: 'Near names: food.',
    })
  })

  it('ends hostile nesting quickly with a typed error', async () => {
    const ones = `SELECT ${Array.from({ length: 900 }, () => '1').join('+')}`
    expect(await codeOf(test.query(ones))).toBe('engine.too_complex')
    const parentheses = `SELECT ${'('.repeat(10_000)}1${')'.repeat(10_000)}`
    expect(await codeOf(test.query(parentheses))).toBe('sql.syntax')
  })
})

describe('keep, fetch and exportResult', () => {
  it('keeps the rest of a capped result, private, with its own names', async () => {
    const path = join(test.folder, 'local', 'kept.duckdb')
    const keep = { path, maxRows: 5000, maxBytes: 1e8 }
    const answer = await test.query(
      "SELECT i AS a, 'r' || i AS a, [i] AS l, {'j': i}::JSON AS j FROM range(5000) r(i)",
      {
        execute: { maxRows: 2, keep },
      },
    )
    expect(answer).toMatchObject({ truncated: true, totalRows: 5000, kept: { rows: 5000, complete: true } })
    expect(statSync(path).mode & 0o777).toBe(0o600)
    const page = await test.engine.call('fetch', { path, offset: 4998, maxRows: 10, maxChars: 1000 })
    expect(page.rows).toEqual(['[4998,"r4998",[4998],{"j":4998}]', '[4999,"r4999",[4999],{"j":4999}]'])
    expect(page).toMatchObject({ columns: ['a', 'a', 'l', 'j'], totalRows: 5000 })
    expect(page.columnTypes).toEqual(['BIGINT', 'VARCHAR', 'BIGINT[]', 'JSON'])
    for (const format of ['csv', 'json', 'parquet'] as const) {
      const target = join(test.folder, 'local', `out.${format}`)
      const { bytes } = await test.engine.call('exportResult', { path, format, target })
      expect(statSync(target)).toMatchObject({ size: bytes })
      expect(statSync(target).mode & 0o777).toBe(0o600)
    }
  })

  it('keeps values of every type as they are shown', async () => {
    const path = join(test.folder, 'local', 'types.duckdb')
    const sql = 'FROM (FROM test_all_types() UNION ALL FROM test_all_types())'
    const whole = await test.query(sql, { execute: { maxChars: 1e8 } })
    const keep = { path, maxRows: 100, maxBytes: 1e9 }
    expect(await test.query(sql, { execute: { maxRows: 1, maxChars: 1e8, keep } })).toMatchObject({ kept: { rows: 6 } })
    const page = await test.engine.call('fetch', { path, offset: 0, maxRows: 100, maxChars: 1e8 })
    expect(page.rows).toEqual(whole.rows)
    expect(page.columnTypes).toEqual(whole.columnTypes)
  })

  it('never writes over a file', async () => {
    const path = join(test.folder, 'local', 'taken')
    writeFileSync(path, 'mine')
    const run = test.query('FROM range(9)', { execute: { maxRows: 1, keep: { path, maxRows: 100, maxBytes: 1e9 } } })
    expect(await run).toMatchObject({ rows: ['[0]'], keepError: { code: 'internal.unexpected' } })
    expect(readFileSync(path, 'utf8')).toBe('mine')
  })

  it('stops keeping at its limits and says so', async () => {
    const keepAs = (name: string, maxRows: number, maxBytes: number): Promise<unknown> =>
      test
        .query("SELECT i, repeat('x', 1000) AS t FROM range(100000) r(i)", {
          execute: { maxRows: 2, keep: { path: join(test.folder, 'local', name), maxRows, maxBytes } },
        })
        .then((answer) => answer.kept)
    expect(await keepAs('rows.duckdb', 3000, 1e9)).toMatchObject({ rows: 3000, complete: false })
    const byBytes = (await keepAs('bytes.duckdb', 1e9, 5e6)) as { rows: number; complete: boolean }
    expect(byBytes.complete).toBe(false)
    expect(byBytes.rows).toBeGreaterThan(3000)
    expect(byBytes.rows).toBeLessThan(10_000)
  })

  it('keeps nothing of a stream that breaks', async () => {
    const path = join(test.folder, 'local', 'broken.duckdb')
    const sql = "SELECT CAST(CASE WHEN i = 90000 THEN 'x' ELSE '1' END AS INTEGER) FROM range(100000) r(i)"
    const run = test.query(sql, { execute: { maxRows: 2, keep: { path, maxRows: 1e6, maxBytes: 1e9 } } })
    expect(await codeOf(run)).toBe('sql.conversion')
    expect(existsSync(path)).toBe(false)
  })

  it('says that a result is gone', async () => {
    const path = join(test.folder, 'local', 'never.duckdb')
    const fetch = test.engine.call('fetch', { path, offset: 0, maxRows: 1, maxChars: 100 })
    expect(await codeOf(fetch)).toBe('engine.result_missing')
  })
})

describe('saveAs', () => {
  it('makes the whole result a table that a later query reads, and replaces it', async () => {
    const path = join(test.folder, 'local', 'scratch.duckdb')
    const saveAs = { path, name: 'my "t"', maxRows: 100, maxBytes: 1e8 }
    for (const rows of [10, 20]) {
      const answer = await test.query(`SELECT 1 AS a, 2 AS a, i FROM range(${rows}) r(i)`, {
        execute: { saveAs, maxRows: 2 },
      })
      expect(answer).toMatchObject({ columns: ['a', 'a_1', 'i'], truncated: true, totalRows: rows })
      expect(answer.rows).toEqual(['[1,2,0]', '[1,2,1]'])
    }
    const attach = [{ alias: 'sc', path, readOnly: true }]
    const read = await test.query('SELECT count(*) FROM sc.main."my ""t"""', { attach })
    expect(read.rows).toEqual(['[20]'])
  })

  it('keeps all or nothing', async () => {
    const path = join(test.folder, 'local', 'limited.duckdb')
    const saveAs = { path, name: 't', maxRows: 100, maxBytes: 1e9 }
    const tooMany = test.query('FROM range(101)', { execute: { saveAs } })
    expect(await codeOf(tooMany)).toBe('engine.result_too_large')
    const attach = [{ alias: 'sc', path, readOnly: true }]
    expect(await codeOf(test.query('FROM sc.main.t', { attach }))).toBe('engine.catalog')
  })
})
