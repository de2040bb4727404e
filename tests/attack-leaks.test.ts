import { hostname } from 'node:os'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { QuerentError } from '../src/errors/querent-error.js'
import type { CallContext } from '../src/workspace/workspace.js'
import { startApiServer, type ApiServer } from './support/api-server.js'
import { TestWorkspace } from './support/query-workspace.js'

const token = 'canary-of-a-secret'
const alice: CallContext = { caller: { id: 'alice', roles: [], claims: {} }, surface: 'library' }
const mallory: CallContext = { caller: { id: 'mallory', roles: [], claims: {} }, surface: 'library' }

const test = new TestWorkspace({ TOKEN: token })
let api: ApiServer
let kept = ''
let scratch = ''
let aliceQuery = ''

beforeAll(async () => {
  api = await startApiServer((request, response) => {
    const status = request.url?.endsWith('/down') === true ? 500 : 200
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify([{ title: request.headers.authorization === `Bearer ${token}` ? 'known' : 'unknown' }]))
  })
  test.folder.write('data/people.csv', 'name,age\nann,1\n')
  test.folder.write('data/.hidden.csv', 'x\ncanary-hidden\n')
  test.folder.write('outside.csv', 'x\ncanary-outside\n')
  await test.open(`version: 1
files: { roots: ['./data/*.csv'] }
sources:
  - name: data
    kind: file
    tables: [{ name: people, path: ./data/people.csv }]
  - name: api
    kind: http
    config: { base_url: '${api.url}', token: '\${secret:TOKEN}', retry: { max_retries: 0 } }
    tables:
      - name: items
        endpoint: /items/{owner}
        params: [{ name: owner, required: true }]
        response: { schema: [{ name: title, type: varchar }] }
`)
  const saved = await test.query("SELECT 'canary-of-alice' AS s", { saveAs: 'secrets' }, alice)
  const result = await test.query("SELECT 'canary-of-alice' AS s", { keep: true }, alice)
  kept = result.result ?? ''
  scratch = saved.scratch ?? ''
  aliceQuery = result.queryId
})

afterAll(async () => {
  await test.close()
  api.close()
})

/** Everything that a caller is shown: rows, columns, warnings, or the error with its parameters. */
async function shown(sql: string, request: { readonly scratch?: string } = {}): Promise<string> {
  try {
    return JSON.stringify({ ...(await test.query(sql, request, mallory)), queryId: '' })
  } catch (error) {
    if (!(error instanceof QuerentError)) throw error
    const { code, message, hint, params } = error
    expect(code).not.toMatch(/^internal\./)
    return JSON.stringify({ code, message, hint, params })
  }
}

/** Where a name, a path or a function can stand in a statement. */
const positions: readonly ((expression: string) => string)[] = [
  (expression) => `SELECT ${expression}`,
  (expression) => `SELECT 1 WHERE ${expression} IS NULL`,
  (expression) => `SELECT count(*) FROM data.people GROUP BY ${expression}`,
  (expression) => `SELECT count(*) FROM data.people HAVING max(${expression}) IS NULL`,
  (expression) => `SELECT 1 ORDER BY ${expression}`,
  (expression) => `SELECT 1 LIMIT (SELECT ${expression})`,
  (expression) => `VALUES (${expression})`,
  (expression) => `SELECT list_transform([1], lambda x: ${expression})`,
  (expression) => `SELECT [${expression} FOR x IN [1]]`,
  (expression) => `SELECT struct_pack(a := ${expression})`,
  (expression) => `SELECT CASE WHEN true THEN ${expression} END`,
  (expression) => `SELECT sum(1) FILTER (WHERE ${expression} IS NULL) OVER (ORDER BY ${expression})`,
  (expression) => `WITH c AS (SELECT ${expression} AS v) SELECT * FROM c`,
  (expression) => `SELECT * FROM data.people p JOIN data.people q ON ${expression} IS NULL`,
  (expression) => `SELECT * FROM data.people p, LATERAL (SELECT ${expression})`,
  (expression) => `SELECT * FROM range(1) WHERE EXISTS (SELECT ${expression})`,
  (expression) => `PIVOT data.people ON name USING max(${expression})`,
  (expression) => `SELECT 1 UNION ALL SELECT ${expression}`,
  (expression) => `SELECT * REPLACE (${expression} AS name) FROM data.people`,
  (expression) => `EXPLAIN ANALYZE SELECT ${expression}`,
  (expression) => `FROM data.people SELECT ${expression} QUALIFY row_number() OVER () = 1`,
  (expression) => `SELECT * FROM unnest([${expression}])`,
]

