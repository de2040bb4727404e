import path from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { duckdbKind } from '../../src/sources/duckdb/duckdb-kind.js'
import { DirectIntrospection } from '../support/introspection.js'
import { TestWorkspace } from '../support/query-workspace.js'
import { sourceContext } from '../support/source-context.js'
import { inPlaceRead } from './in-place-read.js'
import { sourceContract } from './source-contract.js'

const statements = [
  'CREATE SCHEMA hr',
  "CREATE TABLE people (id BIGINT PRIMARY KEY, name VARCHAR, born DATE, seen TIMESTAMP, pay DECIMAL(10,2), state ENUM ('a', 'b'), tags VARCHAR[])",
  "INSERT INTO people VALUES (1, 'Ada', '1815-12-10', '2024-01-02 03:04:05.123456', 1.50, 'a', ['x']), (9007199254740993, 'ada', 'infinity', NULL, NULL, 'b', NULL), (3, NULL, NULL, '2024-01-02', -1, NULL, [])",
  'CREATE TABLE hr.people (id INTEGER, ok BOOLEAN, x DOUBLE)',
  "INSERT INTO hr.people VALUES (1, true, 'nan'), (2, NULL, 1e300), (NULL, false, -0.0)",
  "CREATE VIEW old AS SELECT id, name FROM people WHERE born < DATE '1900-01-01'",
]

sourceContract('duckdb', async () => {
  const workspace = new TestWorkspace()
  const { folder } = workspace
  const instance = await DuckDBInstance.create(path.join(folder.path, 'staff.duckdb'))
  const connection = await instance.connect()
  for (const statement of statements) await connection.run(statement)
  connection.closeSync()
  instance.closeSync()
  const entry = { name: 'staff', kind: 'duckdb', path: './staff.duckdb' }
  const introspection = new DirectIntrospection()
  const config = duckdbKind.configSchema.parse(entry)
  await workspace.open(JSON.stringify({ version: 1, sources: [entry] }))
  const source = await duckdbKind.open(config, sourceContext(folder.path, introspection))
  return {
    source,
    tables: [
      { source: 'staff', table: 'people' },
      { source: 'staff', schema: 'hr', table: 'people' },
      { source: 'staff', table: 'old' },
    ],
    read: inPlaceRead(introspection),
    outsideCalls: () => introspection.statements.length,
    runQuery: (sql) => workspace.rows(sql),
    close: async () => {
      await source.close()
      await workspace.close()
    },
  }
})
