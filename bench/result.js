// The answer's encoder against JSON.stringify of the binding's getRowsJson(): 1,024 rows of 20 mixed columns.
// Run after `npm run build`: node bench/result.js
import { DuckDBInstance } from '@duckdb/node-api'
import console from 'node:console'
import { performance } from 'node:perf_hooks'
import process from 'node:process'
import { createRowEncoder } from '../dist/engine/encode/row-encoder.js'

const pairs = Number(process.argv[2] ?? 15)
const rounds = 20
const aim = 1.3

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

function median(values) {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]
}

await best(binding)
await best(encoder)
const ratios = []
const ours = []
const theirs = []
let bytes = 0
for (let pair = 0; pair < pairs; pair++) {
  const first = await best(pair % 2 === 0 ? binding : encoder)
  const second = await best(pair % 2 === 0 ? encoder : binding)
  const [reference, own] = pair % 2 === 0 ? [first, second] : [second, first]
  theirs.push(reference.ms)
  ours.push(own.ms)
  ratios.push(own.ms / reference.ms)
  bytes = own.length
}
connection.closeSync()
instance.closeSync()

console.log(`1,024 rows x 20 columns, ${bytes} characters, ${pairs} interleaved pairs, best of ${rounds} each`)
console.table({
  'getRowsJson + JSON.stringify (ms)': summary(theirs),
  'row encoder (ms)': summary(ours),
  [`ratio (aim <= ${aim})`]: summary(ratios),
})

function summary(values) {
  const round = (value) => Number(value.toFixed(3))
  return { median: round(median(values)), least: round(Math.min(...values)), most: round(Math.max(...values)) }
}
