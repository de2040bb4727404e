import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeOf, startTestEngine, type TestEngine } from '../../../../tests/support/engine.js'
import type { JsonColumn } from '../../../model/batch.js'
import type { CallRequest, ExecuteAnswer } from '../protocol.js'

let test: TestEngine
beforeAll(() => {
  test = startTestEngine()
})
afterAll(() => test.close())

type Column = readonly [name: string, type: string, path?: JsonColumn['path']]
type Rest = Partial<Omit<CallRequest<'ingest'>, 'shape'>> & { readonly rowsPath?: readonly string[] }
let count = 0

/** The relation's rows after these texts were read. */
function ingest(
  columns: readonly Column[],
  texts: readonly string[],
  { rowsPath = [], ...rest }: Rest = {},
): Promise<ExecuteAnswer> {
  const queryId = `i${++count}`
  const target = { catalog: 0, schema: 's', name: 't' }
  const shape = {
    rowsPath,
    columns: columns.flatMap(([name, type, path]) => (path === undefined ? [] : [{ name, type, path }])),
  }
  return test.query(`FROM ${queryId}.s.t`, {
    queryId,
    relations: [{ ...target, columns: columns.map(([name, type]) => ({ name, type })) }],
    ingest: [{ ...target, ...rest, texts, shape }],
  })
}

const rowsOf = async (answer: Promise<ExecuteAnswer>): Promise<unknown[]> =>
  (await answer).rows.map((row) => JSON.parse(row) as unknown)

describe('where rows are', () => {
  const n: Column[] = [['n', 'BIGINT', ['n']]]

  it('takes arrays of rows, and one object as one row', async () => {
    expect(await rowsOf(ingest(n, ['[{"n":1},{"n":2}]', ' \n{"n":3}', '[]']))).toEqual([[1], [2], [3]])
    const nested = ['{"data":{"items":[{"n":1}]}}', '{"data":{"items":{"n":2}}}', '{"data":{"items":[]}}']
    expect(await rowsOf(ingest(n, nested, { rowsPath: ['data', 'items'] }))).toEqual([[1], [2]])
    expect(await rowsOf(ingest(n, ['{"data":[[{"n":1}],0]}'], { rowsPath: ['data', '0'] }))).toEqual([[1]])
  })

  it.each(['{}', '{"d":null}', '{"d":5}', '{"d":"x"}', '5', 'null', '"x"', '[]', '{"d":[1]}', '{"d":[{"n":1},null]}'])(
    'refuses %s, with the number of the text',
    async (text) => {
      const run = ingest(n, ['{"d":[{"n":1}]}', text], { rowsPath: ['d'] })
      await expect(run).rejects.toMatchObject({ code: 'engine.shape_mismatch', params: { path: '$.d', text: 2 } })
    },
  )

  it.each(['5', 'null', '"x"', '[5]', '[null]', '[[]]'])('refuses %s as rows', async (text) => {
    expect(await codeOf(ingest(n, [text]))).toBe('engine.shape_mismatch')
  })

  it.each(['', ' ', '<html>', '[{"n":1}', '[{"n":1}] x', '{"n":}', '[{"n":"\\ud800"}]'])(
    'refuses %j as JSON',
    async (text) => {
      await expect(ingest(n, ['[]', text])).rejects.toMatchObject({ code: 'engine.invalid_json', params: { text: 2 } })
      expect(await codeOf(ingest(n, [text], { rowsPath: ['d'] }))).toBe('engine.invalid_json')
    },
  )

  it('takes rows without any of the columns as rows of NULL', async () => {
    expect(await rowsOf(ingest(n, ['[{}, {"z":1}, {"n":null}]']))).toEqual([[null], [null], [null]])
  })
})

