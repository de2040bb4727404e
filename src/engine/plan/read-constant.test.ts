import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isTreeNode, walkTree, type TreeNode } from '../../model/tree.js'
import { parseLossless } from '../../util/lossless-json.js'
import { readConstant } from './read-constant.js'

let instance: DuckDBInstance
let connection: DuckDBConnection

beforeAll(async () => {
  instance = await DuckDBInstance.create(':memory:')
  connection = await instance.connect()
  await connection.run("SET TimeZone = 'UTC'; CREATE TYPE mood AS ENUM ('sad', 'so ''so''', 'happy')")
})
afterAll(() => {
  connection.closeSync()
  instance.closeSync()
})

async function ask(sql: string, parameters: string[] = []): Promise<string | undefined> {
  const value = (await connection.runAndReadAll(sql, parameters)).getRows()[0]?.[0]
  return value === null || value === undefined ? undefined : String(value)
}

/** The constant that DuckDB folds an expression to, as the plan prints it. */
async function plannedConstant(expression: string): Promise<TreeNode | undefined> {
  const call = 'json_serialize_plan($1::VARCHAR, skip_null := true, skip_default := true, optimize := true)'
  const plan = parseLossless((await ask(`SELECT ${call}::VARCHAR`, [`SELECT ${expression}`])) ?? '')
  let found: TreeNode | undefined
  if (!isTreeNode(plan)) return undefined
  walkTree(plan, (node) => {
    if (node['expression_class'] === 'BOUND_CONSTANT' && isTreeNode(node['value'])) found ??= node['value']
  })
  return found
}

async function expectSameText(expression: string): Promise<void> {
  const planned = await plannedConstant(expression)
  const constant = planned && readConstant(planned)
  expect(constant, expression).toEqual({
    type: await ask(`SELECT typeof(${expression})`),
    text: await ask(`SELECT CAST(${expression} AS VARCHAR)`),
  })
}

describe('readConstant', () => {
  it.each([
    'true',
    'NULL::INTEGER',
    '(-128)::TINYINT',
    '18446744073709551615::UBIGINT',
    '(-170141183460469231731687303715884105728)::HUGEINT',
    '340282366920938463463374607431768211455::UHUGEINT',
    "'infinity'::DOUBLE",
    "'-infinity'::FLOAT",
    "'nan'::DOUBLE",
    "'-0.0'::DOUBLE",
    '0.1::FLOAT',
    '16777216::FLOAT',
    '1e-45::FLOAT',
    '0::DECIMAL(4,0)',
    '(-0.05)::DECIMAL(4,2)',
    '12345678901234567890.123456789::DECIMAL(38,9)',
    "'it''s'",
    "chr(0) || 'x'",
    `'{"a": 1}'::JSON`,
    "'\\x00\\xFF a'::BLOB",
    "DATE '0044-03-15 (BC)'",
    "'infinity'::DATE",
    "'-infinity'::TIMESTAMP",
    "'infinity'::TIMESTAMPTZ",
    "TIMESTAMP '0001-01-01 (BC) 00:00:00.000001'",
    "TIMESTAMPTZ '2024-01-01 10:00:00.12+02'",
    "TIMESTAMP_S '2024-01-01 10:00:01'",
    "TIMESTAMP_MS '1969-12-31 23:59:59.999'",
    "TIMESTAMP_NS '2024-01-01 10:00:00.123456789'",
    "TIME '23:59:59.999999'",
    "INTERVAL '-1 month 3 days -04:05:06.5'",
    "INTERVAL '0 days'",
    "'00000000-0000-0000-0000-000000000000'::UUID",
    "'ffffffff-ffff-ffff-ffff-ffffffffffff'::UUID",
  ])('prints %s as DuckDB does', async (expression) => {
    await expectSameText(expression)
  })

  it('reads the name of an ENUM value', async () => {
    const planned = await plannedConstant("'so ''so'''::mood")
    expect(planned && readConstant(planned)).toEqual({
      type: "ENUM('sad', 'so ''so''', 'happy')",
      text: "so 'so'",
    })
  })

  it.each(['[1, 2]', '{a: 1}', 'MAP {1: 2}', "'10:00:00+02'::TIMETZ", 'union_value(a := 1)'])(
    'leaves %s',
    async (expression) => {
      const planned = await plannedConstant(expression)
      expect(planned).toBeDefined()
      expect(planned && readConstant(planned)).toBeUndefined()
    },
  )

  const micros = fc.bigInt({ min: -(2n ** 55n), max: 2n ** 57n })
  const anyConstant = fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => `'${value}'::DOUBLE`),
    fc.bigInt({ min: -(2n ** 127n), max: 2n ** 127n - 1n }).map((value) => `'${value}'::HUGEINT`),
    fc.integer().map((value) => `(${value}::BIGINT / 1000)::INTEGER + DATE '1970-01-01'`),
    micros.map((value) => `make_timestamp(${value})`),
    micros.map((value) => `make_timestamp(${value})::TIMESTAMPTZ`),
    fc.bigInt({ min: -(2n ** 62n), max: 2n ** 62n }).map((value) => `make_timestamp_ns(${value})`),
    fc
      .tuple(fc.integer({ min: -9999, max: 9999 }), fc.integer({ min: -9999, max: 9999 }), micros)
      .map(([months, days, rest]) => `to_months(${months}) + to_days(${days}) + to_microseconds(${rest})`),
    fc.uuid().map((value) => `'${value}'::UUID`),
    fc
      .tuple(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), fc.integer({ min: 0, max: 8 }))
      .map(
        ([value, scale]) =>
          `'${value}'::DECIMAL(38,0) * '${'0.00000001'.slice(0, scale === 0 ? 1 : scale + 2)}'::DECIMAL(${scale + 1},${scale})`,
      ),
    fc.string({ unit: 'grapheme' }).map((value) => `'${value.replaceAll("'", "''").replaceAll('\0', '')}'`),
  )

  it('prints any FLOAT as text that is the same FLOAT again', async () => {
    const floats = fc.float({ noNaN: true, noDefaultInfinity: true })
    const property = fc.asyncProperty(floats, async (value) => {
      const planned = await plannedConstant(`'${value}'::FLOAT`)
      const text = planned && readConstant(planned)?.text
      expect(Math.fround(Number(text))).toBe(value)
    })
    await fc.assert(property, { numRuns: 100 })
  })

  it('prints any constant as DuckDB does', async () => {
    await fc.assert(fc.asyncProperty(anyConstant, expectSameText), { numRuns: 400 })
  })
})
