import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createRowEncoder } from './row-encoder.js'

/** DuckDB's own text of a value is the oracle. */

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

async function encoded(sql: string): Promise<readonly (readonly unknown[])[]> {
  const result = await connection.run(sql)
  const encoder = createRowEncoder(result.columnTypes(), { maxCellChars: 1_000_000 })
  const rows: unknown[][] = []
  for (const chunk of await result.fetchAllChunks()) {
    for (const row of encoder.encodeChunk(chunk)) rows.push(JSON.parse(row) as unknown[])
  }
  return rows
}

/** Numbers and texts of the answer as one text. */
function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

const int64 = fc.bigInt({ min: -(2n ** 63n) + 2n, max: 2n ** 63n - 2n })
/** Counts of microseconds, many near today; at the very edges DuckDB's own casts fail. */
const micros = fc.oneof(
  fc.bigInt({ min: -9_200_000_000_000_000_000n, max: 9_200_000_000_000_000_000n }),
  fc.bigInt({ min: -4_000_000_000_000_000n, max: 4_000_000_000_000_000n }),
  fc.bigInt({ min: -20_000n, max: 20_000n }).map((days) => days * 86_400_000_000n),
)
const nanos = fc.bigInt({ min: -9_223_286_400_000_000_000n, max: 9_223_372_036_854_775_800n })

/** SQL of one value from a random one, by type. */
const values: readonly (readonly [type: string, sql: fc.Arbitrary<string>])[] = [
  ['BIGINT', int64.map((value) => `'${value}'::BIGINT`)],
  ['UBIGINT', fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map((value) => `'${value}'::UBIGINT`)],
  ['HUGEINT', fc.bigInt({ min: -(2n ** 127n), max: 2n ** 127n - 1n }).map((value) => `'${value}'::HUGEINT`)],
  ['UHUGEINT', fc.bigInt({ min: 0n, max: 2n ** 128n - 1n }).map((value) => `'${value}'::UHUGEINT`)],
  ['BIGNUM', fc.bigInt({ min: -(2n ** 300n), max: 2n ** 300n }).map((value) => `'${value}'::BIGNUM`)],
  ...[
    [4, 1],
    [9, 8],
    [18, 3],
    [38, 10],
    [38, 0],
  ].map(
    ([width = 18, scale = 0]) =>
      [
        `DECIMAL(${width},${scale})`,
        fc
          .bigInt({ min: -(10n ** BigInt(width)) + 1n, max: 10n ** BigInt(width) - 1n })
          .map((value) => `'${pointed(value, scale)}'::DECIMAL(${width},${scale})`),
      ] as const,
  ),
  ['DATE', fc.integer({ min: -2_147_000_000, max: 2_100_000_000 }).map((days) => `'epoch'::DATE + (${days})::INTEGER`)],
  ['DATE near today', fc.integer({ min: -800_000, max: 800_000 }).map((days) => `'epoch'::DATE + (${days})::INTEGER`)],
  ['TIMESTAMP', micros.map((ticks) => `make_timestamp(${ticks}::BIGINT)`)],
  ['TIMESTAMPTZ', micros.map((ticks) => `make_timestamp(${ticks}::BIGINT)::TIMESTAMPTZ`)],
  ['TIMESTAMP_NS', nanos.map((ticks) => `make_timestamp_ns(${ticks}::BIGINT)`)],
  ['TIMESTAMP_MS', micros.map((ticks) => `make_timestamp_ms(${ticks / 1000n}::BIGINT)::TIMESTAMP_MS`)],
  ['TIMESTAMP_S', micros.map((ticks) => `make_timestamp(${ticks}::BIGINT)::TIMESTAMP_S`)],
  ['TIME', fc.integer({ min: 0, max: 86_399_999_999 }).map((ticks) => `'epoch'::TIME + to_microseconds(${ticks})`)],
  [
    'TIMETZ',
    fc
      .tuple(fc.integer({ min: 0, max: 86_399 }), fc.integer({ min: -57_599, max: 57_599 }))
      // DuckDB prints an offset of one second as `+00:01`, which reads as a minute; Querent prints `+00:00:01`.
      .filter(([, offset]) => Math.abs(offset) % 60 === 0 || Math.abs(offset) % 3600 >= 60)
      .map(([seconds, offset]) => `('${clock(seconds)}${offset < 0 ? '-' : '+'}${clock(Math.abs(offset))}')::TIMETZ`),
  ],
  [
    'INTERVAL',
    fc
      .tuple(fc.integer(), fc.integer(), fc.bigInt({ min: -(2n ** 62n), max: 2n ** 62n }))
      .map(([months, days, ticks]) => `to_months(${months}) + to_days(${days}) + to_microseconds(${ticks})`),
  ],
  ['UUID', fc.uuid().map((uuid) => `'${uuid}'::UUID`)],
  ['BIT', fc.stringMatching(/^[01]{1,70}$/).map((bits) => `'${bits}'::BIT`)],
  [
    'GEOMETRY',
    fc
      .array(fc.tuple(fc.integer({ min: -180, max: 180 }), fc.integer({ min: -90, max: 90 })), { minLength: 2 })
      .map((points) => `'LINESTRING(${points.map(([x, y]) => `${x} ${y / 4}`).join(', ')})'::GEOMETRY`),
  ],
]

