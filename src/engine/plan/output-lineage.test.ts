import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PlanningInstances } from '../../../tests/planner/planning-instance.js'
import { outputLineage, type ColumnOrigin, type OutputLineage } from './output-lineage.js'

let planning: PlanningInstances
beforeAll(async () => {
  planning = await PlanningInstances.open(`
    CREATE TABLE t (id INTEGER, secret VARCHAR, city VARCHAR, list INTEGER[]);
    CREATE TABLE u (id INTEGER, secret VARCHAR, name VARCHAR);`)
})
afterAll(() => {
  planning.close()
})

async function lineage(sql: string): Promise<OutputLineage> {
  return outputLineage(await planning.serialize(sql, 0, false))
}

function names(origins: readonly ColumnOrigin[] | undefined): readonly string[] {
  return (origins ?? []).map(({ relation, column }) => `${relation.table}.${column ?? 'rowid'}`)
}

async function outputs(sql: string): Promise<readonly (readonly string[])[]> {
  return (await lineage(sql)).outputs.map(names)
}

/** Uses of `t.secret`. */
async function usesOfSecret(sql: string): Promise<readonly string[]> {
  const { uses } = await lineage(sql)
  return [...uses].filter(([, origins]) => names(origins).includes('t.secret')).map(([kind]) => kind)
}

describe('outputLineage', () => {
  it.each<[string, string[][]]>([
    ['SELECT secret AS s FROM t', [['t.secret']]],
    ['SELECT * FROM (SELECT id, upper(secret) AS x FROM t)', [['t.id'], ['t.secret']]],
    ['WITH q AS (SELECT secret || city AS s FROM t) SELECT s FROM q', [['t.secret', 't.city']]],
    ["SELECT max(secret) FILTER (WHERE city = 'x') FROM t", [['t.secret', 't.city']]],
    ['SELECT row_number() OVER (PARTITION BY city ORDER BY secret) FROM t', [['t.secret', 't.city']]],
    ['SELECT id FROM t UNION ALL SELECT length(secret) FROM u', [['t.id', 'u.secret']]],
    ['SELECT (SELECT max(u.secret) FROM u WHERE u.id = t.id) FROM t', [['u.secret']]],
    ['SELECT secret IN (SELECT name FROM u) FROM t', [['t.secret', 'u.name']]],
    ['SELECT to_json(t) FROM t', [['t.id', 't.secret', 't.city', 't.list']]],
    ['SELECT x FROM t, unnest(t.list) v(x)', [['t.list']]],
    ['SELECT n FROM t, range(t.id) r(n)', [['t.id']]],
    ['SELECT rowid FROM t', [['t.rowid']]],
    ['SELECT list_transform(list, x -> x + id) FROM t', [['t.id', 't.list']]],
    ['SELECT if(false, secret, city) FROM t', [['t.secret', 't.city']]],
    ['SELECT 1', [[]]],
  ])('of %s', async (sql, expected) => {
    expect(await outputs(sql)).toEqual(expected)
  })

  it('follows recursion to its end', async () => {
    const sql = `WITH RECURSIVE r(a, b) AS (SELECT id, city FROM t UNION ALL SELECT u.id, r.b || u.name FROM u JOIN r ON u.id = r.a)
      SELECT a, b FROM r`
    expect(await outputs(sql)).toEqual([
      ['t.id', 'u.id'],
      ['t.city', 'u.name'],
    ])
  })

  it.each<[string, string[]]>([
    ["SELECT id FROM t WHERE secret = 'x'", ['where']],
    ['SELECT id FROM t ORDER BY secret', ['order']],
    ['SELECT count(*) FROM t GROUP BY secret', ['group']],
    ['SELECT max(secret) FROM t', ['aggregate']],
    ['SELECT DISTINCT secret FROM t', ['distinct']],
    ['SELECT rank() OVER (ORDER BY secret) FROM t', ['window']],
    ['SELECT secret FROM t EXCEPT ALL SELECT name FROM u', ['setOperation']],
    ['SELECT name FROM t JOIN u ON t.secret = u.secret', ['onEqual']],
    ['SELECT name FROM t, u WHERE t.secret = u.secret', ['onEqual']],
    ['SELECT name FROM t JOIN u ON t.secret < u.secret', ['on']],
    ["SELECT name FROM t JOIN (VALUES ('x'), ('y')) v(s) ON t.secret = v.s JOIN u USING (id)", ['on']],
    ['SELECT name FROM t JOIN u ON t.secret = lower(u.secret)', ['on']],
    ['SELECT name FROM t JOIN u ON t.secret = u.secret AND t.secret = t.city', ['onEqual', 'where']],
    ['SELECT name FROM t JOIN u ON t.secret = t.city', ['where']],
    ["SELECT city FROM t WHERE secret LIKE 'a%' LIMIT 3", ['where']],
  ])('uses in %s', async (sql, expected) => {
    expect([...(await usesOfSecret(sql))].sort()).toEqual(expected)
  })

  it('says where it could not follow', async () => {
    const text = await planning.serialize('SELECT secret FROM t', 0, false)
    expect(outputLineage(text).isComplete).toBe(true)
    expect(outputLineage(text.replace('"LOGICAL_PROJECTION"', '"LOGICAL_RIDDLE"'))).toMatchObject({
      outputs: [],
      isComplete: false,
    })
  })
})
