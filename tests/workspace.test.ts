import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Caller } from '../src/model/caller.js'
import type { CallContext } from '../src/workspace/workspace.js'
import type { ApiServer } from './support/api-server.js'
import { startGithubApi } from './support/github-api.js'
import { libraryContext, TestWorkspace } from './support/query-workspace.js'

/** The workspace file that the documentation shows, word for word. */
const documented = `version: 1
name: sql-mode-demo
sources:
  - name: data
    kind: file
    tables:
      - name: accounts
        path: ./data/accounts.csv
        format: csv
      - name: orders
        path: ./data/orders.parquet
        format: parquet
  - name: github
    kind: http
    config:
      base_url: https://api.github.com
      token: \${secret:GITHUB_TOKEN}
    tables:
      - name: pulls
        endpoint: /repos/{owner}/{repo}/pulls
        params:
          - { name: owner, required: true }
          - { name: repo, required: true }
          - { name: state, default: open }
        response:
          path: $
          schema:
            - { name: number, type: bigint }
            - { name: title, type: varchar }
            - { name: state, type: varchar }
            - { name: user_login, type: varchar, source: $.user.login }
`

const token = 'canary-token-of-the-api'
const test = new TestWorkspace({ GITHUB_TOKEN: token })
let api: ApiServer

beforeAll(async () => {
  api = await startGithubApi(token)
  test.folder.write('data/accounts.csv', 'login,plan\nada,enterprise\nlin,free\n')
  const maker = new TestWorkspace()
  await maker.open('version: 1\n')
  const made = await maker.query(
    "SELECT * FROM (VALUES ('ada', 10.5::DECIMAL(9,2)), ('ada', 4.5), ('lin', 1)) orders(login, amount)",
    { keep: true },
  )
  const page = await maker.workspace.fetchResult({ result: made.result ?? '', format: 'parquet' }, libraryContext)
  test.folder.write('data/orders.parquet', readFileSync(page.file?.path ?? ''))
  await maker.close()
  await test.open(documented.replace('https://api.github.com', api.url))
})

afterAll(async () => {
  await test.close()
  api.close()
})

const threeTables = `
  SELECT a.login, sum(DISTINCT o.amount) AS amount, count(DISTINCT p.number) AS pulls
  FROM data.accounts a
  JOIN data.orders o USING (login)
  JOIN github.pulls p ON p.user_login = a.login
  WHERE p.owner = 'acme' AND p.repo = 'app'
  GROUP BY ALL ORDER BY 1`

describe('the documented workspace', () => {
  it('loads unchanged', async () => {
    const unchanged = new TestWorkspace({ GITHUB_TOKEN: token })
    try {
      const workspace = await unchanged.open(documented)
      const page = await workspace.tables({}, libraryContext)
      expect(page.tables.map((table) => `${table.name.source}.${table.name.table}`)).toEqual([
        'data.accounts',
        'data.orders',
        'github.pulls',
        'system.audit',
      ])
    } finally {
      await unchanged.close()
    }
  })

  it('joins all three tables, with pages and a default', async () => {
    api.asked.length = 0
    const result = await test.query(threeTables)
    expect(result.rows).toEqual([
      ['ada', '15.00', 8],
      ['lin', '1.00', 8],
    ])
    expect(result.columnTypes).toEqual(['VARCHAR', 'DECIMAL(38,2)', 'BIGINT'])
    expect(api.asked).toEqual(['/repos/acme/app/pulls?state=open', '/repos/acme/app/pulls?state=open&page=2'])
    expect(result.sources.find((source) => source.table === 'github.pulls')).toMatchObject({ requests: 2, rows: 16 })
  })

  it('explains without a request, and names what is missing before one', async () => {
    api.asked.length = 0
    const explanation = await test.workspace.explain({ sql: threeTables }, libraryContext)
    expect(explanation.columns).toEqual(['login', 'amount', 'pulls'])
    expect(explanation.scans.find((scan) => scan.table === 'github.pulls')?.preview).toEqual([
      'GET /repos/acme/app/pulls?state=open',
    ])
    const refused = await test.workspace.explain({ sql: 'SELECT title FROM github.pulls' }, libraryContext)
    expect(refused.refusal).toMatchObject({ code: 'source.required_filter' })
    await expect(test.query('SELECT title FROM github.pulls')).rejects.toMatchObject({
      code: 'source.required_filter',
      hint: expect.stringContaining('owner') as string,
    })
    expect(api.asked).toEqual([])
  })

  it('asks with the keys of a join where a required parameter has no constant', async () => {
    api.asked.length = 0
    const rows = await test.rows(`
      SELECT count(*) FROM (VALUES ('acme', 'app')) repos(owner, repo)
      JOIN github.pulls p ON p.owner = repos.owner AND p.repo = repos.repo
      WHERE p.state = 'closed'`)
    expect(rows).toEqual([[9]])
    expect(api.asked).toEqual(['/repos/acme/app/pulls?state=closed'])
  })

  it('keeps two references to one table apart', async () => {
    const rows = await test.rows(`
      SELECT (SELECT count(*) FROM github.pulls WHERE owner = 'acme' AND repo = 'app' AND state = 'closed') AS closed,
             (SELECT count(*) FROM github.pulls WHERE owner = 'acme' AND repo = 'app' AND state = 'open') AS open`)
    expect(rows).toEqual([[9, 16]])
  })

  it('applies what the API does not, and stops at a limit only where it may', async () => {
    api.asked.length = 0
    const filtered = `FROM github.pulls WHERE owner = 'acme' AND repo = 'app' AND title LIKE '%24' LIMIT 1`
    expect(await test.rows(`SELECT number ${filtered}`)).toEqual([[24]])
    expect(api.asked).toHaveLength(2)
  })

  it('shows no secret when the API refuses', async () => {
    const other = new TestWorkspace({ GITHUB_TOKEN: 'canary-wrong-token' })
    try {
      await other.open(documented.replace('https://api.github.com', api.url))
      const failure = await other
        .query("SELECT * FROM github.pulls WHERE owner = 'acme' AND repo = 'app'")
        .catch((error: unknown) => error)
      expect(failure).toMatchObject({ code: 'source.unauthorized' })
      expect(JSON.stringify(failure)).not.toContain('canary')
    } finally {
      await other.close()
    }
  })
})

