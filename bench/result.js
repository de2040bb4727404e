// The answer's encoder against JSON.stringify of the binding's getRowsJson(): 1,024 rows of 20 mixed columns. And the
// memory that `SELECT *` of 100 million rows takes under the answer's cap, against one of 100,000 rows.
// Run after `npm run build`: node bench/result.js [pairs]
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import process from 'node:process'
import { clearInterval, setInterval } from 'node:timers'
import { DuckDBInstance } from '@duckdb/node-api'
import { createRowEncoder } from '../dist/engine/encode/row-encoder.js'
import { localCaller, openWorkspace } from '../dist/index.js'
import { residentMb } from './support/json-lines.js'
import { figure, interleave, pairCount, report } from './support/pairs.js'
import { tempFolder } from './support/temp-folder.js'

const pairs = pairCount(15)
const rounds = 20

const sql = `SELECT
  i::INTEGER AS c1, i * 1000003 AS c2, (i % 100)::TINYINT AS c3, i * 9007199254740993::HUGEINT AS c4, i / 7.0 AS c5,
  (i / 7.0)::FLOAT AS c6, (i * 1.25)::DECIMAL(18, 2) AS c7, (i % 3 = 0) AS c8, 'name ' || i AS c9,
  repeat('some longer text with "quotes" ', 2) || i AS c10, CASE WHEN i % 5 = 0 THEN NULL ELSE 'x' END AS c11,
  DATE '2024-01-01' + i::INTEGER AS c12, TIMESTAMP '2024-01-15 14:30:00.123456' + i * INTERVAL 61 SECOND AS c13,
  (TIMESTAMP '2024-01-15 14:30:00' + i * INTERVAL 1 HOUR)::TIMESTAMPTZ AS c14, TIME '10:00:00' + i * INTERVAL 1 SECOND AS c15,
  md5(i::VARCHAR)::UUID AS c16, ('a' || (i % 4))::ENUM ('a0', 'a1', 'a2', 'a3') AS c17, [i, i + 1, NULL] AS c18,
  {'id': i, 'label': 'l' || i} AS c19, i * INTERVAL 1 HOUR AS c20
FROM range(1024) t(i)`

const instance = await DuckDBInstance.create(':memory:')
const connection = await instance.connect()

async function binding() {
  const reader = await connection.runAndReadAll(sql)
  const started = performance.now()
  const length = JSON.stringify(reader.getRowsJson()).length
  return { ms: performance.now() - started, length }
}

async function encoder() {
  const result = await connection.run(sql)
  const chunks = await result.fetchAllChunks()
  const started = performance.now()
  const encoder = createRowEncoder(result.columnTypes(), { maxCellChars: 20_000 })
  const rows = chunks.flatMap((chunk) => encoder.encodeChunk(chunk))
  const length = `[${rows.join(',')}]`.length
  return { ms: performance.now() - started, length }
}

/** The best of some rounds: what the work costs when nothing else runs. */
async function best(run) {
  let least = await run()
  for (let round = 1; round < rounds; round++) {
    const next = await run()
    if (next.ms < least.ms) least = next
  }
  return least
}

await best(binding)
await best(encoder)
const bytes = (await encoder()).length
const encoding = await interleave(pairs, {
  ours: async () => (await best(encoder)).ms,
  reference: async () => (await best(binding)).ms,
})
connection.closeSync()
instance.closeSync()
report(`1,024 rows x 20 columns, ${bytes} characters, ${pairs} interleaved pairs, best of ${rounds} each`, {
  'getRowsJson + JSON.stringify (ms)': figure(encoding.reference),
  'row encoder (ms)': figure(encoding.ours),
  ratio: figure(encoding.ratios, 1.3),
})

const folder = tempFolder()
const memory = await interleave(7, { ours: () => peakMb(100_000_000), reference: () => peakMb(100_000) })
report('Peak resident memory of a capped SELECT *, this process and its worker, 7 interleaved pairs (MB)', {
  '100,000 rows': figure(memory.reference),
  '100,000,000 rows': figure(memory.ours),
  ratio: figure(memory.ratios, 1.1),
})

/** The highest of many looks while a new worker runs one query. */
async function peakMb(count) {
  const workspace = await openWorkspace(
    { version: 1, sources: [] },
    { folder, env: { QUERENT_STATE_DIR: join(folder, 'state') } },
  )
  let peak = 0
  const look = () => (peak = Math.max(peak, residentMb(process.pid)))
  const looking = setInterval(look, 10)
  const context = { caller: localCaller, surface: 'library' }
  const answer = await workspace.query(
    { sql: `SELECT i, i * 2 AS j, 'row ' || i AS name FROM range(${count}) t(i)` },
    context,
  )
  look()
  clearInterval(looking)
  await workspace.close()
  if (answer.truncated !== true) throw new Error('the cap did not hold')
  return peak
}
