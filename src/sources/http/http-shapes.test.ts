import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApiServer, type ApiServer } from '../../../tests/support/api-server.js'
import { TestWorkspace } from '../../../tests/support/query-workspace.js'

const answers: Readonly<Record<string, readonly [type: string, body: string]>> = {
  '/rows': [
    'application/json',
    JSON.stringify([
      {
        id: 1,
        a: null,
        b: 'two',
        tags: [{ n: 'x' }, { n: 'y' }],
        ts: '1705312800.123456',
        ms: 1705312800123,
        s: 'o',
        name: '',
      },
      { id: 2, a: 'one', b: 'two', tags: [], ts: null, ms: null, s: 'c', name: 'N', when: '2024/01/15', data: 'aMOp' },
    ]),
  ],
  '/dict': ['application/json', '{"d":{"usd":{"rate":1.10},"eur":{"rate":9007199254740993},"a\\"b":{"rate":null}}}'],
  '/series': [
    'application/json',
    '{"data":{"result":[{"metric":{"job":"a"},"values":[[1705312800,"1.5"],[1705312860,"NaN"]]},{"metric":{"job":"b"},"values":[]}]}}',
  ],
  '/points': ['application/json', '{"series":[{"scope":"h1","pointlist":[{"t":1000,"v":12345678901234567890}]}]}'],
  '/lines': [
    'application/x-ndjson; charset=utf-8',
    '{"id":1,"t":"a"}\n\n {"id": 2}\r\n{"id":9007199254740993,"t":"é"}',
  ],
  '/no-lines': ['application/x-ndjson', ''],
  '/cut-lines': ['application/x-ndjson', '{"id":1}\n{"id":'],
  '/csv': [
    'text/csv',
    'id,name,at\r\n1,"a ""b"", c\nd",2024-01-15T10:00:00+02:00\r\n2,,\r\n9007199254740993,"",2024-01-15\r\n',
  ],
  '/bad-csv': ['text/csv', 'id,name\n1,"a\n'],
  '/uneven-csv': ['text/csv', 'id,name\n1\n'],
}

const workspace = new TestWorkspace()
let server: ApiServer

beforeAll(async () => {
  server = await startApiServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://x')
    // Finds by prefix, as loosely as some APIs do, and forgets the filter for a list.
    if (url.pathname === '/loose') {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(Array.from({ length: 9 }, (_, id) => ({ id, name: `n${id}` }))))
      return
    }
    const [type, body] = answers[url.pathname] ?? ['application/json', '[]']
    response.setHeader('content-type', type)
    response.end(body)
  })
  await workspace.open(`
version: 1
name: test
sources:
  - name: api
    kind: http
    config: { base_url: ${server.url} }
    tables:
      - name: rows
        endpoint: /rows
        response:
          schema:
            - { name: id, type: bigint }
            - { name: up, type: varchar, sql: "upper(row->>'b') || ' ' || coalesce(row->>'a', '-')" }
            - { name: number, type: int, sql: "length(row->>'b')" }
            - { name: first, type: varchar, expr: { kind: coalesce, exprs: [{ kind: path, path: $.a }, { kind: path, path: $.b }] } }
            - { name: said, type: varchar, expr: { kind: first_of, exprs: [{ kind: path, path: $.name }, { kind: literal, value: "it's" }] } }
            - { name: joined, type: varchar, expr: { kind: join, separator: "/", exprs: [{ kind: path, path: $.a }, { kind: path, path: $.b }] } }
            - { name: tags, type: varchar, expr: { kind: map_join, path: $.tags, item: $.n, separator: "+" } }
            - { name: state, type: varchar, expr: { kind: lookup, expr: { kind: path, path: $.s }, map: { o: open, c: closed } } }
            - { name: other, type: varchar, expr: { kind: lookup, expr: { kind: path, path: $.s }, map: { x: y }, default: none } }
            - { name: made_at, type: timestamp, expr: { kind: to_timestamp, expr: { kind: path, path: $.ts } } }
            - { name: at_ms, type: timestamptz, expr: { kind: to_timestamp, unit: ms, expr: { kind: path, path: $.ms } } }
            - { name: day, type: date, expr: { kind: to_timestamp, format: "%Y/%m/%d", expr: { kind: path, path: $.when } } }
            - { name: swapped, type: varchar, expr: { kind: replace, expr: { kind: path, path: $.b }, from: w, to: "W" } }
            - { name: raw, type: json, expr: { kind: current_row } }
            - { name: nothing, type: int, expr: { kind: "null" } }
            - { name: data, type: varchar, expr: { kind: from_base64, expr: { kind: path, path: $.data } } }
            - { name: has, type: boolean, expr: { kind: if_present, path: $.when, then: { kind: literal, value: true }, else: { kind: literal, value: false } } }
      - name: broken
        endpoint: /rows
        response: { schema: [{ name: bad, type: varchar, sql: "read_text('/etc/passwd')" }] }
      - name: dict
        endpoint: /dict
        response:
          path: $.d
          reshape: { kind: dict_entries }
          schema: [{ name: code, type: varchar, source: $.key }, { name: rate, type: "decimal(38,2)", source: $.value.rate }]
      - name: learned
        endpoint: /dict
        response: { path: $.d, reshape: { kind: dict_entries } }
      - name: series
        endpoint: /series
        response:
          path: $.data.result
          reshape: { kind: series_points, points: $.values }
          schema:
            - { name: job, type: varchar, source: $.metric.job }
            - { name: made_at, type: timestamp, expr: { kind: to_timestamp, expr: { kind: path, path: $.timestamp } } }
            - { name: value, type: double }
      - name: points
        endpoint: /points
        response:
          reshape: { kind: series_points, series: $.series, points: $.pointlist, timestamp: t, value: v }
          schema: [{ name: scope, type: varchar }, { name: timestamp, type: bigint }, { name: value, type: hugeint }]
      - name: not_dict
        endpoint: /rows
        response: { reshape: { kind: dict_entries }, schema: [{ name: key, type: varchar }] }
      - { name: lines, endpoint: /lines, response: { schema: [{ name: id, type: bigint }, { name: t, type: varchar }] } }
      - { name: no_lines, endpoint: /no-lines, response: { format: ndjson, schema: [{ name: id, type: bigint }] } }
      - { name: cut_lines, endpoint: /cut-lines, response: { schema: [{ name: id, type: bigint }] } }
      - name: csv
        endpoint: /csv
        response: { format: csv, schema: [{ name: id, type: bigint }, { name: name, type: varchar }, { name: at, type: timestamptz }] }
      - { name: bad_csv, endpoint: /bad-csv, response: { schema: [{ name: id, type: bigint }] } }
      - { name: uneven_csv, endpoint: /uneven-csv, response: { schema: [{ name: id, type: bigint }] } }
      - name: loose
        endpoint: /loose
        params: [{ name: id, explode: { max: 2 }, required: true }]
        response: { schema: [{ name: id, type: bigint }, { name: name, type: varchar }] }
`)
})

