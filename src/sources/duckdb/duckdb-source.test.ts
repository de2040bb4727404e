import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { planOf, rowsInPlace } from '../../../tests/support/in-place.js'
import { DirectIntrospection } from '../../../tests/support/introspection.js'
import { sourceContext } from '../../../tests/support/source-context.js'
import { TempFolder } from '../../../tests/support/temp-folder.js'
import type { TableName } from '../../model/table.js'
import { duckdbKind } from './duckdb-kind.js'
import { DuckdbSource } from './duckdb-source.js'

const signal = new AbortController().signal
let folder: TempFolder
let introspection: DirectIntrospection
let changes: number

beforeEach(() => {
  folder = new TempFolder()
  introspection = new DirectIntrospection()
  changes = 0
})

afterEach(() => {
  folder.remove()
})

async function open(more: Readonly<Record<string, unknown>> = {}, readWrite = false): Promise<DuckdbSource> {
  const config = duckdbKind.configSchema.parse({ name: 'shop', kind: 'duckdb', path: 'shop.duckdb', ...more })
  const context = sourceContext(folder.path, introspection, { readWrite, onChanged: () => changes++ })
  const source = await duckdbKind.open(config, context)
  if (!(source instanceof DuckdbSource)) throw new TypeError('the kind opened another source')
  return source
}

