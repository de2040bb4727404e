import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createRowEncoder } from './row-encoder.js'
import { escapedLength } from './text.js'
import { typeName } from './type-name.js'

let instance: DuckDBInstance
let connection: DuckDBConnection

beforeAll(async () => {
  instance = await DuckDBInstance.create(':memory:')
  connection = await instance.connect()
  await connection.run("SET TimeZone = 'UTC'")
})

afterAll(() => {
  connection.closeSync()
  instance.closeSync()
})

async function encode(sql: string, maxCellChars = 100_000) {
  const result = await connection.run(sql)
  const types = result.columnTypes()
  const encoder = createRowEncoder(types, { maxCellChars })
  const rows: string[] = []
  for (const chunk of await result.fetchAllChunks()) rows.push(...encoder.encodeChunk(chunk))
  return { rows, types: types.map(typeName), shortenedCells: encoder.shortenedCells }
}

/** JSON text of one expression's value. */
async function cell(expression: string, maxCellChars?: number): Promise<string> {
  const { rows } = await encode(`SELECT ${expression} AS x`, maxCellChars)
  expect(rows).toHaveLength(1)
  return (rows[0] ?? '').slice(1, -1)
}

describe('values', () => {
  test.each([
    ['NULL', 'null'],
    ['true', 'true'],
    ['9007199254740991', '9007199254740991'],
    ['-9007199254740991', '-9007199254740991'],
    ['9007199254740992', '"9007199254740992"'],
    ['-9007199254740992', '"-9007199254740992"'],
    ['(-9223372036854775808)::BIGINT', '"-9223372036854775808"'],
    ['18446744073709551615::UBIGINT', '"18446744073709551615"'],
    ['4294967295::UINTEGER', '4294967295'],
    ['5::HUGEINT', '"5"'],
    ["'-170141183460469231731687303715884105728'::HUGEINT", '"-170141183460469231731687303715884105728"'],
    ['340282366920938463463374607431768211455::UHUGEINT', '"340282366920938463463374607431768211455"'],
    ['1.5::DECIMAL(4, 1)', '"1.5"'],
    ['-0.05::DECIMAL(9, 2)', '"-0.05"'],
    ['12345678901234567.8::DECIMAL(18, 1)', '"12345678901234567.8"'],
    ['0.00000000000000000000000000000000000001::DECIMAL(38, 38)', '"0.00000000000000000000000000000000000001"'],
    ["'NaN'::DOUBLE", '"NaN"'],
    ["'inf'::DOUBLE", '"Infinity"'],
    ["'-inf'::FLOAT", '"-Infinity"'],
    ['-0.0::DOUBLE', '-0'],
    ['1e300', '1e+300'],
    ['0.1::FLOAT', '0.1'],
    ['123.456::FLOAT', '123.456'],
    ['16777217::FLOAT', '16777216'],
    ["'3.4028235e38'::FLOAT", '3.4028235e+38'],
    ["'1e-45'::FLOAT", '1e-45'],
    ["DATE '2024-01-15'", '"2024-01-15"'],
    ["'44-03-15 (BC)'::DATE", '"0044-03-15 (BC)"'],
    ["'123456-01-01'::DATE", '"123456-01-01"'],
    ["'infinity'::DATE", '"infinity"'],
    ["'-infinity'::DATE", '"-infinity"'],
    ["TIMESTAMP '2024-01-15 14:30:00.123456'", '"2024-01-15 14:30:00.123456"'],
    ["TIMESTAMP '2024-01-15 14:30:00.1'", '"2024-01-15 14:30:00.1"'],
    ["TIMESTAMP '2024-01-15'", '"2024-01-15 00:00:00"'],
    ["TIMESTAMP '1969-12-31 23:59:59.999999'", '"1969-12-31 23:59:59.999999"'],
    ["'infinity'::TIMESTAMP", '"infinity"'],
    ["'-infinity'::TIMESTAMPTZ", '"-infinity"'],
    ["'infinity'::TIMESTAMP_S", '"infinity"'],
    ["'infinity'::TIMESTAMP_NS", '"infinity"'],
    ["'2024-01-15 14:30:00.123456789'::TIMESTAMP_NS", '"2024-01-15 14:30:00.123456789"'],
    ["'2024-01-15 14:30:00.123'::TIMESTAMP_MS", '"2024-01-15 14:30:00.123"'],
    ["'2024-01-15 14:30:00'::TIMESTAMP_S", '"2024-01-15 14:30:00"'],
    ["'2024-01-15 14:30:00+02'::TIMESTAMPTZ", '"2024-01-15 12:30:00+00"'],
    ["'24:00:00'::TIME", '"24:00:00"'],
    ["'10:00:00.000000001'::TIME_NS", '"10:00:00.000000001"'],
    ["'10:00:00.5-05:30'::TIMETZ", '"10:00:00.5-05:30"'],
    ["INTERVAL '-1 month 3 days -4 hours'", '"-1 month 3 days -04:00:00"'],
    ["INTERVAL '0 days'", '"00:00:00"'],
    ["INTERVAL '14 months -1 microsecond'", '"1 year 2 months -00:00:00.000001"'],
    [String.raw`'\x00\xFFabc'::BLOB`, '"AP9hYmM="'],
    ["'2b4946d1-0f5a-44ee-9827-6d421f375bf2'::UUID", '"2b4946d1-0f5a-44ee-9827-6d421f375bf2"'],
    [`'b''"c'::ENUM ('a', 'b''"c')`, String.raw`"b'\"c"`],
    ["'10101'::BIT", '"10101"'],
    ["'-123456789012345678901234567890'::BIGNUM", '"-123456789012345678901234567890"'],
    ["'POLYGON((0 0,1 1.5,1 0,0 0))'::GEOMETRY", '"POLYGON ((0 0, 1 1.5, 1 0, 0 0))"'],
    ['[1, NULL, 3]', '[1,null,3]'],
    ['[]', '[]'],
    ['[[1, 2], NULL, []]', '[[1,2],null,[]]'],
    ['[[1, 2], [3, 4]]::INTEGER[2][2]', '[[1,2],[3,4]]'],
    [`{'a': 1, 'b c': [{'d"': 'x'}], 'n': NULL}`, String.raw`{"a":1,"b c":[{"d\"":"x"}],"n":null}`],
    ['row(1, 2)', '[1,2]'],
    ["MAP {1: 'a', 2: NULL}", '[{"key":1,"value":"a"},{"key":2,"value":null}]'],
    ['MAP {}', '[]'],
    ['union_value(n := 5)::UNION(t VARCHAR, n INTEGER)', '5'],
    ["''", '""'],
    [String.raw`'a"b\c' || chr(0) || chr(10) || chr(31)`, String.raw`"a\"b\\c\u0000\n\u001f"`],
    [`'\u{feff}short'`, '"\u{feff}short"'],
    [`'\u{feff}longer than twelve bytes 😀'`, '"\u{feff}longer than twelve bytes 😀"'],
    ['1::VARIANT', '"1"'],
    ["'abc'::VARIANT", '"abc"'],
    [`{'a': 1, '__proto__': [1.5, NULL]}::VARIANT`, String.raw`"{\"__proto__\":[\"1.5\",null],\"a\":1}"`],
    ['NULL::VARIANT', 'null'],
  ])('%s is %s', async (expression, json) => {
    const text = await cell(expression)
    expect(sortedVariant(expression, text)).toBe(json)
  })

  /** The order of a VARIANT's keys is DuckDB's own. */
  function sortedVariant(expression: string, text: string): string {
    if (!expression.startsWith('{') || !expression.endsWith('::VARIANT')) return text
    const value = JSON.parse(JSON.parse(text) as string) as Record<string, unknown>
    const keys = Object.keys(value).sort()
    return JSON.stringify(`{${keys.map((key) => `${JSON.stringify(key)}:${JSON.stringify(value[key])}`).join(',')}}`)
  }

  test.each([
    ['{"a":1}', '{"a":1}'],
    [' { "a" : [ 1 , 2.50 ] } ', '{"a":[1,2.50]}'],
    [
      '[12345678901234567890,-9007199254740992,9007199254740994]',
      '["12345678901234567890","-9007199254740992","9007199254740994"]',
    ],
    ['[0.1,1e21,1e400,0.1234567890123456789,1e-400,-0]', '[0.1,1e21,"1e400","0.1234567890123456789","1e-400",-0]'],
    ['{"a":1,"a":2}', String.raw`"{\"a\":1,\"a\":2}"`],
    [String.raw`{"a":1,"\u0061":2}`, String.raw`"{\"a\":1,\"\\u0061\":2}"`],
    ['{"2":1,"1":2,"__proto__":3}', '{"2":1,"1":2,"__proto__":3}'],
    ['[NaN,-Infinity,Infinity]', '["NaN","-Infinity","Infinity"]'],
    ['null', 'null'],
    ['"text"', '"text"'],
  ])('the JSON %s is %s', async (document, json) => {
    const quoted = document.replaceAll("'", "''")
    expect(await cell(`'${quoted}'::JSON`)).toBe(json)
    expect(await cell(`['${quoted}'::JSON]`)).toBe(`[${json}]`)
  })

  test('JSON nested beyond what parsers read arrives as text', async () => {
    const deep = '['.repeat(5000) + ']'.repeat(5000)
    expect(await cell(`'${deep}'::JSON`)).toBe(`"${deep}"`)
  })

  test('a VARIANT nests deeper than the stack carries', async () => {
    const deep = '['.repeat(20_000) + '1' + ']'.repeat(20_000)
    expect(await cell(`'${deep}'::JSON::VARIANT`)).toBe(`"${deep}"`)
  })

  test('VARIANTs of all kinds', async () => {
    const { rows } = await encode(`SELECT x FROM (VALUES
      ({'b': [1, 2, NULL], 'n': {'x': 1.5::DOUBLE, 'e': []}}::VARIANT), (MAP {'k': 1}::VARIANT), (DATE '2024-01-15'::VARIANT),
      ('2024-01-15 10:00:00.5'::TIMESTAMP::VARIANT), (true::VARIANT), (12345678901234567890::VARIANT), (0.1::FLOAT::VARIANT),
      ('-0.05'::DECIMAL(38, 2)::VARIANT), (INTERVAL '1 day'::VARIANT), ('101'::BIT::VARIANT), ('ab'::BLOB::VARIANT),
      ('2b4946d1-0f5a-44ee-9827-6d421f375bf2'::UUID::VARIANT), ('10:00:00+01'::TIMETZ::VARIANT), ([]::VARIANT)) t(x)`)
    expect(rows.map((row) => (JSON.parse(row) as string[])[0])).toEqual([
      '{"b":[1,2,null],"n":{"x":1.5,"e":[]}}',
      '[{"key":"k","value":1}]',
      '2024-01-15',
      '2024-01-15 10:00:00.5',
      'true',
      '12345678901234567890',
      '0.1',
      '-0.05',
      '1 day',
      '101',
      'YWI=',
      '2b4946d1-0f5a-44ee-9827-6d421f375bf2',
      '10:00:00+01',
      '[]',
    ])
  })

  test('NULLs of every type', async () => {
    const types = [
      'INTEGER',
      'VARCHAR',
      'DATE',
      'JSON',
      'INTEGER[]',
      'MAP(INTEGER, VARCHAR)',
      'UNION(a INTEGER)',
      'VARIANT',
    ]
    const { rows } = await encode(`SELECT ${types.map((type) => `NULL::${type}`).join(', ')}`)
    expect(rows).toEqual([`[${types.map(() => 'null').join(',')}]`])
  })

  test('an empty chunk range and rows of a part', async () => {
    const result = await connection.run('SELECT i FROM range(10) t(i)')
    const [chunk] = await result.fetchAllChunks()
    if (chunk === undefined) throw new Error('no chunk')
    const encoder = createRowEncoder(result.columnTypes(), { maxCellChars: 100 })
    expect(encoder.encodeChunk(chunk, 3, 5)).toEqual(['[3]', '[4]'])
    expect(encoder.encodeChunk(chunk, 3, 3)).toEqual([])
  })

  test('several chunks keep their order', async () => {
    const { rows } = await encode("SELECT i, 'text number ' || i FROM range(5000) t(i) ORDER BY i")
    expect(rows).toHaveLength(5000)
    expect(rows.every((row, index) => row === `[${index},"text number ${index}"]`)).toBe(true)
  })
})

