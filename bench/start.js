// How long until a workspace of 50 sources answers, and what it holds while idle.
// Run after `npm run build`: node bench/start.js [pairs]
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath, URL } from 'node:url'
import { DuckDBInstance } from '@duckdb/node-api'
import { initialize, residentMb, startServer } from './support/json-lines.js'
import { figure, interleave, pairCount, report } from './support/pairs.js'
import { tempFolder } from './support/temp-folder.js'

const pairs = pairCount(11)
const idleMs = 3_000
const folder = tempFolder()
const config = join(folder, 'querent.yaml')
const cli = fileURLToPath(new URL('../dist/cli.js', import.meta.url))
const echo = fileURLToPath(new URL('support/echo-server.js', import.meta.url))
const bare = fileURLToPath(new URL('support/bare-query.js', import.meta.url))
const env = { ...process.env, QUERENT_STATE_DIR: join(folder, 'state') }
await writeWorkspace()

const sql = 'SELECT region, count(*) AS n, sum(amount) AS total FROM files_0.sales GROUP BY region ORDER BY region'
const bareSql = sql.replace('files_0.sales', `read_csv('${join(folder, 'data', 'sales.csv')}')`)

const firstReply = await interleave(pairs, {
  ours: () => timeToTools([cli, 'serve', '--config', config]),
  reference: () => timeToTools([echo]),
})
const firstQuery = await interleave(pairs, { ours: timeOfFirstQuery, reference: timeOfBareQuery })
const fromStart = await interleave(pairs, { ours: timeToFirstQuery, reference: timeOfBareQuery })
const idle = { before: [], after: [] }
for (let run = 0; run < 7; run++) await measureIdle()

report(`First reply: start of the process to the answer of tools/list, 50 sources, ${pairs} interleaved pairs (ms)`, {
  'bare MCP SDK server': figure(firstReply.reference),
  'querent serve': figure(firstReply.ours),
  ratio: figure(firstReply.ratios, 1.5),
})
report(`First query on a server that has answered tools/list, ${pairs} interleaved pairs (ms)`, {
  'process that imports the binding and runs it': figure(firstQuery.reference),
  'first query call': figure(firstQuery.ours),
  ratio: figure(firstQuery.ratios, 1.2),
})
report(`Start of the process to the first query's answer, ${pairs} interleaved pairs (ms)`, {
  'process that imports the binding and runs it': figure(fromStart.reference),
  'querent serve': figure(fromStart.ours),
  ratio: figure(fromStart.ratios),
})
report('Idle resident memory, worker included, 7 servers (MB)', {
  'before the first query': figure(idle.before, 100),
  'with a worker after it': figure(idle.after, 250),
})

async function timeToTools(args) {
  const started = performance.now()
  const server = startServer(args, { env })
  await initialize(server)
  await server.request('tools/list')
  const elapsedMs = performance.now() - started
  await server.stop()
  return elapsedMs
}

async function idleServer() {
  const server = startServer([cli, 'serve', '--config', config], { env })
  await initialize(server)
  await server.request('tools/list')
  return server
}

async function query(server) {
  const { isError, content } = await server.request('tools/call', { name: 'query', arguments: { sql } })
  if (isError === true) throw new Error(content[0].text)
}

async function timeOfFirstQuery() {
  const server = await idleServer()
  const started = performance.now()
  await query(server)
  const elapsedMs = performance.now() - started
  await server.stop()
  return elapsedMs
}

async function timeToFirstQuery() {
  const started = performance.now()
  const server = startServer([cli, 'serve', '--config', config], { env })
  await initialize(server)
  await query(server)
  const elapsedMs = performance.now() - started
  await server.stop()
  return elapsedMs
}

function timeOfBareQuery() {
  const started = performance.now()
  const { status } = spawnSync(process.execPath, [bare, bareSql], { stdio: ['ignore', 'pipe', 'inherit'] })
  if (status !== 0) throw new Error('the bare query failed')
  return performance.now() - started
}

async function measureIdle() {
  const server = await idleServer()
  await sleep(idleMs)
  idle.before.push(residentMb(server.pid))
  await query(server)
  await sleep(idleMs)
  idle.after.push(residentMb(server.pid))
  await server.stop()
}

/** 25 sources of files, 20 APIs, 5 DuckDB databases. No API is asked: nothing listens there. */
async function writeWorkspace() {
  const data = join(folder, 'data')
  mkdirSync(data)
  const rows = Array.from({ length: 5_000 }, (_, row) => `${row},region ${row % 7},${(row * 37) % 1_000}.25`)
  writeFileSync(join(data, 'sales.csv'), ['id,region,amount', ...rows, ''].join('\n'))
  const lines = ['version: 1', 'name: bench', 'sources:']
  for (let number = 0; number < 25; number++) {
    lines.push(`  - name: files_${number}`, '    kind: file', '    description: sales by region')
    lines.push('    tables:', '      - { name: sales, path: ./data/sales.csv, format: csv }')
  }
  for (let number = 0; number < 20; number++) lines.push(...apiSource(number))
  for (let number = 0; number < 5; number++) {
    const database = join(data, `shop_${number}.duckdb`)
    const instance = await DuckDBInstance.create(database)
    const connection = await instance.connect()
    await connection.run('CREATE TABLE orders AS SELECT i AS id, i * 2 AS amount FROM range(1000) t(i)')
    connection.closeSync()
    instance.closeSync()
    lines.push(`  - { name: shop_${number}, kind: duckdb, config: { path: ./data/shop_${number}.duckdb } }`)
  }
  writeFileSync(config, `${lines.join('\n')}\n`)
}

function apiSource(number) {
  return [
    `  - name: api_${number}`,
    '    kind: http',
    '    description: pull requests of a repository',
    `    config: { base_url: 'http://127.0.0.1:9/api_${number}' }`,
    '    tables:',
    '      - name: pulls',
    '        endpoint: /repos/{owner}/{repo}/pulls',
    '        params:',
    '          - { name: owner, required: true }',
    '          - { name: repo, required: true }',
    '          - { name: state, default: open }',
    '        response:',
    '          path: $',
    '          schema:',
    '            - { name: number, type: bigint }',
    '            - { name: title, type: varchar }',
    '            - { name: state, type: varchar }',
    '            - { name: user_login, type: varchar, source: $.user.login }',
  ]
}
