import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PlanningInstances } from '../../../tests/planner/planning-instance.js'
import type { PlannedScan } from './bound-plan.js'
import { combineScans, scansByRelation } from './combine-scans.js'
import { readPlan } from './read-plan.js'

let planning: PlanningInstances
beforeAll(async () => {
  planning = await PlanningInstances.open(`
    CREATE TABLE t (owner VARCHAR, repo VARCHAR, state VARCHAR, n INTEGER);
    CREATE TABLE u (owner VARCHAR, n INTEGER);`)
})
afterAll(() => {
  planning.close()
})

async function scansOf(sql: string): Promise<readonly PlannedScan[]> {
  return readPlan(await planning.serialize(sql, 0, true)).scans
}

async function combined(sql: string): Promise<PlannedScan> {
  const [scan, ...more] = scansByRelation(await scansOf(sql))
  if (scan === undefined || more.length > 0) throw new Error('the statement must read one relation')
  return scan
}

function texts(...values: string[]): readonly { type: string; text: string }[] {
  return values.map((text) => ({ type: 'VARCHAR', text }))
}

describe('combineScans', () => {
  it('keeps a lone scan as it is', async () => {
    const [scan] = await scansOf("SELECT n FROM t WHERE owner = 'a' LIMIT 3")
    expect(scan && combineScans([scan])).toBe(scan)
    expect(() => combineScans([])).toThrow(TypeError)
  })

  it('unites columns, and drops limits', async () => {
    const scan = await combined('SELECT n, 1 FROM t UNION ALL (SELECT n, length(repo) FROM t LIMIT 3)')
    expect(scan.columns).toEqual(['n', 'repo'])
    expect(scan).not.toHaveProperty('limit')
  })

  it('keeps what all filters have in common, and unites the keys of a column', async () => {
    const parts = ['a', 'b'].map((repo) => `SELECT n FROM t WHERE owner = 'x' AND repo = '${repo}'`)
    const { filters, otherConditions } = await combined(parts.join(' UNION ALL '))
    expect(filters.slice(0, 2)).toEqual([
      { kind: 'compare', column: 'owner', operator: '=', value: { type: 'VARCHAR', text: 'x' } },
      { kind: 'in', column: 'repo', negated: false, values: texts('a', 'b') },
    ])
    expect(otherConditions).toEqual([])
  })

  it('drops a filter that one scan lacks, and reports its column (P31)', async () => {
    const scan = await combined(
      "SELECT n FROM t WHERE owner = 'x' AND state = 'y' UNION ALL SELECT n FROM t WHERE owner = 'x'",
    )
    expect(scan).toMatchObject({ filters: [{ column: 'owner' }], otherConditions: ['state'] })
  })

  it('widens different filters to an alternative', async () => {
    const { filters, otherConditions } = await combined(
      'SELECT n FROM t WHERE n > 3 UNION ALL SELECT n FROM t WHERE n < 1',
    )
    expect(filters).toMatchObject([{ kind: 'or', filters: [{ kind: 'and' }, { kind: 'and' }] }])
    expect(otherConditions).toEqual(['n'])
  })

  it('leaves scans out that can find nothing', async () => {
    const never = "SELECT n FROM t WHERE owner NOT IN ('a', NULL)"
    expect(await combined(`${never} UNION ALL SELECT n FROM t WHERE owner = 'x'`)).toMatchObject({
      never: false,
      filters: [{ column: 'owner' }],
    })
    expect((await combined(`${never} UNION ALL ${never}`)).never).toBe(true)
  })

  it('binds only what every scan can be asked with, and renumbers the sources', async () => {
    const both = 'SELECT * FROM u LEFT JOIN t a ON u.owner = a.owner LEFT JOIN t b ON u.owner = b.owner AND u.n = b.n'
    const scans = scansByRelation(await scansOf(both))
    expect(scans.map((scan) => [scan.id, scan.relation.table])).toEqual([
      [0, 'u'],
      [1, 't'],
    ])
    expect(scans[1]?.bind).toEqual([
      { columns: ['owner'], sources: [{ kind: 'scan', scan: 0, columns: ['owner'] }], nullSafe: [false] },
    ])
    const one = scansByRelation(await scansOf('SELECT * FROM u LEFT JOIN t a ON u.owner = a.owner, t b'))
    expect(one.find((scan) => scan.relation.table === 't')?.bind).toEqual([])
  })

  it('binds nothing to keys of its own rows', async () => {
    expect((await combined('SELECT * FROM t a JOIN t b ON a.owner = b.repo')).bind).toEqual([])
  })
})