describe('values', () => {
  const good: readonly [type: string, json: string, shown: unknown][] = [
    ['BIGINT', '9007199254740993', '9007199254740993'],
    ['BIGINT', '12.0', 12],
    ['BIGINT', '"12"', 12],
    ['BIGINT', '1e3', 1000],
    ['HUGEINT', '99999999999999999999', '99999999999999999999'],
    ['UBIGINT', '18446744073709551615', '18446744073709551615'],
    ['DECIMAL(38,20)', '1.23456789012345678901', '1.23456789012345678901'],
    ['DECIMAL(38,20)', '-1.23456789012345678901', '-1.23456789012345678901'],
    ['DECIMAL(18,2)', '19.99', '19.99'],
    ['DECIMAL(20,2)', '123456789012345678.12', '123456789012345678.12'],
    ['DOUBLE', '0.1', 0.1],
    ['BOOLEAN', 'true', true],
    ['VARCHAR', '"a\\u0000é"', 'a\0é'],
    ['VARCHAR', '12345678901234567890.5', '12345678901234567890.5'],
    ['VARCHAR', '{"a":1}', '{"a":1}'],
    ['DATE', '"2024-01-15"', '2024-01-15'],
    ['TIMESTAMP', '"2024-01-01T10:00:00.123456Z"', '2024-01-01 10:00:00.123456'],
    ['TIMESTAMP', '"2024-01-01T10:00:00+02:00"', '2024-01-01 08:00:00'],
    ['TIMESTAMP', '"2024-01-01 10:00:00"', '2024-01-01 10:00:00'],
    ['TIMESTAMPTZ', '"2024-01-01T10:00:00+02:00"', '2024-01-01 08:00:00+00'],
    ['UUID', '"f4568909-7462-4f9b-b3fe-537bd0142067"', 'f4568909-7462-4f9b-b3fe-537bd0142067'],
    ['JSON', '{"a":[1,null,"x"]}', { a: [1, null, 'x'] }],
    ['JSON', '"x"', 'x'],
    ['JSON', 'null', null],
    ['INTEGER[]', '[1,null]', [1, null]],
    ['STRUCT(a INTEGER, "b c" VARCHAR[])', '{"b c":["x"],"z":1}', { a: null, 'b c': ['x'] }],
    ['MAP(VARCHAR, BIGINT)', '{"x":9007199254740993}', [{ key: 'x', value: '9007199254740993' }]],
    ['STRUCT(a STRUCT(b DECIMAL(10,2))[])[]', '[{"a":[{"b":1.25}]}]', [{ a: [{ b: '1.25' }] }]],
  ]
  it.each(good)('%s takes %s', async (type, json, shown) => {
    const columns: Column[] = [
      ['k', 'INTEGER', ['k']],
      ['v', type, ['v']],
    ]
    expect(await rowsOf(ingest(columns, [`[{"k":1,"v":${json}}]`]))).toEqual([[1, shown]])
  })

  const bad: readonly [type: string, json: string][] = [
    ['BIGINT', '12.5'],
    ['BIGINT', '"1e-1"'],
    ['BIGINT', '"x"'],
    ['BIGINT', 'true'],
    ['BIGINT', '99999999999999999999'],
    ['BIGINT', '{}'],
    ['DOUBLE', '"abc"'],
    ['BOOLEAN', '3.5'],
    ['DATE', '"2024-13-01"'],
    ['TIMESTAMP', '1700000000'],
    ['INTEGER[]', '[1,"x"]'],
    ['INTEGER[]', '{"a":1}'],
    ['STRUCT(a INTEGER)', '{"a":1.5}'],
    ['STRUCT(a INTEGER)', '[1]'],
  ]
  it.each(bad)('%s refuses %s, naming column, type and value', async (type, json) => {
    const columns: Column[] = [
      ['k', 'INTEGER', ['k']],
      ['v', type, ['v']],
    ]
    const run = ingest(columns, ['[{"k":1}]', `[{"k":1},{"k":1,"v":${json}}]`])
    await expect(run).rejects.toMatchObject({
      code: 'engine.value_mismatch',
      params: { column: 'v', type, table: 's.t' },
    })
  })

  it('shortens a long offending value', async () => {
    const run = ingest([['v', 'DATE', ['v']]], [`[{"v":"${'x'.repeat(10_000)}"}]`])
    await expect(run).rejects.toThrow(/^.{0,300}$/)
  })

  it('reads odd and conflicting paths', async () => {
    const keys = ['a.b', 'c"d', '', 'A', 'a', "it's", 'x/y~z', '1', '0', '__proto__']
    const columns: Column[] = keys.map((key, index) => [`c${index}`, 'INTEGER', [key]])
    const row = `{${keys.map((key, index) => `${JSON.stringify(key)}:${index}`).join(',')}}`
    expect(await rowsOf(ingest(columns, [`[${row}]`]))).toEqual([keys.map((_, index) => index)])
    const user: Column[] = [
      ['user', 'JSON', ['user']],
      ['login', 'VARCHAR', ['user', 'login']],
      ['second', 'INTEGER', ['tags', 1]],
      ['deep', 'INTEGER', ['user', 'x', 'A']],
    ]
    const text = '[{"user":{"login":"a","x":{"A":3}},"tags":[1,2]},{"user":null},{"user":5}]'
    expect(await rowsOf(ingest(user, [text]))).toEqual([
      [{ login: 'a', x: { A: 3 } }, 'a', 2, 3],
      [null, null, null, null],
      [5, null, null, null],
    ])
    expect(
      await rowsOf(
        ingest(
          [
            ['w', 'JSON', []],
            ['a', 'INTEGER', ['a']],
          ],
          ['[{"a":1},5]'],
        ),
      ),
    ).toEqual([
      [{ a: 1 }, 1],
      [5, null],
    ])
  })

  it('survives a million nested levels', async () => {
    const nested = '['.repeat(1_000_000) + ']'.repeat(1_000_000)
    expect(await rowsOf(ingest([['b', 'INTEGER', ['b']]], [`[{"a":${nested},"b":1}]`]))).toEqual([[1]])
  })

  it('refuses a type name that is more than one', async () => {
    expect(await codeOf(ingest([['a', 'INTEGER); DROP TABLE x; --', ['a']]], ['[]']))).toBe('sql.invalid_input')
    expect(await codeOf(ingest([['a', 'INTEGER, b INTEGER', ['a']]], ['[]']))).toBe('sql.invalid_input')
  })
})

