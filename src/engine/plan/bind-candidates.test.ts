import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PlanningInstances } from '../../../tests/planner/planning-instance.js'
import type { BindCandidate } from './bound-plan.js'
import { readPlan } from './read-plan.js'

let planning: PlanningInstances
beforeAll(async () => {
  planning = await PlanningInstances.open(`
    CREATE TABLE a (x INTEGER, y INTEGER, t VARCHAR, f DOUBLE);
    CREATE TABLE b (x BIGINT, y INTEGER, t VARCHAR, f DOUBLE);
    CREATE TABLE c (x INTEGER, y INTEGER, t VARCHAR);`)
})
afterAll(() => {
  planning.close()
})

/** `target.columns <- sources`, `?` after a null-safe column. */
function describeCandidate(tables: readonly string[], target: number, bind: BindCandidate): string {
  const columns = bind.columns.map((column, index) => column + (bind.nullSafe[index] === true ? '?' : ''))
  const sources = bind.sources.map((source) =>
    source.kind === 'scan'
      ? `${tables[source.scan] ?? ''}(${source.columns.join()})`
      : `[${source.keys.map((key) => key.map((part) => part.text ?? 'NULL').join()).join(' ')}]`,
  )
  return `${tables[target] ?? ''}(${columns.join()}) <- ${sources.join(' + ')}`
}

async function binds(sql: string): Promise<readonly string[]> {
  const { scans } = readPlan(await planning.serialize(sql, 0, true))
  const tables = scans.map((scan) => scan.relation.table)
  return scans.flatMap((scan) => scan.bind.map((bind) => describeCandidate(tables, scan.id, bind))).sort()
}