describe('over-long cells', () => {
  const max = 200
  const long = 'x'.repeat(1000)

  test.each([
    ['text', "repeat('x', 1000)", 'xxxxx', 1000],
    ['far longer text', "repeat('x', 1000000)", 'xxxxx', 1_000_000],
    ['text of four bytes each', "repeat('😀', 100000)", '😀😀', 200_000],
    ['a list', "[repeat('x', 1000)]", '["xxxxx', 1004],
    ['a JSON', `('"' || repeat('x', 1000) || '"')::JSON`, '"xxxxx', 1002],
    ['a BLOB', String.raw`repeat('\x00', 3000)::BLOB`, 'AAAAA', 4000],
    ['a long BLOB', String.raw`repeat('\x00', 300000)::BLOB`, 'AAAAA', 400_000],
  ])('%s is shortened, marked and counted', async (_, expression, start, length) => {
    const { rows, shortenedCells } = await encode(`SELECT ${expression} AS x, 1 AS y`, max)
    const [shown, next] = JSON.parse(rows[0] ?? '') as [string, number]
    expect(shown.startsWith(start)).toBe(true)
    expect(shown.endsWith(`… [shortened from ${length} characters]`)).toBe(true)
    expect(escapedLength(JSON.stringify(shown))).toBeGreaterThan(max - 5)
    expect(next).toBe(1)
    expect(shortenedCells).toBe(1)
  })

  test('a cell at the limit stays whole, one character more does not', async () => {
    expect(JSON.parse(await cell(`repeat('x', ${max - 4})`, max))).toBe('x'.repeat(max - 4))
    expect(JSON.parse(await cell(`repeat('x', ${max - 3})`, max))).toMatch(/^x+… \[shortened from 197 characters\]$/)
  })

  test.each([
    ['control characters', 'repeat(chr(1), 1000)'],
    ['quotes', `repeat('"', 1000)`],
    ['backslashes', String.raw`repeat('\', 1000)`],
    ['characters of two units', "repeat('😀', 1000)"],
    ['three bytes each', "repeat('漢', 1000)"],
    ['a list of texts', "list_transform(range(200), lambda i: 'it is \"' || i || '\"')"],
    ['a huge list', 'range(3000000)'],
    ['a struct', `{'a': '${long}', 'b': range(100)}`],
    ['a map', 'map_from_entries([(i, i) for i in range(1000)])'],
    ['a VARIANT', 'range(1000)::VARIANT'],
  ])('%s never takes more than the limit', async (_, expression) => {
    const text = await cell(expression, max)
    expect(escapedLength(text)).toBeLessThanOrEqual(max)
    expect(JSON.parse(text)).toMatch(/… \[shortened from (more than )?\d+ characters\]$/)
    expect(text).not.toMatch(/\p{Surrogate}/u)
  })
})