describe('answers', () => {
  it('are cut with a flag and a handle to the rest, and not at exactly the cap', async () => {
    const whole = await test.query('SELECT * FROM range(10)', { maxRows: 10 })
    expect(whole).toMatchObject({ rowCount: 10, totalRows: 10 })
    expect(whole.truncated).toBeUndefined()
    const cut = await test.query('SELECT * FROM range(11)', { maxRows: 10 })
    expect(cut).toMatchObject({ truncated: true, rowCount: 10, totalRows: 11 })
    const page = await test.workspace.fetchResult({ result: cut.result ?? '', offset: 9 }, libraryContext)
    expect(page).toMatchObject({ rows: [[9], [10]], totalRows: 11, complete: true })
  })

  it('fit the cap on the escaped message, whatever the columns and cells are', async () => {
    const sql = `SELECT repeat('"\\', 200) AS "a ""long"" name ${'x'.repeat(300)}", i FROM range(5000) t(i)`
    for (const maxChars of [3_000, 10_000, 50_000]) {
      const result = await test.query(sql, { maxChars, maxRows: 1024 })
      const text = JSON.stringify(JSON.stringify(result))
      expect(text.length - 2).toBeLessThanOrEqual(maxChars)
      expect(result.rowCount).toBeGreaterThan(0)
      expect(result.truncated).toBe(true)
    }
  })

  it('shorten one over-long cell rather than drop its row', async () => {
    const result = await test.query("SELECT repeat('x', 1000000) AS wide", { maxChars: 5_000 })
    expect(result.rowCount).toBe(1)
    expect(result.warning).toContain('shortened')
    expect(JSON.stringify(JSON.stringify(result)).length).toBeLessThanOrEqual(5_002)
  })

  it('take the caller’s wish below the cap and never above it', async () => {
    const result = await test.query('SELECT * FROM range(3000)', { maxRows: 2_000 })
    expect(result.rowCount).toBe(1024)
    await expect(test.query('SELECT 1', { maxRows: 0 })).rejects.toMatchObject({ code: 'policy.limit' })
  })

  it('bind parameters by name and by position, and keep big integers', async () => {
    expect(await test.rows('SELECT $a + 1, $b', { params: { a: 41, b: 'x' } })).toEqual([[42, 'x']])
    expect(
      await test.rows('SELECT ?, ?::HUGEINT', { params: [true, '170141183460469231731687303715884105727'] }),
    ).toEqual([[true, '170141183460469231731687303715884105727']])
    await expect(test.query('SELECT $a', { params: {} })).rejects.toMatchObject({ code: 'sql.parameter' })
    await expect(test.query('SELECT 1', { params: { a: 1 } })).rejects.toMatchObject({ code: 'sql.parameter' })
  })

  it('name columns as they were written, also those that hold a subquery', async () => {
    const sql = 'SELECT (SELECT max(login) FROM data.accounts), 1 + (SELECT count(*) FROM data.accounts)'
    const columns = ['(SELECT max(login) FROM "data".accounts)', '(1 + (SELECT count_star() FROM "data".accounts))']
    const saved = await test.query(`${sql} GROUP BY ALL`, { saveAs: 'named' })
    expect(saved.columns).toEqual(columns)
    expect((await test.query('FROM scratch.named', { scratch: saved.scratch ?? '' })).columns).toEqual(columns)
    expect((await test.workspace.explain({ sql }, libraryContext)).columns).toEqual(columns)
  })

  it('have columns also when there is no row, and keep duplicate names', async () => {
    expect(await test.query('SELECT 1 AS a, 2 AS a WHERE false')).toMatchObject({ columns: ['a', 'a'], rows: [] })
  })
})

