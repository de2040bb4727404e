import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PlanningInstances } from '../../../tests/planner/planning-instance.js'
import type { Filter } from '../../model/filter.js'
import type { BoundPlan, PlannedScan } from './bound-plan.js'
import { readPlan } from './read-plan.js'

const pulls = 'number BIGINT, title VARCHAR, state VARCHAR, owner VARCHAR, draft BOOLEAN, created TIMESTAMP'
const people = 'login VARCHAR, id INTEGER, team VARCHAR, pull INTEGER'

let planning: PlanningInstances
beforeAll(async () => {
  const catalogs = ['q17', 'q17_2'].flatMap((catalog) => [
    `ATTACH ':memory:' AS ${catalog}`,
    `CREATE SCHEMA ${catalog}.github`,
    `CREATE TABLE ${catalog}.github.pulls (${pulls})`,
    `CREATE TABLE ${catalog}.main.people (${people})`,
    `CREATE TABLE ${catalog}.main.files (path VARCHAR, owner VARCHAR, number BIGINT, lines INTEGER)`,
  ])
  planning = await PlanningInstances.open([...catalogs, 'USE q17'].join('; '))
})
afterAll(() => {
  planning.close()
})

async function read(sql: string, optimize = true): Promise<BoundPlan> {
  return readPlan(await planning.serialize(sql, 0, optimize))
}

async function scan(sql: string, table = 'pulls'): Promise<PlannedScan> {
  const { scans } = await read(sql)
  const found = scans.find((candidate) => candidate.relation.table === table)
  if (found === undefined) throw new Error(`no scan of ${table}`)
  return found
}

async function pullFilters(condition: string): Promise<readonly Filter[]> {
  return (await scan(`SELECT title FROM github.pulls WHERE ${condition}`)).filters
}

function equal(column: string, text: string, type = 'VARCHAR'): Filter {
  return { kind: 'compare', column, operator: '=', value: { type, text } }
}

describe('scans', () => {
  it('name the relation, one per reference', async () => {
    const { scans } = await read('SELECT a.title FROM github.pulls a JOIN q17_2.github.pulls b USING (number)')
    expect(scans.map(({ id, relation }) => [id, relation])).toEqual([
      [0, { catalog: 'q17', schema: 'github', table: 'pulls' }],
      [1, { catalog: 'q17_2', schema: 'github', table: 'pulls' }],
    ])
  })

  it('list only columns that are read, in table order (P3)', async () => {
    expect((await scan("SELECT title FROM (SELECT * FROM github.pulls) WHERE owner = 'x'")).columns).toEqual([
      'title',
      'owner',
    ])
  })

  it('read no column for count(*), and say so for the row id (P10)', async () => {
    expect(await scan('SELECT count(*) FROM github.pulls')).toMatchObject({ columns: [], readsRowId: false })
    expect(await scan('SELECT rowid FROM github.pulls')).toMatchObject({ columns: [], readsRowId: true })
  })

  it('are absent where nothing is read (P19)', async () => {
    expect((await read('SELECT * FROM github.pulls WHERE number = 1 AND number = 2')).scans).toEqual([])
  })

  it('do not take references inside a lambda for columns (P17)', async () => {
    const sql = 'SELECT list_filter([number], x -> x > 1) FROM github.pulls'
    expect((await scan(sql)).columns).toEqual(['number'])
  })

  it('are found below table functions that read rows (P17)', async () => {
    const sql = 'SELECT p.title, n FROM github.pulls p, range(p.number) r(n)'
    expect((await scan(sql)).columns).toEqual(['number', 'title'])
  })

  it('say that they stand on the recursive side of a recursive CTE', async () => {
    const sql = `WITH RECURSIVE r(n) AS (SELECT id FROM people UNION SELECT f.lines FROM files f JOIN r ON f.number = r.n)
      SELECT * FROM r`
    expect((await read(sql)).scans.map(({ relation, recursive }) => [relation.table, recursive])).toEqual([
      ['people', false],
      ['files', true],
    ])
  })
})

