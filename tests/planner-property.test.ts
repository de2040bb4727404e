import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { damages } from './planner/damage.js'
import { PlannerCheck, type CheckReport } from './planner/planner-check.js'

/** `QUERENT_PROPERTY_RUNS=20000` and `QUERENT_PROPERTY_SEED=7` for a campaign. */
const runs = Number(process.env['QUERENT_PROPERTY_RUNS'] ?? 300)
const seed = Number(process.env['QUERENT_PROPERTY_SEED'] ?? 1)

describe('the planner', () => {
  let check: PlannerCheck

  beforeAll(async () => {
    check = await PlannerCheck.open()
  })

  afterAll(() => {
    check.close()
  })

  it('asks for all rows and columns that a statement needs', { timeout: 60_000 + runs * 200 }, async () => {
    const report = await check.run({ seed, runs })
    if (runs > 1000) console.info(summary(report))
    expect(report.faults).toEqual([])
    expect(report.unplanned).toBe(0)
    expect(report.compared).toBeGreaterThan(runs * 0.8)
    for (const count of [report.filters, report.binds, report.tuples, report.limits]) expect(count).toBeGreaterThan(0)
  })

  it.each(Object.entries(damages))('would be caught at a wrong rule, as in %s', async (_, damage) => {
    const report = await check.run({ seed: 1, runs: 200, stopAtFault: true, ...damage })
    expect(report.faults).toHaveLength(1)
    const { statement } = damage
    expect(await check.run({ seed: 1, runs: Math.min(report.compared + 5, 20), statement })).toMatchObject({
      faults: [],
    })
  })
})

function summary({ faults, ...counts }: CheckReport): string {
  return JSON.stringify({ seed, runs, faults: faults.length, ...counts })
}