describe('scratch tables', () => {
  it('keep a whole result for later statements of the same space', async () => {
    const saved = await test.query('SELECT i, i * 2 AS twice FROM range(2000) t(i)', { saveAs: 'doubled', maxRows: 5 })
    expect(saved.rowCount).toBe(5)
    const scratch = saved.scratch ?? ''
    expect(await test.rows('SELECT count(*), sum(twice) FROM scratch.doubled', { scratch })).toEqual([
      [2000, '3998000'],
    ])
    await expect(test.query('SELECT * FROM scratch.doubled')).rejects.toMatchObject({ code: 'catalog.unknown_table' })
    const again = await test.query('SELECT i FROM scratch.doubled WHERE i < 3', { scratch, saveAs: 'doubled' })
    expect(again.rowCount).toBe(3)
    expect(await test.rows('SELECT count(*) FROM scratch.doubled', { scratch })).toEqual([[3]])
  })

  it('belong to their caller and to their session', async () => {
    const session: CallContext = { ...libraryContext, session: 'one' }
    const saved = await test.query('SELECT 1 AS x', { saveAs: 'mine' }, session)
    expect((await test.query('SELECT * FROM scratch.mine', {}, session)).rows).toEqual([[1]])
    const other: CallContext = { ...libraryContext, caller: { id: 'other', roles: [], claims: {} } }
    const scratch = saved.scratch ?? ''
    await expect(test.query('SELECT * FROM scratch.mine', { scratch }, other)).rejects.toMatchObject({
      code: 'state.not_found',
    })
  })
})

describe('what goes wrong', () => {
  it.each([
    { what: 'nothing', sql: '', code: 'sql.empty' },
    { what: 'two statements', sql: 'SELECT 1; SELECT 2', code: 'sql.multiple_statements' },
    { what: 'a typing error', sql: 'SELEC 1', code: 'sql.syntax' },
    { what: 'a refused statement', sql: 'DROP TABLE x', code: 'policy.statement' },
    { what: 'a refused function', sql: "SELECT * FROM read_text('/etc/passwd')", code: 'policy.table_function' },
    { what: 'a file outside the roots', sql: "SELECT * FROM '/etc/passwd.csv'", code: 'file.not_allowed' },
    { what: 'an unknown table', sql: 'SELECT * FROM data.acounts', code: 'catalog.unknown_table' },
    { what: 'an unknown column', sql: 'SELECT logn FROM data.accounts', code: 'sql.binder' },
    { what: 'a value that does not convert', sql: "SELECT 'x'::INTEGER", code: 'sql.conversion' },
    { what: '10,000 parentheses', sql: `SELECT ${'('.repeat(10_000)}1${')'.repeat(10_000)}`, code: 'sql.too_deep' },
    { what: '900 terms', sql: `SELECT ${'1+'.repeat(900)}1`, code: 'sql.too_deep' },
    { what: '20 MB of SQL', sql: 'x'.repeat(20_000_000), code: 'sql.too_long' },
  ])('$what is $code, and the next query runs', async ({ sql, code }) => {
    const failure = (await test.query(sql).catch((error: unknown) => error)) as { code: string; queryId: string }
    expect(failure.code).toBe(code)
    expect(failure.queryId).toMatch(/^q_/)
    expect(await test.rows('SELECT 1')).toEqual([[1]])
  })

  it('suggests names, with the place in the statement', async () => {
    const failure = (await test.query('SELECT *\nFROM data.acounts').catch((error: unknown) => error)) as {
      hint: string
      position: number
    }
    expect(failure.hint).toContain('data.accounts')
    expect(failure.position).toBe(14)
  })

  it('ends a query at its time-out, and runs the next one', async () => {
    const long = 'SELECT count(*) FROM range(100000000) a, range(100000) b WHERE a.range + b.range = 3'
    await expect(test.query(long, { timeoutMs: 300 })).rejects.toMatchObject({ code: 'limit.timeout' })
    expect(await test.rows('SELECT 1')).toEqual([[1]])
  })

  it('ends a query that is cancelled by its caller only', async () => {
    const controller = new AbortController()
    const long = 'SELECT count(*) FROM range(100000000) a, range(100000) b WHERE a.range + b.range = 5'
    const running = test.query(long, {}, { ...libraryContext, signal: controller.signal })
    setTimeout(() => {
      controller.abort()
    }, 200)
    await expect(running).rejects.toMatchObject({ code: 'limit.cancelled' })
    expect(await test.rows('SELECT 1')).toEqual([[1]])
  })

  it('survives values that escape the memory limit', async () => {
    const small = new TestWorkspace()
    try {
      await small.open('version: 1\nlimits: { memory: 256MB }\n')
      const failure = await small.query('SELECT len(range(300000000))').catch((error: unknown) => error)
      expect(failure).toMatchObject({ errorType: 'OutOfMemoryException' })
      expect(await small.rows('SELECT 1')).toEqual([[1]])
    } finally {
      await small.close()
    }
  })
})

