// Aggregates over ten million rows of Parquet and of CSV: `query` of the library against bare DuckDB on the same threads.
// Run after `npm run build`: node bench/scan.js [pairs] [rows]
import { statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import process from 'node:process'
import { DuckDBInstance } from '@duckdb/node-api'
import { localCaller, openWorkspace } from '../dist/index.js'
import { figure, interleave, pairCount, report } from './support/pairs.js'
import { tempFolder } from './support/temp-folder.js'

const pairs = pairCount(9)
const rows = Number(process.argv[3] ?? 10_000_000)
const aim = 1.1
const threads = availableParallelism()

const folder = tempFolder()
const instance = await DuckDBInstance.create(':memory:', { threads: String(threads) })
const connection = await instance.connect()
const files = { parquet: join(folder, 'sales.parquet'), csv: join(folder, 'sales.csv') }
await connection.run(`COPY (
  SELECT i AS id, 'region ' || i % 50 AS region, (i * 37 % 100000) / 100 AS amount, i % 9 AS quantity,
    DATE '2020-01-01' + (i % 2000)::INTEGER AS day
  FROM range(${rows}) t(i)) TO '${files.parquet}' (FORMAT parquet)`)
await connection.run(`COPY (FROM '${files.parquet}') TO '${files.csv}' (HEADER true)`)

const workspace = await openWorkspace(
  {
    version: 1,
    limits: { threads, timeout: '10m' },
    sources: [
      {
        name: 'data',
        kind: 'file',
        tables: Object.entries(files).map(([format, path]) => ({ name: format, path, format })),
      },
    ],
  },
  { folder, env: { QUERENT_STATE_DIR: join(folder, 'state') } },
)

const statements = {
  'one sum': (table) => `SELECT sum(amount) AS total FROM ${table}`,
  'grouped by region': (table) =>
    `SELECT region, count(*) AS n, sum(amount) AS total, max(day) AS last FROM ${table} GROUP BY region ORDER BY region`,
  'filtered and grouped by day': (table) =>
    `SELECT day, sum(amount * quantity) AS total FROM ${table} WHERE quantity > 4 GROUP BY day ORDER BY day LIMIT 20`,
}

for (const [format, path] of Object.entries(files)) {
  const figures = {}
  for (const [name, sql] of Object.entries(statements)) {
    const ours = () =>
      timed(() => workspace.query({ sql: sql(`data.${format}`) }, { caller: localCaller, surface: 'library' }))
    const reference = () =>
      timed(async () => (await connection.runAndReadAll(sql(`read_${format}('${path}')`))).getRowsJson())
    await ours()
    await reference()
    const measured = await interleave(pairs, { ours, reference })
    figures[`${name}: bare DuckDB (ms)`] = figure(measured.reference)
    figures[`${name}: querent (ms)`] = figure(measured.ours)
    figures[`${name}: ratio`] = figure(measured.ratios, aim)
  }
  const size = Math.round(statSync(path).size / 1e6)
  report(`${rows} rows of ${format}, ${size} MB, ${threads} threads, ${pairs} interleaved pairs`, figures)
}
await workspace.close()

async function timed(run) {
  const started = performance.now()
  await run()
  return performance.now() - started
}