describe('filters', () => {
  it.each<[string, Filter[]]>([
    ["owner = 'x'", [equal('owner', 'x')]],
    ["'x' = owner AND number = 7", [equal('number', '7', 'BIGINT'), equal('owner', 'x')]],
    ['number > 3', [{ kind: 'compare', column: 'number', operator: '>', value: { type: 'BIGINT', text: '3' } }]],
    ['3 > number', [{ kind: 'compare', column: 'number', operator: '<', value: { type: 'BIGINT', text: '3' } }]],
    ['draft', [equal('draft', 'true', 'BOOLEAN')]],
    ['NOT draft', [equal('draft', 'false', 'BOOLEAN')]],
    ['owner IS NULL', [{ kind: 'null', column: 'owner', negated: false }]],
    ['owner IS NOT NULL', [{ kind: 'null', column: 'owner', negated: true }]],
    ["owner IS NOT DISTINCT FROM 'x'", [equal('owner', 'x')]],
    ["owner LIKE '_x%'", [{ kind: 'like', column: 'owner', pattern: '_x%' }]],
    ["starts_with(owner, 'x')", [{ kind: 'prefix', column: 'owner', prefix: 'x' }]],
    [
      "created >= TIMESTAMP '2024-01-01' + INTERVAL 1 DAY",
      [
        {
          kind: 'compare',
          column: 'created',
          operator: '>=',
          value: { type: 'TIMESTAMP', text: '2024-01-02 00:00:00' },
        },
      ],
    ],
  ])('of %s (P11, P15)', async (condition, filters) => {
    expect(await pullFilters(condition)).toEqual(filters)
  })

  it('of IN lists lose NULL (P14)', async () => {
    const values = ['a', 'b'].map((text) => ({ type: 'VARCHAR', text }))
    expect(await pullFilters("owner IN ('a', NULL, 'b')")).toEqual([
      { kind: 'in', column: 'owner', negated: false, values },
    ])
    expect(await pullFilters("owner NOT IN ('a', 'b')")).toEqual([
      { kind: 'in', column: 'owner', negated: true, values },
    ])
  })

  it('say that NOT IN with NULL finds nothing (P14)', async () => {
    expect(await scan("SELECT title FROM github.pulls WHERE owner NOT IN ('a', NULL)")).toMatchObject({
      never: true,
      filters: [],
      residual: [],
    })
  })

  it('read a range of bytes as a prefix (P13)', async () => {
    expect(await pullFilters("owner LIKE 'aé%'")).toEqual([{ kind: 'prefix', column: 'owner', prefix: 'aé' }])
    expect(await pullFilters("regexp_matches(owner, '^ab')")).toEqual([
      { kind: 'prefix', column: 'owner', prefix: 'ab' },
    ])
    expect((await pullFilters("owner >= 'ab' AND owner < 'ad'")).map((filter) => filter.kind)).toEqual([
      'compare',
      'compare',
    ])
  })

  it('make one IN of alternatives of one column', async () => {
    const [filter] = await pullFilters("owner = 'a' OR owner = 'b'")
    expect(filter).toMatchObject({ kind: 'in', column: 'owner', negated: false })
  })

  it('keep alternatives over several columns', async () => {
    const [filter] = await pullFilters("owner = 'a' OR number = 3")
    expect(filter).toEqual({ kind: 'or', filters: [equal('owner', 'a'), equal('number', '3', 'BIGINT')] })
  })

  it('are carried through joins', async () => {
    const sql = "SELECT title FROM github.pulls p JOIN people ON people.login = p.owner WHERE people.login = 'x'"
    expect((await scan(sql)).filters).toEqual([equal('owner', 'x')])
  })

  it('of a FULL join stay above it', async () => {
    const sql = "SELECT title FROM github.pulls p FULL JOIN people ON login = owner WHERE title = 'x' OR team = 'y'"
    expect(await scan(sql)).toMatchObject({ filters: [], residual: [], otherConditions: ['title', 'owner'] })
  })

  it('never pass a limit, a window, or a sample (P18)', async () => {
    const below = ['SELECT * FROM github.pulls LIMIT 5', 'SELECT *, row_number() OVER () FROM github.pulls']
    for (const sql of [...below, 'SELECT * FROM github.pulls USING SAMPLE 3']) {
      expect(await scan(`SELECT title FROM (${sql}) WHERE owner = 'x'`)).toMatchObject({
        filters: [],
        otherConditions: ['owner'],
      })
    }
  })
})