async function write(statements: readonly string[], name = 'shop.duckdb', attach = 'ATTACH'): Promise<void> {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  try {
    await connection.run("SET force_mbedtls_unsafe = 'true'")
    const options = attach === 'ATTACH' ? '' : ` (ENCRYPTION_KEY '${attach}')`
    await connection.run(`ATTACH '${path.join(folder.path, name)}' AS other${options}`)
    await connection.run('USE other')
    for (const statement of statements) await connection.run(statement)
    await connection.run('USE memory')
    await connection.run('DETACH other')
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}

const name = (table: string, schema?: string): TableName => ({
  ...{ source: 'shop', table },
  ...(schema === undefined ? {} : { schema }),
})

const shop = [
  'CREATE SCHEMA sales',
  'CREATE TABLE customers (id INTEGER PRIMARY KEY, name VARCHAR NOT NULL)',
  "CREATE TABLE orders (id BIGINT PRIMARY KEY, customer INTEGER REFERENCES customers (id), amount DECIMAL(10,2), state ENUM ('new', 'paid'), tags STRUCT(a INTEGER, \"b c\" VARCHAR[]), twice INTEGER GENERATED ALWAYS AS (customer * 2) VIRTUAL)",
  'CREATE TABLE sales."Odd ""Name""" ("select" INTEGER)',
  "COMMENT ON TABLE orders IS 'All orders\u202e\u0007 of the shop'",
  "COMMENT ON COLUMN orders.amount IS 'Net'",
  "INSERT INTO customers VALUES (1, 'Ada')",
  "INSERT INTO orders VALUES (9007199254740993, 1, 3.50, 'paid', {a: 1, 'b c': ['x']})",
  "CREATE VIEW paid AS SELECT id, amount FROM orders WHERE state = 'paid'",
  'CREATE TABLE gone (x INTEGER)',
  'CREATE VIEW broken AS SELECT x FROM gone',
  'DROP TABLE gone',
  'CREATE MACRO m(x) AS x + 1',
  'CREATE SEQUENCE s',
]

describe('a database', () => {
  beforeEach(async () => {
    await write(shop)
  })

  it('lists its tables and views with schema and comment', async () => {
    const tables = await (await open()).listTables(signal)
    expect(tables.map((table) => [table.name.schema, table.name.table])).toEqual([
      [undefined, 'customers'],
      [undefined, 'orders'],
      ['sales', 'Odd "Name"'],
      [undefined, 'broken'],
      [undefined, 'paid'],
    ])
    expect(tables[1]?.description).toBe('All orders of the shop')
  })

  it('describes types, comments, keys and relationships', async () => {
    const [orders] = await (await open()).describeTables([name('orders', 'main')], { signal })
    expect(orders?.columns.map((column) => `${column.name} ${column.type}`)).toEqual([
      'id BIGINT',
      'customer INTEGER',
      'amount DECIMAL(10,2)',
      "state ENUM('new', 'paid')",
      'tags STRUCT(a INTEGER, "b c" VARCHAR[])',
      'twice INTEGER',
    ])
    expect(orders).toMatchObject({ primaryKey: ['id'], cost: 'about 1 rows', access: 'inPlace' })
    expect(orders?.columns[2]?.description).toBe('Net')
    expect(orders?.relationships).toEqual([{ columns: ['customer'], target: name('customers'), targetColumns: ['id'] }])
  })

  it('reads tables, views and odd names in place', async () => {
    const source = await open()
    const request = { source, introspection }
    expect(await rowsInPlace({ ...request, table: 'ORDERS' }, 'SELECT id::VARCHAR, twice FROM scan')).toEqual([
      ['9007199254740993', 2],
    ])
    expect(await rowsInPlace({ ...request, table: 'paid' }, 'SELECT count(*) FROM scan')).toEqual([[1]])
    expect(await rowsInPlace({ ...request, table: 'Odd "Name"', schema: 'sales' })).toEqual([])
  })

  it('names what is wrong with a view, and leaves the others working', async () => {
    const source = await open()
    const [broken, paid] = await source.describeTables([name('broken'), name('paid')], { signal })
    expect(broken?.description).toMatch(/cannot be read: .*gone/)
    expect(paid?.columnNames).toEqual(['id', 'amount'])
    await expect(planOf({ source, introspection, table: 'broken' })).rejects.toMatchObject({
      code: 'catalog.broken_view',
    })
  })

  it('refuses views over files', async () => {
    const file = folder.write('secret.csv', 'id\n1\n')
    await write([`CREATE VIEW leak AS FROM read_csv('${file}')`])
    const source = await open()
    const planned = planOf({ source, introspection, table: 'leak' })
    await expect(planned).rejects.toMatchObject({
      code: 'catalog.broken_view',
      message: expect.not.stringContaining(folder.path) as string,
    })
  })

  it('is read again when it changed, and kept otherwise', async () => {
    const source = await open()
    await source.listTables(signal)
    await source.describeTables([name('orders')], { signal })
    expect(introspection.statements.length).toBe(1)
    await write(['ALTER TABLE customers ADD COLUMN mail VARCHAR'])
    const [customers] = await source.describeTables([name('customers')], { signal })
    expect(customers?.columnNames).toEqual(['id', 'name', 'mail'])
    expect(changes).toBe(1)
  })

  it('shows only the tables that the workspace file lists', async () => {
    const tables = [
      { name: 'orders', description: 'Ours', columns: { id: { description: 'Key' } } },
      { name: 'sales.odd "name"' },
    ]
    const source = await open({ tables })
    expect((await source.listTables(signal)).map((table) => table.name.table)).toEqual(['orders', 'Odd "Name"'])
    const [orders] = await source.describeTables([name('orders')], { signal })
    expect([orders?.description, orders?.columns[0]?.description]).toEqual(['Ours', 'Key'])
    await expect(source.describeTables([name('customers')], { signal })).rejects.toMatchObject({
      code: 'catalog.unknown_table',
    })
    await expect((await open({ tables: [{ name: 'ordrs' }] })).check(signal)).rejects.toMatchObject({
      code: 'catalog.unknown_table',
    })
  })

  it('answers an unknown table with near names', async () => {
    const described = (await open()).describeTables([name('order')], { signal })
    await expect(described).rejects.toMatchObject({ code: 'catalog.unknown_table', hint: 'Did you mean shop.orders?' })
  })

  it('is free for others between questions, and says who has it when it is locked', async () => {
    const source = await open()
    await source.listTables(signal)
    const program = `
      const { DuckDBInstance } = await import('@duckdb/node-api')
      const instance = await DuckDBInstance.create(process.argv[1])
      const connection = await instance.connect()
      await connection.run('CREATE TABLE fresh (a INTEGER)')
      console.log('open')
      process.stdin.on('end', () => process.exit()).resume()`
    const other = spawn(
      process.execPath,
      ['--input-type=module', '-e', program, path.join(folder.path, 'shop.duckdb')],
      {
        stdio: ['pipe', 'pipe', 'inherit'],
      },
    )
    await once(other.stdout, 'data')
    const listed = expect((await open()).listTables(signal)).rejects
    await listed.toMatchObject({
      code: 'file.locked',
      message: expect.stringContaining(`process ${other.pid ?? ''}`) as string,
    })
    other.stdin.end()
    await once(other, 'exit')
    expect((await source.listTables(signal)).map((table) => table.name.table)).toContain('fresh')
  })
})

describe('a path that is no readable database', () => {
  const listed = async (file: string): Promise<unknown> => (await open({ path: file })).listTables(signal)

  it.each([
    ['nothing.duckdb', 'file.not_found'],
    ['.', 'file.not_a_file'],
    ['text.duckdb', 'file.not_a_database'],
    ['empty.duckdb', 'file.not_a_database'],
    ['md:sales?motherduck_token=secret', 'file.motherduck_unavailable'],
    ['motherduck:sales', 'file.motherduck_unavailable'],
    ['s3://bucket/x.duckdb', 'file.remote_unsupported'],
  ])('%s', async (file, code) => {
    folder.write('text.duckdb', 'not a database'.repeat(1_000))
    folder.write('empty.duckdb', '')
    await expect(listed(file)).rejects.toMatchObject({ code, message: expect.not.stringContaining('secret') as string })
    await expect((await open({ path: file })).check(signal)).rejects.toMatchObject({ code })
  })

  it('encrypted, newer and damaged files', async () => {
    await write(['CREATE TABLE t (a INTEGER)'], 'key.duckdb', 'abcdefgh')
    await write(['CREATE TABLE t AS FROM range(100000)'], 'good.duckdb')
    const good = readFileSync(path.join(folder.path, 'good.duckdb'))
    folder.write('newer.duckdb', newer(good))
    const damaged = Buffer.from(good)
    damaged.fill(7, 4_096, 12_288)
    folder.write('damaged.duckdb', damaged)
    await expect(listed('key.duckdb')).rejects.toMatchObject({ code: 'file.database_encrypted' })
    await expect(listed('newer.duckdb')).rejects.toMatchObject({ code: 'file.database_version' })
    await expect(listed('damaged.duckdb')).rejects.toMatchObject({
      code: 'file.database_corrupt',
      message: expect.not.stringContaining(folder.path) as string,
    })
  })

  it('is refused in the workspace file where it is in memory, twice or not at all', () => {
    for (const faulty of [
      { path: ':memory:' },
      { config: { path: ':memory:x' } },
      { path: 'a', config: { path: 'b' } },
      {},
      { path: 'a', readwrite: true },
    ]) {
      expect(duckdbKind.configSchema.safeParse({ name: 'shop', kind: 'duckdb', ...faulty }).success).toBe(false)
    }
  })
})

describe('writing', () => {
  it('has a target only where it was asked for; a file that is missing is empty until then', async () => {
    expect(await (await open()).writeTarget()).toBeUndefined()
    const source = await open({}, true)
    const file = path.join(folder.path, 'shop.duckdb')
    expect(await source.writeTarget()).toEqual({ alias: 'shop', path: file, readOnly: false })
    expect(await source.listTables(signal)).toEqual([])
    await source.check(signal)
    await write(['CREATE TABLE t (a INTEGER)'])
    expect((await source.listTables(signal)).map((table) => table.name.table)).toEqual(['t'])
    await expect((await open({ path: 'no/folder/x.duckdb' }, true)).check(signal)).rejects.toMatchObject({
      code: 'file.unreadable',
    })
  })

  it('attaches the same file by the same path for reading, links resolved', async () => {
    await write(['CREATE TABLE t (a INTEGER)'])
    symlinkSync('shop.duckdb', path.join(folder.path, 'link.duckdb'))
    const source = await open({ path: 'link.duckdb' }, true)
    const { plan } = await planOf({ source, introspection, table: 't' })
    expect(plan.inPlace?.attach).toEqual([await source.writeTarget()])
  })
})

/** The same file with storage version 999 and a check sum that fits. */
function newer(good: Buffer): Buffer {
  const bytes = Buffer.from(good)
  bytes.writeBigUInt64LE(999n, 12)
  let sum = 5381n
  for (let at = 8; at < 4_096; at += 8) sum ^= BigInt.asUintN(64, bytes.readBigUInt64LE(at) * 0xbf58476d1ce4e5b9n)
  bytes.writeBigUInt64LE(sum, 0)
  return bytes
}
