import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestEngine, type TestEngine } from '../../../../tests/support/engine.js'

let test: TestEngine
beforeAll(() => {
  test = startTestEngine()
})
afterAll(() => test.close())

let count = 0

interface Given {
  readonly sql: string
  readonly type?: string
  readonly rows?: string
  readonly constant?: string
}

/** Values of a column of this SQL over these rows, beside a column that is read by its path. */
async function values({ sql, type = 'VARCHAR', rows = '[{"a":1}]', constant }: Given): Promise<unknown[]> {
  const queryId = `s${++count}`
  const target = { catalog: 0, schema: 's', name: 't' }
  const columns = [
    { name: 'v', type, path: [], sql },
    { name: 'a', type: 'JSON', path: ['a'] },
  ]
  const constants = constant === undefined ? {} : { constants: { a: { type: 'JSON', text: constant } } }
  const answer = await test.query(`SELECT v FROM ${queryId}.s.t`, {
    queryId,
    relations: [{ ...target, columns: columns.map(({ name, type: declared }) => ({ name, type: declared })) }],
    ingest: [{ ...target, texts: [rows], shape: { rowsPath: [], columns }, ...constants }],
  })
  return answer.rows.map((row) => (JSON.parse(row) as unknown[])[0])
}

describe('an expression over the row', () => {
  it.each<[Given, unknown[]]>([
    [{ sql: `row->>'$.u.login'`, rows: '[{"u":{"login":"x"}},{}]' }, ['x', null]],
    [{ sql: `coalesce(row->>'n', row->>'m', 'none')`, rows: '[{"m":"b"},{}]' }, ['b', 'none']],
    [{ sql: `row->>'a'`, type: 'BIGINT', rows: '[{"a":9007199254740993}]' }, ['9007199254740993']],
    [{ sql: `row->'a'`, type: 'BIGINT', rows: '[{"a":7}]' }, [7]],
    [{ sql: `row->'a'`, type: 'JSON', rows: '[{"a":{"b":1}}]' }, [{ b: 1 }]],
    [{ sql: `row`, type: 'JSON', rows: '[{"a":1}]' }, [{ a: 1 }]],
    [{ sql: `to_timestamp((row->>'a')::BIGINT)`, type: 'TIMESTAMP', rows: '[{"a":0}]' }, ['1970-01-01 00:00:00']],
    [{ sql: `row->>'a'`, type: 'TIMESTAMP', rows: '[{"a":"2024-01-01T10:00:00+02:00"}]' }, ['2024-01-01 08:00:00']],
    [{ sql: `from_json(row->'a', '["INTEGER"]')`, type: 'INTEGER[]', rows: '[{"a":[1,2]}]' }, [[1, 2]]],
    [
      {
        sql: `list_transform(from_json(row->'a', '["INTEGER"]'), lambda x: x + 1)`,
        type: 'INTEGER[]',
        rows: '[{"a":[1]}]',
      },
      [[2]],
    ],
    [{ sql: `1.5 -- a comment`, type: 'DOUBLE' }, [1.5]],
    [{ sql: `NULL` }, [null]],
    [{ sql: `'$1 ; DROP'` }, ['$1 ; DROP']],
    [{ sql: `upper(row->>'b')`, rows: '[{"b":"x"}]', constant: '1' }, ['X']],
  ])('%j', async (given, expected) => {
    expect(await values(given)).toEqual(expected)
  })

  it.each([
    `max(row->>'a')`,
    `row_number() OVER ()`,
    `unnest([1, 2])`,
    `(SELECT 1)`,
    `EXISTS (SELECT 1)`,
    `'x' IN (SELECT 1)`,
    `a`,
    `v0`,
    `j`,
    `*`,
    `COLUMNS(*)`,
    `1) FROM (SELECT 1`,
    `1; SELECT 2`,
    `$1`,
    `read_text('/etc/passwd')`,
    `getenv('HOME')`,
    `query('SELECT 1')`,
    `current_setting('temp_directory')`,
    `nothing(row)`,
    `row->>`,
    ``,
    `'x`,
    `1 /*`,
    `${'1+'.repeat(6_000)}1`,
  ])('refuses %s', async (sql) => {
    await expect(values({ sql })).rejects.toMatchObject({
      code: 'engine.column_sql',
      params: { column: 'v', table: 's.t' },
    })
  })

  it('says which value does not fit, and what a failing expression says', async () => {
    await expect(values({ sql: `row->>'a'`, type: 'INTEGER', rows: '[{"a":1.5}]' })).rejects.toMatchObject({
      code: 'engine.value_mismatch',
      params: { column: 'v', type: 'INTEGER', value: '"1.5"' },
    })
    await expect(values({ sql: `1.5`, type: 'INTEGER' })).rejects.toMatchObject({ code: 'engine.value_mismatch' })
    await expect(values({ sql: `CAST(row->>'a' AS DATE)`, rows: '[{"a":"x"}]' })).rejects.toMatchObject({
      code: 'engine.column_sql',
    })
  })
})