describe('residual conditions', () => {
  it('name their columns and their text', async () => {
    expect(await scan("SELECT number FROM github.pulls WHERE lower(title) = 'x' AND title <> owner")).toMatchObject({
      filters: [],
      residual: [
        { columns: ['title'], text: "lower(title) = 'x'" },
        { columns: ['title', 'owner'], text: 'title <> owner' },
      ],
      otherConditions: ['title', 'owner'],
    })
  })

  it('are what is volatile, and what has no typed constant', async () => {
    const { residual } = await scan('SELECT number FROM github.pulls WHERE number = random()')
    expect(residual).toHaveLength(1)
  })
})

describe('other conditions', () => {
  it.each([
    ['a join', 'SELECT title FROM github.pulls JOIN people ON login = state'],
    ['an inequality of a join', 'SELECT title FROM github.pulls JOIN people ON login < state'],
    ['a semi join', 'SELECT title FROM github.pulls WHERE state IN (SELECT login FROM people)'],
    ['HAVING', "SELECT count(*) FROM github.pulls GROUP BY title HAVING max(state) = 'x'"],
    ['a filter of an aggregate', "SELECT count(*) FILTER (WHERE state = 'x') FROM github.pulls"],
    ['CASE', "SELECT sum(CASE WHEN state = 'x' THEN 1 END) FROM github.pulls"],
    ['a comparison in SELECT', "SELECT state = 'x' FROM github.pulls"],
    ['a comparison in GROUP BY', "SELECT count(*) FROM github.pulls GROUP BY state = 'x'"],
    ['a function', "SELECT title FROM github.pulls WHERE upper(state) = 'X'"],
    [
      'a computed column',
      "SELECT title FROM (SELECT title, upper(state) AS s FROM github.pulls LIMIT 9) WHERE s = 'X'",
    ],
  ])('are those of %s', async (_, sql) => {
    expect((await scan(sql)).otherConditions).toContain('state')
  })

  it('are none where a column is only shown, grouped or ordered', async () => {
    const sql = 'SELECT state, count(*) FROM github.pulls GROUP BY state ORDER BY state'
    expect((await scan(sql)).otherConditions).toEqual([])
    expect((await scan("SELECT state FROM github.pulls WHERE state = 'x'")).otherConditions).toEqual([])
  })

  it('are none of an expression that nothing uses', async () => {
    const sql = "SELECT title FROM (SELECT title, state = 'x' AS is_x FROM github.pulls)"
    expect((await scan(sql)).otherConditions).toEqual([])
  })
})

describe('limits', () => {
  it('hold for the scan, with the offset added (P22)', async () => {
    expect((await scan("SELECT title FROM github.pulls WHERE owner = 'x' LIMIT 5 OFFSET 2")).limit).toEqual({ rows: 7 })
  })

  it('carry their order', async () => {
    const sql = 'SELECT title t FROM github.pulls ORDER BY number DESC NULLS FIRST, t LIMIT 5'
    expect((await scan(sql)).limit).toEqual({
      rows: 5,
      order: [
        { column: 'number', descending: true, nullsFirst: true },
        { column: 'title', descending: false, nullsFirst: false },
      ],
    })
  })

  it.each([
    ['a residual', "SELECT title FROM github.pulls WHERE lower(title) = 'x' LIMIT 5"],
    ['a volatile condition', 'SELECT title FROM github.pulls WHERE random() > 0.5 LIMIT 5'],
    ['a join', 'SELECT title FROM github.pulls JOIN people ON login = owner LIMIT 5'],
    ['an aggregate', 'SELECT count(*) FROM github.pulls LIMIT 5'],
    ['DISTINCT', 'SELECT DISTINCT title FROM github.pulls LIMIT 5'],
    ['unnest', 'SELECT unnest([title]) FROM github.pulls LIMIT 5'],
    ['an order by an expression', 'SELECT title FROM github.pulls ORDER BY lower(title) LIMIT 5'],
    ['a percentage', 'SELECT title FROM github.pulls LIMIT 5%'],
    ['a computed limit', 'SELECT title FROM github.pulls LIMIT (SELECT max(id) FROM people)'],
    [
      'another scan of the table (P30)',
      'SELECT title FROM github.pulls UNION ALL (FROM (SELECT title FROM github.pulls LIMIT 5))',
    ],
  ])('do not pass %s', async (_, sql) => {
    const { scans } = await read(sql)
    expect(scans.map((found) => found.limit)).toEqual(scans.map(() => undefined))
  })
})