describe('constants and match', () => {
  it('fills columns that a row does not carry, and keeps matching rows only', async () => {
    const columns: Column[] = [
      ['a', 'INTEGER', ['a']],
      ['p', 'VARCHAR'],
      ['q', 'VARCHAR', ['q']],
      ['z', 'INTEGER'],
    ]
    const constants = { p: { type: 'VARCHAR', text: "it's" }, q: { type: 'VARCHAR', text: 'asked' } }
    const texts = ['[{"a":1,"q":null},{"a":2,"q":"own"},{"a":3}]']
    expect(await rowsOf(ingest(columns, texts, { constants }))).toEqual([
      [1, "it's", null, null],
      [2, "it's", 'own', null],
      [3, "it's", 'asked', null],
    ])
    const match = { q: { type: 'VARCHAR', text: 'asked' } }
    expect(await rowsOf(ingest(columns, texts, { constants, match }))).toEqual([[3, "it's", 'asked', null]])
  })

  it('takes columns with names of what every object has', async () => {
    const columns: Column[] = [
      ['constructor', 'INTEGER', ['constructor']],
      ['__proto__', 'INTEGER', ['__proto__']],
    ]
    const constants = { toString: { type: 'VARCHAR', text: 'x' } }
    expect(await rowsOf(ingest(columns, ['[{"constructor":1,"__proto__":2}]'], { constants }))).toEqual([[1, 2]])
  })

  it('counts rows of which no column is read', async () => {
    const constants = { p: { type: 'VARCHAR', text: 'x' } }
    expect(await rowsOf(ingest([['p', 'VARCHAR']], ['[{"a":1},{}]'], { constants }))).toEqual([['x'], ['x']])
    expect(await codeOf(ingest([['p', 'VARCHAR']], ['[1]'], { constants }))).toBe('engine.shape_mismatch')
  })
})

describe('distinct', () => {
  it('answers keys as texts, without NULLs', async () => {
    const target = { catalog: 0, schema: 's', name: 't' }
    const columns = [
      { name: 'a', type: 'BIGINT', path: ['a'] },
      { name: 'b', type: 'VARCHAR', path: ['b'] },
    ]
    const open = { queryId: 'd', callerKey: 'local', callerDir: `${test.folder}/local`, files: [], attach: [] }
    await test.engine.call('open', { ...open, relations: [{ ...target, columns }], clock: '2026-01-31 12:00:00+00' })
    const texts = ['[{"a":9007199254740993,"b":"x"},{"a":9007199254740993,"b":"x"},{"a":1},{"a":2,"b":"y"}]']
    await test.engine.call('ingest', { queryId: 'd', ...target, texts, shape: { rowsPath: [], columns } })
    const request = { queryId: 'd', catalog: 'd', schema: 's', name: 't', columns: ['a', 'b'], limit: 10 }
    const { keys } = await test.engine.call('distinct', { ...request, where: 'a <> 2' })
    expect(keys).toEqual([['9007199254740993', 'x']])
    await test.engine.call('close', { queryId: 'd' })
  })
})