describe('callers', () => {
  it('get their own rows, 200 queries at once', async () => {
    const callers: readonly Caller[] = ['one', 'two'].map((id) => ({ id, roles: [], claims: {} }))
    const wide = new TestWorkspace()
    try {
      await wide.open('version: 1\nlimits: { waiting: 200 }\n')
      const answers = await Promise.all(
        Array.from({ length: 200 }, async (_, index) => {
          const caller = callers[index % 2] ?? callers[0]
          const context: CallContext = { caller: caller as Caller, surface: 'library' }
          const { rows } = await wide.query(`SELECT ${index} AS i, sum(range) FROM range(${index + 1})`, {}, context)
          return rows[0]?.[0]
        }),
      )
      expect(answers).toEqual(Array.from({ length: 200 }, (_, index) => index))
      const audit = await wide.query(
        "SELECT caller, count(*) FROM system.audit WHERE outcome = 'ok' GROUP BY 1",
        {},
        { caller: callers[0] as Caller, surface: 'library' },
      )
      expect(audit.rows).toEqual([['one', 100]])
    } finally {
      await wide.close()
    }
  })
})

describe('the audit log', () => {
  it('has a start and an end of every query, refused ones too, and no secret', async () => {
    const logged = new TestWorkspace()
    try {
      const workspace = await logged.open('version: 1\n')
      await logged.query('SELECT 1')
      await logged.query('DROP TABLE x').catch(() => undefined)
      const records: unknown[] = []
      for await (const entry of workspace.audit.read({ limit: 10 })) records.push(entry)
      expect(records).toMatchObject([
        { outcome: 'refused', code: 'policy.statement', sql: 'DROP TABLE x' },
        { outcome: 'ok', statement: 'SELECT', rows: 1, sql: 'SELECT 1' },
      ])
    } finally {
      await logged.close()
    }
  })

  it('fails the query where it cannot be written', async () => {
    const logged = new TestWorkspace()
    try {
      logged.folder.write('log', 'not a folder')
      await logged.open('version: 1\naudit: { path: ./log/audit.jsonl }\n')
      await expect(logged.query('SELECT 1')).rejects.toMatchObject({ code: 'state.audit_unwritable' })
    } finally {
      await logged.close()
    }
  })

  it('is private, as all state is', () => {
    const { mode } = statSync(join(test.folder.path, 'state'))
    expect(mode & 0o077).toBe(0)
  })
})

