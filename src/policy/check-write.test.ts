import { describe, expect, test } from 'vitest'
import { QuerentError } from '../errors/querent-error.js'
import { checkWritePlan } from './check-write-plan.js'
import { checkWrite, type CheckedWrite } from './check-write.js'
import { classifyStatement } from './statement.js'

function check(sql: string): CheckedWrite {
  const form = classifyStatement(sql)
  if (form.kind !== 'write') throw new TypeError('not a writing statement')
  return checkWrite(sql, form)
}

describe('checkWrite', () => {
  test('gives the text to run: plain strings, no comments', () => {
    const sql = String.raw`INSERT INTO "T"(a) /* x */ VALUES (E'it\'s', $$b$$, x'AB', $1, ?, $name) -- end`
    expect(check(sql)).toEqual({
      statement: 'INSERT',
      sql: `INSERT INTO "T"(a) VALUES ( 'it''s', 'b', 'xAB', $1, ?, $name)`,
      parameters: ['1', 'name'],
    })
  })

  test.each([
    ["UPDATE t SET a = getenv('X')", 'policy.function', 17],
    ["INSERT INTO t FROM 'x.csv'", 'policy.write', 19],
    ['INSERT INTO t SELECT current_user', 'policy.reference', 21],
    ['INSERT INTO t SELECT a FROM system.main.x', 'policy.reference', 28],
    ['INSERT INTO t SELECT \\a', 'policy.write', 21],
  ])('says where %s fails', (sql, code, position) => {
    try {
      check(sql)
      expect.unreachable()
    } catch (error) {
      expect(error).toBeInstanceOf(QuerentError)
      expect(error).toMatchObject({ code, position })
    }
  })
})

const scan = { type: 'LOGICAL_GET', name: 'seq_scan', function_data: { catalog: 'shop', schema: 'main', table: 'u' } }
const target = { type: 'TABLE_ENTRY', catalog: 'shop', schema: 'main', table: 't' }

function judge(plan: unknown, statement: CheckedWrite['statement'] = 'INSERT'): unknown {
  return checkWritePlan(JSON.stringify({ error: false, plans: [plan] }), { statement, database: 'shop' })
}

describe('checkWritePlan', () => {
  test('names the target and what is read', () => {
    const insert = { type: 'LOGICAL_INSERT', table_info: target, children: [scan, scan] }
    const answer = {
      statement: 'INSERT',
      target: { schema: 'main', table: 't' },
      reads: [{ schema: 'main', table: 'u' }],
    }
    expect(judge(insert)).toEqual(answer)
    expect(judge({ type: 'LOGICAL_PROJECTION', children: [insert] })).toEqual(answer)
    expect(judge({ type: 'LOGICAL_MATERIALIZED_CTE', children: [scan, insert] })).toEqual(answer)
  })

  test.each([
    ['another catalog', { type: 'LOGICAL_INSERT', table_info: { ...target, catalog: 'other' } }],
    [
      'a scan of another catalog',
      {
        type: 'LOGICAL_INSERT',
        table_info: target,
        children: [{ ...scan, function_data: { catalog: 'other', schema: 'main', table: 'u' } }],
      },
    ],
    ['a file', { type: 'LOGICAL_INSERT', table_info: target, children: [{ type: 'LOGICAL_GET', name: 'read_text' }] }],
    ['another statement', { type: 'LOGICAL_DELETE', table_info: target }],
    ['no writing', scan],
    [
      'two writing operators',
      {
        type: 'LOGICAL_INSERT',
        table_info: target,
        children: [{ type: 'LOGICAL_DELETE', table_info: target }],
      },
    ],
    ['COPY', { type: 'LOGICAL_INSERT', table_info: target, children: [{ type: 'LOGICAL_COPY_TO_FILE' }] }],
    [
      'a function',
      {
        type: 'LOGICAL_INSERT',
        table_info: target,
        expressions: [{ expression_class: 'BOUND_FUNCTION', name: 'current_setting', arguments: [] }],
      },
    ],
    ['no target', { type: 'LOGICAL_INSERT' }],
  ])('refuses %s', (_, plan) => {
    expect(() => judge(plan)).toThrow(QuerentError)
  })

  test('refuses a temporary table', () => {
    expect(() =>
      judge({ type: 'LOGICAL_CREATE_TABLE', info: { ...target, temporary: true } }, 'CREATE TABLE AS'),
    ).toThrow('temporary')
  })

  test.each(['', '{', '{"error":true}', '{"error":false,"plans":[]}', '{"error":false,"plans":[{},{}]}', '[]'])(
    'refuses %j, which is no plan',
    (text) => {
      expect(() => checkWritePlan(text, { statement: 'INSERT', database: 'shop' })).toThrow(QuerentError)
    },
  )
})
