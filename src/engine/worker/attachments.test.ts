import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeOf, makeDatabase, startTestEngine, type TestEngine } from '../../../tests/support/engine.js'

let test: TestEngine
let path: string
beforeAll(async () => {
  test = startTestEngine()
  path = join(test.folder, 'shop.duckdb')
  await makeDatabase(path, 'CREATE TABLE orders AS SELECT 1 AS id, 2 AS v; CREATE TABLE keyed(a INTEGER PRIMARY KEY)')
})
afterAll(() => test.close())

const reading = (alias = 'shop'): { attach: { alias: string; path: string; readOnly: boolean }[] } => ({
  attach: [{ alias, path, readOnly: true }],
})
const writing = () => ({ attach: [{ alias: 'shop', path, readOnly: false }], database: 'shop' })

/** Another process that holds the file open for writing until it is killed. */
async function holdElsewhere(): Promise<() => void> {
  const script = `import { DuckDBInstance } from '@duckdb/node-api'
    const instance = await DuckDBInstance.create(process.argv[1]); const connection = await instance.connect()
    console.log('held'); setInterval(() => connection, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  return () => child.kill('SIGKILL')
}

describe('attached databases', () => {
  it('persist what a writing statement does, and free the file right after', async () => {
    expect(await test.write('INSERT INTO orders VALUES (2, 3), (4, 5)', writing())).toMatchObject({
      columns: ['Count'],
      rows: ['[2]'],
    })
    await test.write('CREATE TABLE copied AS SELECT * FROM orders', writing())
    await makeDatabase(path, 'INSERT INTO copied VALUES (9, 9)')
    const answer = await test.query('SELECT (SELECT count(*) FROM shop.orders), count(*) FROM shop.copied', reading())
    expect(answer.rows).toEqual(['[3,4]'])
  })

  it('resolve unqualified names in the database, and schema.table names in the query', async () => {
    const relations = [{ catalog: 0, schema: 'data', name: 'a', columns: [{ name: 'x', type: 'INTEGER' }] }]
    const ingest = [
      {
        catalog: 0,
        schema: 'data',
        name: 'a',
        texts: ['[{"x":5}]'],
        shape: { rowsPath: [], columns: [{ name: 'x', type: 'INTEGER', path: ['x'] }] },
      },
    ]
    const sql = 'INSERT INTO orders SELECT x, x FROM data.a RETURNING id'
    expect((await test.write(sql, { ...writing(), relations, ingest })).rows).toEqual(['[5]'])
  })

  it('undo a statement that fails', async () => {
    expect(await codeOf(test.write('INSERT INTO keyed VALUES (1), (1)', writing()))).toBe('sql.constraint')
    expect((await test.query('SELECT count(*) FROM shop.keyed', reading())).rows).toEqual(['[0]'])
  })

  it('complete a statement whose RETURNING rows are capped', async () => {
    const sql = 'INSERT INTO keyed SELECT range FROM range(10000) RETURNING a'
    expect(await test.write(sql, { ...writing(), execute: { maxRows: 1 } })).toMatchObject({ truncated: true })
    expect((await test.query('SELECT count(*) FROM shop.keyed', reading())).rows).toEqual(['[10000]'])
  })

  it('are read by many queries and callers at once, and written by one', async () => {
    const reads = Array.from({ length: 8 }, (_, index) =>
      test.query('SELECT min(id) FROM shop.orders', { ...reading(), callerKey: `c${index % 2}` }),
    )
    const writes = Array.from({ length: 4 }, () => test.write('UPDATE orders SET v = v + 1 WHERE id = 1', writing()))
    await Promise.all([...reads, ...writes])
    const read = await test.query('SELECT v FROM other.orders WHERE id = 1', reading('other'))
    expect(read.rows).toEqual(['[6]'])
  })

  it('wait a while for another process, then say who holds the file', async () => {
    const release = await holdElsewhere()
    const read = test.query('FROM shop.orders', reading())
    await expect(read).rejects.toMatchObject({ code: 'engine.database_locked' })
    await expect(read).rejects.toThrow(/shop\.duckdb is in use by node \(process \d+\)/)
    const later = test.query('SELECT count(*) > 0 FROM shop.orders', reading())
    release()
    expect((await later).rows).toEqual(['[true]'])
  })

  it('name a file that is no database without its folder', async () => {
    const attach = [{ alias: 'x', path: join(test.folder, 'none.duckdb'), readOnly: true }]
    const run = test.query('SELECT 1', { attach })
    await expect(run).rejects.toMatchObject({ code: 'engine.bad_database' })
    await expect(run).rejects.not.toThrow(test.folder)
  })
})