describe('bind candidates', () => {
  it.each<[string, string, string[]]>([
    ['an inner join, both ways', 'FROM a JOIN b ON a.y = b.y', ['a(y) <- b(y)', 'b(y) <- a(y)']],
    ['a left join, to the right', 'FROM a LEFT JOIN b ON a.y = b.y', ['b(y) <- a(y)']],
    ['a right join, to the left', 'FROM a RIGHT JOIN b ON a.y = b.y', ['a(y) <- b(y)']],
    ['no full join', 'FROM a FULL JOIN b ON a.y = b.y', []],
    ['a semi join, both ways', 'FROM a SEMI JOIN b ON a.y = b.y', ['a(y) <- b(y)', 'b(y) <- a(y)']],
    ['an anti join, to the right', 'FROM a ANTI JOIN b ON a.y = b.y', ['b(y) <- a(y)']],
    ['IN, as a semi join', 'FROM a WHERE y IN (SELECT y FROM b)', ['a(y) <- b(y)', 'b(y) <- a(y)']],
    ['EXISTS, as a semi join', 'FROM a WHERE EXISTS (FROM b WHERE b.y = a.y)', ['a(y?) <- b(y)', 'b(y) <- a(y)']],
    ['no IN as a value', 'SELECT y IN (SELECT y FROM b) FROM a', []],
    ['no NOT IN', 'FROM a WHERE y NOT IN (SELECT y FROM b)', []],
    ['no inequality', 'FROM a JOIN b ON a.y < b.y', []],
    ['no ASOF', 'FROM a ASOF JOIN b ON a.t = b.t AND a.y >= b.y', []],
  ])('exist for %s (P24)', async (_, sql, expected) => {
    expect(await binds(sql)).toEqual(expected)
  })

  it('name each column once, also where two equalities stand on it', async () => {
    expect(await binds('FROM a LEFT JOIN b ON a.y = b.y AND a.x = b.y AND a.t = b.t')).toEqual([
      'b(t) <- a(t)',
      'b(y) <- a(x)',
      'b(y) <- a(y)',
      'b(y,t) <- a(y,t)',
    ])
  })

  it('are handed down any number of hops (P25)', async () => {
    expect(await binds("FROM a LEFT JOIN b ON a.y = b.y LEFT JOIN c ON b.t = c.t WHERE a.t = 'x'")).toEqual([
      'b(y) <- a(y)',
      'c(t) <- b(t)',
    ])
  })

  it.each<[string, string, string[]]>([
    ['DISTINCT and ORDER BY', '(SELECT DISTINCT y FROM b ORDER BY y)', ['b(y) <- a(y)']],
    ['a group column', '(SELECT y, count(*) FROM b GROUP BY y)', ['b(y) <- a(y)']],
    ['each side of UNION', '(SELECT y FROM b UNION ALL SELECT x FROM c)', ['b(y) <- a(y)', 'c(x) <- a(y)']],
    ['the left of EXCEPT', '(SELECT y FROM b EXCEPT SELECT x FROM c)', ['b(y) <- a(y)']],
    ['a partition', '(SELECT y, row_number() OVER (PARTITION BY y) FROM b)', ['b(y) <- a(y)']],
    ['a CTE with one reference', '(WITH q AS MATERIALIZED (FROM b) SELECT y FROM q)', ['b(y) <- a(y)']],
  ])('pass %s (P25)', async (_, derived, expected) => {
    expect(await binds(`SELECT count(*) FROM a LEFT JOIN ${derived} d(y) ON a.y = d.y`.replace('d(y)', 'd'))).toEqual(
      expected,
    )
  })

  it.each([
    ['a limit', '(SELECT y FROM b LIMIT 3)'],
    ['TOP_N', '(SELECT y FROM b ORDER BY x LIMIT 3)'],
    ['a sample', '(SELECT y FROM b USING SAMPLE 3)'],
    ['a window of all rows', '(SELECT y, row_number() OVER () FROM b)'],
    ['an aggregate of the column', '(SELECT max(y) AS y FROM b)'],
    ['ROLLUP', '(SELECT y, count(*) FROM b GROUP BY ROLLUP (y))'],
    ['GROUPING()', '(SELECT y, grouping(y) FROM b GROUP BY y)'],
    ['a computed column', '(SELECT y + 1 AS y FROM b)'],
    ['a positional join', '(SELECT b.y FROM b POSITIONAL JOIN c)'],
  ])('do not pass %s (P25)', async (_, derived) => {
    expect(await binds(`SELECT * FROM a LEFT JOIN ${derived} d ON a.y = d.y`)).toEqual([])
  })

  it('do not pass a CTE with several references (P25)', async () => {
    const sql = 'WITH q AS MATERIALIZED (FROM b) SELECT * FROM a JOIN q ON a.y = q.y, q r'
    expect((await binds(sql)).filter((bind) => bind.startsWith('b'))).toEqual([])
  })

  it('pass the side that a join fills with NULL only under = (P26)', async () => {
    const inner = '(SELECT c.y, b.x FROM c LEFT JOIN b ON c.x = b.y)'
    expect(await binds(`SELECT * FROM a JOIN ${inner} d ON a.x = d.x`)).toContain('b(x) <- a(x)')
    expect(await binds(`SELECT * FROM a JOIN ${inner} d ON a.x IS NOT DISTINCT FROM d.x`)).not.toContain(
      'b(x?) <- a(x)',
    )
  })

  it('tell null-safe keys (P26)', async () => {
    expect(await binds('FROM a LEFT JOIN b ON a.y IS NOT DISTINCT FROM b.y')).toEqual(['b(y?) <- a(y)'])
  })

  it('exist inside LATERAL and correlated subqueries (P27)', async () => {
    const lateral = 'FROM a, LATERAL (SELECT * FROM b WHERE b.y = a.y ORDER BY b.x LIMIT 2) l'
    expect(await binds(lateral)).toContain('b(y) <- a(y)')
    expect(await binds('SELECT (SELECT max(x) FROM b WHERE b.y = a.y) FROM a')).toContain('b(y) <- a(y)')
  })

  it('strip casts that widen integers, and no others (P28)', async () => {
    expect(await binds('FROM a LEFT JOIN b ON a.x = b.x')).toEqual(['b(x) <- a(x)'])
    expect(await binds('FROM a LEFT JOIN b ON a.x = b.t')).toEqual([])
  })

  it('do not exist for types of which equal values print differently', async () => {
    expect(await binds('FROM a JOIN b ON a.f = b.f')).toEqual([])
  })

  it('take constants as keys (P28)', async () => {
    expect(await binds("FROM a JOIN (VALUES (1, 'x'), (NULL, 'y')) v(k, t) ON a.y = v.k AND a.t = v.t")).toEqual([
      'a(t) <- [x y]',
      'a(y) <- [1 NULL]',
      'a(y,t) <- [1,x NULL,y]',
    ])
  })

  it('need all sources of a UNION (P29)', async () => {
    const union = '(SELECT y FROM a UNION ALL SELECT x FROM c UNION ALL SELECT 7)'
    expect((await binds(`FROM ${union} u LEFT JOIN b ON u.y = b.y`)).map((bind) => bind.split(' <- ')[1])).toEqual([
      'a(y) + c(x) + [7]',
    ])
    expect(await binds('FROM (SELECT y FROM a UNION ALL SELECT x + 1 FROM c) u LEFT JOIN b ON u.y = b.y')).toEqual([])
  })

  it('take keys from all that a recursion can give, but none inside it (P29)', async () => {
    const outside = 'WITH RECURSIVE r(y) AS (SELECT x FROM c UNION SELECT c.y FROM c JOIN r ON c.x = r.y)'
    expect(await binds(`${outside} FROM r LEFT JOIN b ON r.y = b.y`)).toEqual(['b(y) <- c(x) + c(y)'])
    const inside = 'WITH RECURSIVE r(y) AS (SELECT x FROM c UNION SELECT b.y FROM b JOIN r ON b.x = r.y)'
    expect(await binds(`${inside} FROM r`)).toEqual([])
  })

  it('report several columns as tuples where both come from one scan', async () => {
    expect(await binds('FROM a LEFT JOIN b ON a.y = b.y AND a.t = b.t')).toEqual([
      'b(t) <- a(t)',
      'b(y) <- a(y)',
      'b(y,t) <- a(y,t)',
    ])
    expect(
      await binds('FROM (FROM a JOIN c USING (x)) d LEFT JOIN b ON d.y = b.y AND d.t_1 = b.t'.replace('d.t_1', 'd.t')),
    ).toContain('b(y,t) <- a(y,t)')
  })

  it('make no tuple of columns of different scans', async () => {
    const sql = 'SELECT 1 FROM (SELECT a.y, c.t FROM a JOIN c ON a.x = c.x) d LEFT JOIN b ON d.y = b.y AND d.t = b.t'
    expect((await binds(sql)).filter((bind) => bind.startsWith('b'))).toEqual(['b(t) <- c(t)', 'b(y) <- a(y)'])
  })

  it('make no tuple of two rows of one scan', async () => {
    const sql = `WITH q AS MATERIALIZED (FROM a) SELECT 1 FROM (SELECT q1.y, q2.t FROM q q1, q q2) d
      LEFT JOIN b ON d.y = b.y AND d.t = b.t`
    expect(await binds(sql)).toEqual(['b(t) <- a(t)', 'b(y) <- a(y)'])
  })
})