describe('a plan that is not a SELECT, or not known', () => {
  it.each([
    ['INSERT INTO people(login) SELECT title FROM github.pulls', 'LOGICAL_INSERT', 'people', ['title']],
    ["UPDATE people SET team = 'x' WHERE login = 'y'", 'LOGICAL_UPDATE', 'people', undefined],
    ["DELETE FROM people WHERE login = 'y'", 'LOGICAL_DELETE', 'people', undefined],
    ['CREATE TABLE copy AS SELECT title, owner FROM github.pulls', 'LOGICAL_CREATE_TABLE', 'copy', ['title', 'owner']],
    ['DROP TABLE people', 'LOGICAL_DROP', 'people', undefined],
  ])('%s', async (sql, operator, table, columns) => {
    const plan = await read(sql)
    expect(plan.write).toMatchObject({ operator, target: { catalog: 'q17', schema: 'main', table } })
    expect(plan.scans.find((found) => found.relation.table === 'pulls')?.columns).toEqual(columns)
  })

  it('with RETURNING has its writing operator below the root', async () => {
    const plan = await read("INSERT INTO people(login) VALUES ('x') RETURNING login")
    expect(plan).toMatchObject({ root: 'LOGICAL_PROJECTION', write: { operator: 'LOGICAL_INSERT' } })
    expect(plan.output).toEqual([{ name: 'login', type: 'VARCHAR' }])
  })

  it('reads everything below and beside an operator that it does not know', async () => {
    const sql = "SELECT p.title FROM github.pulls p JOIN people ON login = owner WHERE p.state = 'x'"
    const known = await planning.serialize(sql, 0, true)
    const plan = readPlan(known.replace('"LOGICAL_COMPARISON_JOIN"', '"LOGICAL_QUANTUM_JOIN"'))
    expect(plan.unknownOperators).toEqual(['LOGICAL_QUANTUM_JOIN'])
    expect(plan.scans).toMatchObject([
      { filters: [equal('state', 'x')], bind: [], columns: ['title', 'state', 'owner'] },
      { filters: [], bind: [], columns: ['login'] },
    ])
    expect(plan.scans[0]?.otherConditions).toEqual(['title', 'state', 'owner'])
  })

  it('takes a table filter and an expression of unknown kinds as residual', async () => {
    const text = await planning.serialize(
      "SELECT title FROM github.pulls WHERE owner = 'x' AND state LIKE '%y'",
      0,
      true,
    )
    const plan = readPlan(
      text.replace('"CONSTANT_COMPARISON"', '"ZONE_FILTER"').replace('"BOUND_FUNCTION"', '"BOUND_RIDDLE"'),
    )
    expect(plan.scans[0]).toMatchObject({ filters: [] })
    expect(plan.scans[0]?.residual.flatMap((condition) => condition.columns).sort()).toEqual(['owner', 'state'])
  })

  it('is refused where the text is no plan', () => {
    for (const text of ['{"error":true,"error_message":"secret path"}', '{"error":false,"plans":[]}', '[]']) {
      expect(() => readPlan(text)).toThrow(expect.objectContaining({ code: 'internal.unexpected' }) as Error)
      expect(() => readPlan(text)).not.toThrow(/secret/)
    }
  })
})

describe('the output', () => {
  it('has names and types where the plan has them', async () => {
    expect((await read('SELECT title t, number + 1 AS n, [owner] l FROM github.pulls')).output).toEqual([
      { name: 't', type: 'VARCHAR' },
      { name: 'n', type: 'BIGINT' },
      { name: 'l', type: 'VARCHAR[]' },
    ])
  })
})
