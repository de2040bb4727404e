// Two sides measured in turn, so that whatever else the machine does meets both alike.
import console from 'node:console'
import { cpus, loadavg } from 'node:os'
import process from 'node:process'

/** Number of pairs: the script's first argument. Fewer than 7 say nothing. */
export function pairCount(fallback) {
  return Math.max(7, Number(process.argv[2] ?? fallback))
}

/** Runs both sides in pairs, the first one alternating. Each side answers a number. */
export async function interleave(pairs, { ours, reference }) {
  const measured = { ours: [], reference: [], ratios: [] }
  for (let pair = 0; pair < pairs; pair++) {
    const first = await (pair % 2 === 0 ? reference() : ours())
    const second = await (pair % 2 === 0 ? ours() : reference())
    const [theirs, own] = pair % 2 === 0 ? [first, second] : [second, first]
    measured.ours.push(own)
    measured.reference.push(theirs)
    measured.ratios.push(own / theirs)
  }
  return measured
}

export function median(values) {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/** One row of the table. `aim` is compared with the median. */
export function figure(values, aim) {
  const round = (value) => Number(value.toPrecision(value < 10 ? 3 : 4))
  const least = round(Math.min(...values))
  const middle = round(median(values))
  const row = { median: middle, min: least, max: round(Math.max(...values)) }
  return aim === undefined ? row : { ...row, aim: `<= ${aim}`, met: median(values) <= aim ? 'yes' : 'NO' }
}

export function report(title, rows) {
  const load = loadavg()[0].toFixed(1)
  console.log(`\n${title}`)
  console.log(`Node ${process.version}, ${cpus().length} CPUs, load ${load}`)
  console.table(rows)
}
