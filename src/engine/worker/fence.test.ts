import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { clock, codeOf, makeDatabase, startTestEngine, type TestEngine } from '../../../tests/support/engine.js'

let test: TestEngine
let shop: string
beforeAll(async () => {
  test = startTestEngine()
  shop = join(test.folder, 'shop.duckdb')
  await makeDatabase(shop, 'CREATE TABLE orders AS SELECT 1 AS id')
  writeFileSync(join(test.folder, 'named.csv'), 'a\n1\n')
  writeFileSync(join(test.folder, 'beside.csv'), 'a\n1\n')
  mkdirSync(join(test.folder, 'other'))
})
afterAll(() => test.close())

/** The statement check refuses all of these; the fence holds without it. */
const hostile = [
  "SELECT * FROM read_text('/etc/passwd')",
  "SELECT * FROM read_csv('/etc/passwd')",
  "SELECT * FROM glob('/etc/*')",
  "COPY orders FROM '/etc/passwd'",
  "COPY (SELECT 1) TO '/tmp/querent-fence.csv'",
  "ATTACH '/tmp/querent-fence.duckdb' AS z",
  "EXPORT DATABASE '/tmp/querent-fence'",
  "IMPORT DATABASE '/tmp'",
  'INSTALL httpfs',
  'LOAD httpfs',
  "SET memory_limit = '64GB'",
  'SET lock_configuration = false',
  'SET enable_external_access = true',
  "SET allowed_paths = ['/etc/passwd']",
  "SET temp_directory = '/tmp'",
  'RESET GLOBAL memory_limit',
]

describe('the fence', () => {
  it.each(hostile)('stops %s', async (sql) => {
    const attach = [{ alias: 'shop', path: shop, readOnly: false }]
    const code = await codeOf(test.write(sql, { attach, database: 'shop' }))
    expect(['engine.refused', 'sql.invalid_input']).toContain(code)
  })

  it('lets the worker itself turn the optimizer off (P21)', async () => {
    const attach = [{ alias: 'shop', path: shop, readOnly: false }]
    await expect(test.write('PRAGMA disable_optimizer', { attach, database: 'shop' })).resolves.toBeDefined()
  })

  it('opens the files that are named, and nothing beside them', async () => {
    const read = (file: string): Promise<unknown> =>
      test.query(`FROM read_csv('${join(test.folder, file)}')`, { files: [join(test.folder, 'named.csv')] })
    expect(await read('named.csv')).toMatchObject({ rows: ['[1]'] })
    expect(await codeOf(read('beside.csv'))).toBe('engine.refused')
  })

  it('keeps callers apart', async () => {
    const relations = [{ catalog: 0, schema: 's', name: 'secret', columns: [{ name: 'x', type: 'INTEGER' }] }]
    const open = {
      queryId: 'ours',
      callerKey: 'a',
      callerDir: join(test.folder, 'a'),
      files: [],
      attach: [],
      relations,
    }
    await test.engine.call('open', { ...open, clock })
    expect((await test.query('FROM ours.s.secret', { callerKey: 'a' })).rows).toEqual([])
    expect(await codeOf(test.query('FROM ours.s.secret', { callerKey: 'b' }))).toBe('sql.binder')
    const names = await test.query('SELECT database_name FROM duckdb_databases() ORDER BY 1', {
      callerKey: 'b',
      queryId: 'theirs',
    })
    expect(names.rows).toEqual(['["memory"]', '["pin"]', '["system"]', '["temp"]', '["theirs"]'])
    await test.engine.call('close', { queryId: 'ours' })
    expect(await codeOf(test.query('FROM ours.s.secret', { callerKey: 'a' }))).toBe('sql.binder')
  })

  it('leaves no catalog and no connection behind after failures', async () => {
    const bad = { catalog: 0, schema: 's', name: 'v', columns: [], view: 'SELECT * FROM nowhere' }
    expect(await codeOf(test.query('SELECT 1', { callerKey: 'c', queryId: 'failed', relations: [bad] }))).toBe(
      'engine.catalog',
    )
    const names = await test.query('SELECT count(*) FROM duckdb_databases()', { callerKey: 'c' })
    expect(names.rows).toEqual(['[5]'])
  })
})