afterAll(async () => {
  await workspace.close()
  server.close()
})

test.each<[string, readonly (readonly unknown[])[]]>([
  [
    'SELECT up, number, first, said, joined, tags, state, other FROM api.rows ORDER BY id',
    [
      ['TWO -', 3, 'two', "it's", 'two', 'x+y', 'open', 'none'],
      ['TWO one', 3, 'one', 'N', 'one/two', '', 'closed', 'none'],
    ],
  ],
  [
    'SELECT made_at, at_ms, day, swapped, nothing, data, has FROM api.rows ORDER BY id',
    [
      ['2024-01-15 10:00:00.123456', '2024-01-15 10:00:00.123+00', null, 'tWo', null, null, false],
      [null, null, '2024-01-15', 'tWo', null, 'hé', true],
    ],
  ],
  [`SELECT raw->>'b', count(*) FROM api.rows WHERE state = 'open' GROUP BY ALL`, [['two', 1]]],
  [
    'SELECT code, rate FROM api.dict ORDER BY code',
    [
      ['a"b', null],
      ['eur', '9007199254740993.00'],
      ['usd', '1.10'],
    ],
  ],
  [`SELECT key, value->>'rate' FROM api.learned ORDER BY key LIMIT 1`, [['a"b', null]]],
  [
    'SELECT job, made_at, value FROM api.series ORDER BY made_at',
    [
      ['a', '2024-01-15 10:00:00', 1.5],
      ['a', '2024-01-15 10:01:00', 'NaN'],
    ],
  ],
  ['SELECT * FROM api.points', [['h1', 1000, '12345678901234567890']]],
  [
    'SELECT * FROM api.lines ORDER BY id',
    [
      [1, 'a'],
      [2, null],
      ['9007199254740993', 'é'],
    ],
  ],
  ['SELECT count(*) FROM api.no_lines', [[0]]],
  [
    'SELECT * FROM api.csv ORDER BY id',
    [
      [1, 'a "b", c\nd', '2024-01-15 08:00:00+00'],
      [2, null, null],
      ['9007199254740993', '', '2024-01-15 00:00:00+00'],
    ],
  ],
  // Every request gives every row; each row counts once, where it was asked for.
  [
    'SELECT id, name FROM api.loose WHERE id IN (1, 4, 6) ORDER BY id',
    [
      [1, 'n1'],
      [4, 'n4'],
      [6, 'n6'],
    ],
  ],
  [
    'SELECT l.id FROM (VALUES (3), (5), (7), (3), (11)) v(i) JOIN api.loose l ON l.id = v.i ORDER BY 1',
    [[3], [3], [5], [7]],
  ],
])('%s', async (sql, rows) => {
  expect(await workspace.rows(sql)).toEqual(rows)
})

test.each([
  ['SELECT * FROM api.broken', 'engine.column_sql'],
  ['SELECT * FROM api.not_dict', 'source.unexpected_shape'],
  ['SELECT * FROM api.cut_lines', 'source.invalid_json'],
  ['SELECT * FROM api.bad_csv', 'source.invalid_json'],
  ['SELECT * FROM api.uneven_csv', 'source.invalid_json'],
])('%s is refused with %s', async (sql, code) => {
  await expect(workspace.query(sql)).rejects.toMatchObject({ code })
})

test('the check of the workspace finds a column whose SQL is not allowed', async () => {
  const report = await workspace.workspace.check(new AbortController().signal)
  expect(JSON.stringify(report)).toContain('The SQL of column bad of api.broken cannot be used')
})
