import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { JsonNumber, parseLossless, stringifyLossless } from './lossless-json.js'

describe('parseLossless', () => {
  it('keeps numbers that JavaScript would change as their text', () => {
    const texts = ['18446744073709551615', '-9007199254740993', 'NaN', 'Infinity', '-Infinity', '-0.0', '-0', '1000.0']
    expect(parseLossless(`[${texts.join(', ')}]`)).toEqual(texts.map((text) => new JsonNumber(text)))
  })

  it('gives plain numbers where nothing is lost', () => {
    expect(parseLossless('[9007199254740991, -9007199254740991, 0.10000000149011612, 1e-7, 0, NaN]')).toEqual([
      9007199254740991,
      -9007199254740991,
      0.10000000149011612,
      1e-7,
      0,
      new JsonNumber('NaN'),
    ])
  })

  it('never mistakes the inside of a string for a number', () => {
    const text = '{"a":"NaN, 18446744073709551615, \\"-Infinity\\" \\\\","b\\u0001":["-0.0"],"c":NaN}'
    expect(parseLossless(text)).toEqual({
      a: 'NaN, 18446744073709551615, "-Infinity" \\',
      'b\u0001': ['-0.0'],
      c: new JsonNumber('NaN'),
    })
  })

  it('treats __proto__ as a key like any other', () => {
    const value = parseLossless('{"__proto__":{"x":NaN}}') as object
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
    expect(Object.keys(value)).toEqual(['__proto__'])
  })

  it.each(['[NaN', '{"a" NaN}', '[NaN,]', '[,NaN]', 'NaN 1', '"NaN', '{NaN:1}', '[NaN}', 'nan-0', '[-]-0', '', '[}-0'])(
    'refuses %j',
    (text) => {
      expect(() => parseLossless(text)).toThrow(SyntaxError)
    },
  )

  it('reads nesting, lists and strings beyond what a call stack carries', () => {
    const deep = `${'[{"a":'.repeat(20_000)}NaN${'}]'.repeat(20_000)}`
    expect(stringifyLossless(parseLossless(deep))).toBe(deep)
    const long = `["${'a\\n'.repeat(500_000)}",NaN${',1'.repeat(300_000)}]`
    expect(stringifyLossless(parseLossless(long))).toBe(long)
  })

  it('agrees with JSON.parse on every JSON value, whichever path it takes', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.boolean(), (value, spaced) => {
        const text = JSON.stringify(value, null, spaced ? 2 : 0)
        const [, parsed] = parseLossless(`[NaN,${text}]`) as [unknown, unknown]
        expect(toPlain(parsed)).toEqual(JSON.parse(text))
        expect(toPlain(parseLossless(text))).toEqual(JSON.parse(text))
      }),
    )
  })
})

function toPlain(value: unknown): unknown {
  if (value instanceof JsonNumber) return JSON.parse(value.text)
  if (Array.isArray(value)) return value.map(toPlain)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, toPlain(entry)]))
}

describe("a tree of DuckDB's", () => {
  let instance: DuckDBInstance
  let connection: DuckDBConnection

  beforeAll(async () => {
    instance = await DuckDBInstance.create(':memory:')
    connection = await instance.connect()
  })

  afterAll(() => {
    connection.closeSync()
    instance.closeSync()
  })

  async function ask(sql: string, value: string): Promise<string> {
    const result = await connection.runAndReadAll(sql, [value])
    return String(result.getRows()[0]?.[0])
  }

  const number = fc.oneof(
    fc.bigInt({ min: -(2n ** 127n), max: 2n ** 127n - 1n }).map(String),
    fc.integer().map(String),
    fc.double({ noDefaultInfinity: true, noNaN: true }).map((value) => (Object.is(value, -0) ? '-0.0' : String(value))),
    fc.integer().map((value) => `${value}.0e0`),
    fc.constantFrom('1e3', '1e22', '100000000000000000000.0e0', '-0.0e0', '0.1::float', "'inf'::double"),
  )
  const text = fc.string({ unit: 'binary' }).map((value) => `'${value.replaceAll("'", "''").replaceAll('\0', '')}'`)

  it('survives parse, print and json_deserialize_sql', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(number, text), { minLength: 1, maxLength: 6 }), async (literals) => {
        const tree = await ask('SELECT json_serialize_sql($1::varchar)', `SELECT ${literals.join(', ')}`)
        const printed = stringifyLossless(parseLossless(tree))
        const back = 'SELECT json_deserialize_sql($1::json)'
        expect(await ask(back, printed)).toBe(await ask(back, tree))
      }),
      { numRuns: 300 },
    )
  })
})
