import { expect, it } from 'vitest'
import { runDifferential } from './differential/differential-check.js'

/** `QUERENT_DIFFERENTIAL_RUNS=5000` and `QUERENT_DIFFERENTIAL_SEED=7` for a campaign. */
const runs = Number(process.env['QUERENT_DIFFERENTIAL_RUNS'] ?? 144)
const seed = Number(process.env['QUERENT_DIFFERENTIAL_SEED'] ?? 1)

it('answers as one DuckDB that holds all rows', { timeout: 60_000 + runs * 1000 }, async () => {
  const { faults, ...counts } = await runDifferential({ seed, runs })
  if (runs > 1000) console.info(JSON.stringify({ seed, runs, faults: faults.length, ...counts }))
  expect(faults).toEqual([])
  expect(counts.compared).toBeGreaterThan(runs * 0.4)
})