describe('limits of a scan', () => {
  const pullsOf = "FROM github.pulls WHERE owner = 'acme' AND repo = 'app' AND state = 'all'"

  async function withLimits(limits: string, act: (limited: TestWorkspace) => Promise<void>): Promise<void> {
    const limited = new TestWorkspace({ GITHUB_TOKEN: token })
    const yaml = documented
      .replace('https://api.github.com', api.url)
      .replace('default: open', 'default: open, any: all')
    limited.folder.write('data/accounts.csv', 'login,plan\nada,enterprise\n')
    try {
      await limited.open(`${yaml}limits: ${limits}\n`)
      await act(limited)
    } finally {
      await limited.close()
    }
  }

  it('fail the query, naming the limit', async () => {
    await withLimits('{ maxRequests: 2 }', async (limited) => {
      await expect(limited.query(`SELECT count(*) ${pullsOf}`)).rejects.toMatchObject({ code: 'limit.requests' })
    })
    await withLimits('{ maxPages: 2 }', async (limited) => {
      await expect(limited.query(`SELECT count(*) ${pullsOf}`)).rejects.toMatchObject({ code: 'source.page_limit' })
    })
  })

  it('leave a part that is marked as one, where the workspace says so', async () => {
    await withLimits('{ maxPages: 2, onLimit: partial }', async (limited) => {
      const result = await limited.query(`SELECT count(*) ${pullsOf}`)
      expect(result).toMatchObject({ partial: true, rows: [[20]] })
      expect(result.warning).toContain('The answer is partial')
    })
  })

  it('refuse before the first request what cannot stay within them', async () => {
    await withLimits('{ maxRequests: 3, maxFanout: 100 }', async (limited) => {
      api.asked.length = 0
      const sql = "SELECT * FROM github.pulls WHERE owner IN ('a', 'b') AND repo IN ('c', 'd')"
      const failure = await limited.query(sql).catch((error: unknown) => error)
      expect(['limit.estimate', 'source.fan_out']).toContain((failure as { code: string }).code)
      expect(api.asked).toEqual([])
    })
  })
})

describe('equal requests', () => {
  it('are made once, and each reference has its rows', async () => {
    api.asked.length = 0
    const rows = await test.rows(`
      SELECT (SELECT count(*) FROM github.pulls WHERE owner = 'acme' AND repo = 'app' AND user_login <> ''),
             (SELECT count(*) FROM github.pulls WHERE owner = 'acme' AND repo = 'app' AND user_login <> '')`)
    expect(rows).toEqual([[16, 16]])
    expect(api.asked).toHaveLength(2)
  })
})

describe('search', () => {
  it('finds tables by the columns of their files', async () => {
    const page = await test.workspace.tables({ query: 'login plan' }, libraryContext)
    expect(page.tables[0]).toMatchObject({ name: { table: 'accounts' }, columnNames: ['login', 'plan'] })
  })
})

describe('files in folders by their values', () => {
  const fleet = new TestWorkspace()

  beforeAll(async () => {
    for (const year of [2023, 2024, 2025]) fleet.folder.write(`events/year=${year}/part.csv`, `id\n${year * 10}\n`)
    const source = {
      name: 'fleet',
      kind: 'file',
      wiki: 'Years are fiscal years.',
      examples: ['SELECT id FROM fleet.events WHERE year = 2025', 'SELECT nonsense FROM fleet.events WHERE year = 1'],
      safety: { require_filters_on: ['year'] },
      tables: [{ name: 'events', path: './events/**/*.csv' }],
    }
    await fleet.open(JSON.stringify({ version: 1, sources: [source] }))
  })
  afterAll(() => fleet.close())

  it('are left out where no row of them can matter', async () => {
    const sql = 'SELECT id FROM fleet.events WHERE year >= 2024 ORDER BY 1'
    expect(await fleet.rows(sql)).toEqual([[20240], [20250]])
    const { scans } = await fleet.workspace.explain({ sql }, libraryContext)
    expect(scans[0]).toMatchObject({ columns: ['id', 'year'], pushed: ['year >= 2024'] })
    expect(scans[0]?.notes).toEqual(['1 of 3 files are left out by their folders'])
  })

  it('need the conditions that the workspace asks for', async () => {
    await expect(fleet.query('SELECT * FROM fleet.events')).rejects.toMatchObject({ code: 'source.required_filter' })
    const explained = await fleet.workspace.explain({ sql: 'SELECT * FROM fleet.events' }, libraryContext)
    expect(explained.refusal).toMatchObject({ code: 'source.required_filter' })
    const table = await fleet.workspace.describe({ table: 'fleet.events' }, libraryContext)
    expect(table.columns.find((column) => column.name === 'year')?.filtering.kind).toBe('required')
    expect(table.wiki).toBe('Years are fiscal years.')
  })

  it('have their examples run by check', async () => {
    const report = await fleet.workspace.check(new AbortController().signal)
    expect(report.findings.filter((finding) => finding.subject.includes('example'))).toMatchObject([
      { severity: 'ok' },
      { severity: 'error' },
    ])
  })
})