describe('type names', () => {
  test.each([
    'INTEGER',
    'DECIMAL(18,3)',
    'TIMESTAMP WITH TIME ZONE',
    'TIME WITH TIME ZONE',
    'TIMESTAMP_NS',
    'JSON',
    'JSON[]',
    'INTEGER[3]',
    'STRUCT(a INTEGER, "b c" VARCHAR[], "select" JSON, "name" DATE, "q""" DOUBLE)',
    'MAP(VARCHAR, STRUCT(x DECIMAL(4,1)))',
    'UNION(n INTEGER, t VARCHAR)',
    "ENUM('a', 'b''c')",
    'VARIANT',
    'BIGNUM',
    'BIT',
  ])('%s', async (type) => {
    const result = await connection.run(`SELECT NULL::${type} AS x, typeof(NULL::${type})`)
    const [asDuckdb] = (await result.getColumns())[1] ?? []
    expect(typeName(result.columnType(0))).toBe(asDuckdb)
  })

  test('every keyword of DuckDB is quoted as DuckDB quotes it', async () => {
    const reader = await connection.runAndReadAll('SELECT DISTINCT keyword_name FROM duckdb_keywords() ORDER BY 1')
    const fields = reader.getRows().map(([word]) => `"${String(word)}" INTEGER`)
    const result = await connection.run(`SELECT NULL::STRUCT(${fields.join(', ')})`)
    expect(typeName(result.columnType(0))).toBe(`STRUCT(${fields.join(', ')})`)
  })
})