/** A width that equals the scale is left out: DuckDB then prints `.5`, and Querent `0.5`. */
function pointed(value: bigint, scale: number): string {
  const digits = String(value < 0n ? -value : value).padStart(scale + 1, '0')
  return `${value < 0n ? '-' : ''}${digits.slice(0, digits.length - scale)}.${digits.slice(digits.length - scale)}`
}

function clock(seconds: number): string {
  const two = (value: number): string => String(value).padStart(2, '0')
  return `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
}

describe('against CAST(x AS VARCHAR)', () => {
  test.each(values)('%s', async (_, sql) => {
    await fc.assert(
      fc.asyncProperty(fc.array(sql, { minLength: 1, maxLength: 40 }), async (expressions) => {
        const rows = await encoded(
          `SELECT x, CAST(x AS VARCHAR) FROM (VALUES (NULL), ${expressions.map((text) => `(${text})`).join(', ')}) t(x)`,
        )
        for (const [value, text] of rows) expect(value === null ? null : asText(value)).toBe(text)
      }),
      { numRuns: 60 },
    )
  })

  test.each(values)('%s inside lists and structs', async (_, sql) => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.option(sql, { nil: 'NULL' }), { minLength: 1, maxLength: 12 }), async (items) => {
        const list = `[${items.join(', ')}]`
        const rows = await encoded(
          `SELECT x, [CAST(e AS VARCHAR) FOR e IN x], {'f': x[1]}, MAP {1: x[1]}
           FROM (SELECT ${list} AS x UNION ALL SELECT NULL UNION ALL SELECT ${list}) t`,
        )
        for (const [value, texts, struct, map] of rows) {
          const shown =
            value === null ? null : (value as unknown[]).map((item) => (item === null ? null : asText(item)))
          expect(shown).toEqual(texts)
          const first = value === null ? null : (value as unknown[])[0]
          expect(struct).toEqual({ f: first })
          expect(map).toEqual([{ key: 1, value: first }])
        }
      }),
      { numRuns: 10 },
    )
  })
})

describe('numbers', () => {
  test('a DOUBLE comes back as the same double', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 1 }),
        async (numbers) => {
          const rows = await encoded(
            `SELECT unnest([${numbers.map((value) => `'${Object.is(value, -0) ? '-0.0' : value}'::DOUBLE`).join(', ')}])`,
          )
          expect(rows.map(([value]) => value)).toEqual(numbers)
        },
      ),
    )
  })

  test('a FLOAT comes back as the same float, in no more digits than DuckDB prints', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.float({ noNaN: true, noDefaultInfinity: true }), { minLength: 1 }),
        async (numbers) => {
          const list = numbers.map((value) => `('${value}'::FLOAT)`).join(', ')
          const rows = await encoded(`SELECT x, CAST(x AS VARCHAR) FROM (VALUES ${list}) t(x)`)
          for (const [value, text] of rows) expect(digits(value)).toBeLessThanOrEqual(digits(Number(text)))
          expect(rows.map(([value]) => Math.fround(Number(value)) + 0)).toEqual(numbers.map((value) => value + 0))
        },
      ),
      { numRuns: 300 },
    )
  })
})

function digits(value: unknown): number {
  return Number(value).toExponential().replace(/e.*/, '').replaceAll(/\D/g, '').length
}

describe('texts', () => {
  const texts = fc.array(fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme', maxLength: 60 })), {
    minLength: 1,
  })

  test('a VARCHAR comes back as it went in, also in lists', async () => {
    await fc.assert(
      fc.asyncProperty(texts, async (strings) => {
        const list = `[${strings.map(sqlText).join(', ')}]`
        const rows = await encoded(`SELECT x, [x, NULL] FROM (SELECT unnest(${list}) AS x)`)
        expect(rows).toEqual(strings.map((text) => [text, [text, null]]))
      }),
    )
  })

  test('a JSON is embedded as the value it is', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.jsonValue({ stringUnit: 'grapheme' }), { minLength: 1 }), async (documents) => {
        const list = documents.map((document) => `(${sqlText(JSON.stringify(document))}::JSON)`).join(', ')
        const rows = await encoded(`SELECT x FROM (VALUES ${list}) t(x)`)
        for (const [index, [value]] of rows.entries()) {
          expect(quoteLarge(value)).toEqual(quoteLarge(JSON.parse(JSON.stringify(documents[index]))))
        }
      }),
    )
  })

  /** Integers that a double cannot tell apart are texts in the answer; -0 has no JSON of its own in JSON.stringify. */
  function quoteLarge(value: unknown): unknown {
    if (typeof value === 'number') return value + 0
    if (typeof value === 'string' && /^-?\d{16,}$/.test(value)) return Number(value)
    if (Array.isArray(value)) return value.map(quoteLarge)
    if (typeof value !== 'object' || value === null) return value
    return Object.entries(value).map(([key, inner]) => [key, quoteLarge(inner)])
  }

  test('a BLOB is base64', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 50 }), { minLength: 1 }), async (blobs) => {
        const list = blobs.map((blob) => `(from_hex('${Buffer.from(blob).toString('hex')}'))`).join(', ')
        const rows = await encoded(`SELECT x, to_base64(x) FROM (VALUES ${list}) t(x)`)
        for (const [value, base64] of rows) expect(value).toBe(base64)
      }),
    )
  })

  function sqlText(text: string): string {
    const parts = text.split('\0').map((part) => `'${part.replaceAll("'", "''")}'`)
    return `(${parts.join(' || chr(0) || ')})`
  }
})
