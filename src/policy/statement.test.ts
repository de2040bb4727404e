import { describe, expect, test } from 'vitest'
import { QuerentError } from '../errors/querent-error.js'
import { maxNesting, maxSqlLength } from './limits.js'
import { pivotPlaceholder } from './pivot-lists.js'
import { userPosition } from './position.js'
import { classifyStatement, refuseWrite } from './statement.js'

function failure(sql: string): QuerentError {
  try {
    classifyStatement(sql)
  } catch (error) {
    if (error instanceof QuerentError) return error
    throw error
  }
  throw new TypeError(`not refused: ${sql}`)
}

describe('classifyStatement', () => {
  test('keeps the place of every token of the user', () => {
    const sql = '-- é\n/* 🎉 */\u3000SELECT 1 ; '
    const form = classifyStatement(sql)
    expect(form).toMatchObject({ kind: 'select', asksPivotValues: false, insertions: [] })
    expect(form.sql).toBe(sql.replace('-- é', '    ').replace('/* 🎉 */\u3000', ' '.repeat(9)).replace(';', ' '))
    expect(form.sql.indexOf('SELECT')).toBe(sql.indexOf('SELECT'))
  })

  test.each([
    ['EXPLAIN SELECT 1', false, undefined],
    ['explain analyze select 1', true, undefined],
    ['EXPLAIN (ANALYZE, FORMAT json) SELECT 1', true, 'json'],
    ['EXPLAIN (ANALYZE false) SELECT 1', false, undefined],
    ['EXPLAIN ANALYZE (SELECT 1)', true, undefined],
  ])('strips %s', (sql, analyze, format) => {
    const form = classifyStatement(sql)
    expect(form).toMatchObject({ kind: 'explain', analyze, format })
    expect(form.sql.trimStart()).toBe(sql.slice(sql.search(/\(?SELECT 1/i)))
    expect(form.sql).toHaveLength(sql.length)
  })

  test.each([
    ['INSERT INTO t VALUES (1)', 'INSERT'],
    ['WITH x AS (SELECT 1) UPDATE t SET a = 1', 'UPDATE'],
    ['DELETE FROM t', 'DELETE'],
    ['MERGE INTO t USING u ON true WHEN MATCHED THEN DELETE', 'MERGE'],
    ['CREATE OR REPLACE TABLE t(a) AS SELECT 1', 'CREATE TABLE AS'],
    ['UPDATE extensions SET a = 1', 'UPDATE'],
  ])('knows the writing statement %s', (sql, statement) => {
    const form = classifyStatement(sql)
    expect(form).toMatchObject({ kind: 'write', statement })
    if (form.kind === 'write') expect(() => refuseWrite(form)).toThrow(`${statement} is not allowed.`)
  })

  test('gives a PIVOT without a list a placeholder, and finds the way back to the text', () => {
    const sql = 'PIVOT t ON a, b IN (1), c || d USING sum(e)'
    const form = classifyStatement(sql)
    const list = `IN ('${pivotPlaceholder}')`
    expect(form.sql).toBe(`PIVOT t ON (a) ${list}, b IN (1), (c || d) ${list} USING sum(e)`)
    expect(form).toMatchObject({ asksPivotValues: true })
    for (const word of ['t ON', 'a', 'b IN', 'c ||', '|| d', 'USING', 'sum', 'e)']) {
      const byte = Buffer.byteLength(form.sql.slice(0, form.sql.indexOf(word)))
      expect(userPosition(form, byte), word).toBe(sql.indexOf(word))
    }
  })

  test.each([
    'SELECT a AS pivot FROM t JOIN u ON t.x = u.x',
    'FROM t PIVOT (sum(a) FOR b IN (1))',
    'SELECT pivot.a FROM t AS pivot JOIN u ON true',
    'PIVOT t ON a IN (1)',
    'PIVOT t USING sum(a)',
  ])('leaves %s alone', (sql) => {
    expect(classifyStatement(sql)).toMatchObject({ sql, asksPivotValues: false })
  })

  test('counts positions in characters of the text', () => {
    const form = classifyStatement("SELECT '🎉é' , oops")
    expect(userPosition(form, Buffer.byteLength("SELECT '🎉é' , "))).toBe("SELECT '🎉é' , ".length)
    expect(userPosition(form, 1_000)).toBe(form.sql.length)
  })

  test.each([
    ['SELECT 1; SELECT 2', 'sql.multiple_statements', 10],
    ['  DROP TABLE t', 'policy.statement', 2],
    ['WITH d AS (DELETE FROM t) SELECT 1', 'policy.statement', 11],
    ['PIVOT t ON a IN (SELECT 1)', 'sql.pivot_list', 16],
    [' SELCT 1', 'sql.syntax', 1],
    ["SELECT 'x", 'sql.syntax', 7],
  ])('says where %s fails', (sql, code, position) => {
    expect(failure(sql)).toMatchObject({ code, position })
  })

  test('says what to write instead', () => {
    expect(failure('SELCT 1').hint).toBe('Did you mean SELECT?')
    expect(failure("COPY t TO 'x'").message).toBe('COPY is not allowed.')
    expect(failure('SET threads = 1').hint).toContain('workspace file')
  })

  test('takes SQL of bounded length and depth', () => {
    const fits = 'SELECT 1'.padEnd(maxSqlLength)
    expect(classifyStatement(fits).kind).toBe('select')
    expect(failure(`${fits} `)).toMatchObject({ code: 'sql.too_long' })
    const nested = (depth: number): string => `SELECT ${'('.repeat(depth)}1${')'.repeat(depth)}`
    expect(classifyStatement(nested(maxNesting)).kind).toBe('select')
    expect(failure(nested(maxNesting + 1))).toMatchObject({ code: 'sql.too_deep' })
    expect(failure(nested(10_000))).toMatchObject({ code: 'sql.too_deep' })
    expect(() => classifyStatement('SELECT 1', { maxLength: 3 })).toThrow('at most 3 are taken')
  })
})