const expressions = [
  'current_database()',
  'current_schemas(true)',
  'current_query()',
  "current_setting('temp_directory')",
  "getvariable('clock')",
  "getenv('HOME')",
  '"getenv"(\'HOME\')',
  "system.main.getenv('HOME')",
  'version()',
  "(SELECT content FROM read_text('/etc/passwd'))",
  '(SELECT max(value) FROM duckdb_settings())',
  '(SELECT max(database_name) FROM duckdb_databases())',
  '(SELECT max(sql) FROM sqlite_master)',
  "(SELECT max(x) FROM 'outside.csv')",
  "(SELECT max(x) FROM 'data/.hidden.csv')",
  "(SELECT max(x) FROM read_csv('data/../outside.csv'))",
  '(SELECT max(s) FROM scratch.secrets)',
  '(SELECT max(s) FROM secrets)',
  "(SELECT max(sql) FROM system.audit WHERE sql LIKE '%canary%')",
  "(SELECT max(a) FROM query('SELECT 1 AS a'))",
  'nothing',
  'p.nothing',
  'data.people.nothing',
  "CAST('x' AS nothing)",
  "CAST('x' AS INTEGER)",
  "error('x')",
  'pin.now()',
]

function canaries(): readonly (readonly [string, RegExp])[] {
  return [
    ['a secret', new RegExp(token)],
    ['a file outside the roots', /canary-hidden|canary-outside|root:/],
    ['where the workspace lies', new RegExp(test.folder.path)],
    ['the state folder', /\/state\b/],
    ["the engine's names", /\bq_[0-9a-f]{16}/],
    ['the host', new RegExp(`"${hostname()}|/home/|/root\\b`)],
    ["another caller's rows", /canary-of-alice/],
    ["another caller's name", /alice/],
  ]
}

/** Where the statement itself holds the word, an answer may repeat it. */
function leaks(answer: string, sql: string): readonly string[] {
  return canaries().flatMap(([what, pattern]) => (pattern.test(answer) && !pattern.test(sql) ? [what] : []))
}

describe('a caller learns nothing of what is not theirs', () => {
  it.each(expressions)('through %s in any place', async (expression) => {
    for (const position of positions) {
      const sql = position(expression)
      expect({ sql, leaks: leaks(await shown(sql), sql) }).toEqual({ sql, leaks: [] })
    }
  })

  it.each([
    `SELECT * FROM q_0000000000000000.data.people`,
    'SELECT * FROM memory.main.people',
    'SELECT * FROM temp.people',
    'SELECT * FROM pin.main.people',
    'SHOW ALL TABLES',
    'SHOW TABLES',
    'SHOW DATABASES',
    'DESCRIBE data.people',
    'SUMMARIZE data.people',
    'SELECT * FROM information_schema.tables',
    'SELECT * FROM information_schema.columns',
    'SELECT * FROM information_schema.schemata',
    'SELECT * FROM pg_catalog.pg_tables',
    'SELECT * FROM data.peopl',
    'SELECT nam FROM data.people',
    'SELECT * FROM data.people NATURAL JOIN api.items',
    "SELECT * FROM api.items WHERE owner = 'down'",
    'SELECT * FROM api.items',
    "SELECT * FROM 'nothing/x.csv'",
    "SELECT * FROM '/etc/passwd'",
    "SELECT * FROM read_csv('querent.yaml')",
    "SELECT * FROM read_csv('state/**')",
    'EXPLAIN SELECT * FROM data.people',
    "EXPLAIN ANALYZE SELECT * FROM api.items WHERE owner = 'x'",
  ])('through %s', async (sql) => {
    expect(leaks(await shown(sql), sql)).toEqual([])
  })

  it("through another caller's handles, which are as unknown as any", async () => {
    const stranger = await shown('SELECT * FROM scratch.secrets', { scratch: `${scratch.slice(0, -1)}_` })
    const known = await shown('SELECT * FROM scratch.secrets', { scratch })
    expect(known.replaceAll(scratch, 'X')).toBe(stranger.replaceAll(`${scratch.slice(0, -1)}_`, 'X'))
    await expect(test.workspace.fetchResult({ result: kept }, mallory)).rejects.toMatchObject({
      code: 'state.not_found',
    })
    expect(test.workspace.cancel(aliceQuery, mallory)).toBe(false)
    expect((await test.workspace.fetchResult({ result: kept }, alice)).rows).toEqual([['canary-of-alice']])
  })

  it('through the audit log, which shows a caller its own queries', async () => {
    const { rows } = await test.query('SELECT DISTINCT caller FROM system.audit', {}, mallory)
    expect(rows).toEqual([['mallory']])
  })

  it('while the source does get its secret', async () => {
    expect((await test.query("SELECT title FROM api.items WHERE owner = 'x'", {}, mallory)).rows).toEqual([['known']])
  })
})
