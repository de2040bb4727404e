// What `query` over MCP costs beyond the SQL itself and an MCP tool that does nothing, and how long it takes from the
// text of a join of API tables to its plan.
// Run after `npm run build`: node bench/overhead.js [pairs]
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import process from 'node:process'
import { fileURLToPath, URL } from 'node:url'
import { DuckDBInstance } from '@duckdb/node-api'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { openPlanner } from './support/planner.js'
import { figure, interleave, median, pairCount, report } from './support/pairs.js'
import { tempFolder } from './support/temp-folder.js'

const pairs = pairCount(11)
const inFlightCounts = [1, 16]
const callsPerRound = 64
const plansPerRound = 25
const catalogSizes = [3, 100, 10_000]

const folder = tempFolder()
const env = { ...process.env, QUERENT_STATE_DIR: join(folder, 'state') }
const file = join(folder, 'sales.parquet')

const instance = await DuckDBInstance.create(':memory:')
const setUp = await instance.connect()
await setUp.run(`COPY (SELECT i AS id, 'region ' || i % 7 AS region, (i * 37 % 1000)::DECIMAL(18, 2) AS amount
  FROM range(10000) t(i)) TO '${file}' (FORMAT parquet)`)
const config = join(folder, 'querent.yaml')
writeFileSync(
  config,
  `version: 1
sources:
  - name: shop
    kind: file
    tables:
      - { name: sales, path: ./sales.parquet, format: parquet }
`,
)

const statements = {
  'SELECT 42': { querent: 'SELECT 42 AS n', bare: 'SELECT 42 AS n' },
  'aggregate of 10,000 rows': {
    querent: 'SELECT region, count(*) AS n, sum(amount) AS total FROM shop.sales GROUP BY region ORDER BY region',
    bare: `SELECT region, count(*) AS n, sum(amount) AS total FROM read_parquet('${file}') GROUP BY region ORDER BY region`,
  },
}

const querent = await connect([fileURLToPath(new URL('../dist/cli.js', import.meta.url)), 'serve', '--config', config])
const echo = await connect([fileURLToPath(new URL('support/echo-server.js', import.meta.url))])
for (const [name, sql] of Object.entries(statements)) {
  const text = await queryOnce(sql.querent)
  for (const inFlight of inFlightCounts) await measureCalls(name, sql, text, inFlight)
}
await querent.close()
await echo.close()

await measurePlanning()

/** Milliseconds per call, over a round of calls of which `inFlight` are always under way. */
async function round(inFlight, call) {
  const started = performance.now()
  let left = callsPerRound
  const worker = async (number) => {
    while (left-- > 0) await call(number)
  }
  await Promise.all(Array.from({ length: inFlight }, (_, number) => worker(number)))
  return (performance.now() - started) / callsPerRound
}

async function measureCalls(name, sql, text, inFlight) {
  const connections = await Promise.all(Array.from({ length: inFlight }, () => instance.connect()))
  const ours = () => round(inFlight, () => queryOnce(sql.querent))
  const bare = () =>
    round(inFlight, async (number) => {
      const reader = await connections[number].runAndReadAll(sql.bare)
      return JSON.stringify(reader.getRowsJson())
    })
  const echoed = () => round(inFlight, () => echo.callTool({ name: 'echo', arguments: { text } }))
  const parts = { bare: [], echo: [] }
  const reference = async () => {
    const times = { bare: await bare(), echo: await echoed() }
    parts.bare.push(times.bare)
    parts.echo.push(times.echo)
    return times.bare + times.echo
  }
  await ours()
  await reference()
  parts.bare.length = parts.echo.length = 0
  const measured = await interleave(pairs, { ours, reference })
  for (const connection of connections) connection.closeSync()
  report(`${name}, ${inFlight} in flight, ${pairs} interleaved pairs of ${callsPerRound} calls (ms per call)`, {
    'bare DuckDB connection': figure(parts.bare),
    'MCP echo tool': figure(parts.echo),
    'querent query over MCP': figure(measured.ours),
    'ours / (bare + echo)': figure(measured.ratios),
    'ours - (bare + echo)': figure(measured.ours.map((ms, index) => ms - measured.reference[index])),
  })
}

async function queryOnce(sql) {
  const { isError, content } = await querent.callTool({ name: 'query', arguments: { sql } })
  if (isError === true) throw new Error(content[0].text)
  return content[0].text
}

/** Rounds over catalogs of different sizes in turn; each catalog has its own engine worker. */
async function measurePlanning() {
  const planners = []
  for (const tables of catalogSizes) planners.push(await openPlanner(tables, join(folder, `state-${tables}`)))
  for (const planner of planners) for (let warm = 0; warm < plansPerRound; warm++) await planner.plan()
  const rounds = planners.map(() => [])
  for (let pair = 0; pair < pairs; pair++) {
    for (const [index, planner] of planners.entries()) {
      const times = []
      for (let count = 0; count < plansPerRound; count++) {
        const started = performance.now()
        await planner.plan()
        times.push(performance.now() - started)
      }
      rounds[index].push(median(times))
    }
  }
  for (const planner of planners) await planner.close()
  const rows = {}
  for (const [index, tables] of catalogSizes.entries()) {
    rows[`${tables} in the catalog (ms)`] = figure(rounds[index], 8)
    if (index > 0) rows[`${tables} to ${catalogSizes[0]}`] = figure(rounds[index].map((ms, at) => ms / rounds[0][at]))
  }
  report(`Parse to plan of a join of three API tables, ${pairs} rounds of ${plansPerRound}, median of each`, rows)
}

async function connect(args) {
  const client = new Client({ name: 'bench', version: '1.0.0' })
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: 'inherit' }))
  return client
}
