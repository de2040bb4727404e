import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { filtersSql } from '../../src/engine/plan/filter-sql.js'
import { QuerentError } from '../../src/errors/querent-error.js'
import type { Filter } from '../../src/model/filter.js'
import { formatTableName, tableNameKey } from '../../src/model/table-name.js'
import type { Table, TableName } from '../../src/model/table.js'
import type { ScanPlan, ScanRequest, Source } from '../../src/sources/source.js'
import { quoteIdentifier } from '../../src/util/sql-text.js'
import { contractFilters, type SampledColumn } from './contract-filters.js'

/** What a kind of source gives the suite. */
export interface ContractFixture {
  /** An open source with at least one table whose rows can be read without a condition. */
  readonly source: Source
  /** The tables to read. At least one must have rows and NULLs. */
  readonly tables: readonly TableName[]
  /** Rows of a plan: `sql` is run over them by DuckDB, which knows them as `scan`. Each row as JSON. */
  readonly read: (plan: ScanPlan, sql: string) => Promise<readonly (readonly unknown[])[]>
  /** Whatever was asked of the outside so far: statements, requests. */
  readonly outsideCalls: () => number
  /** The whole pipeline over a workspace with this source, for the same questions as SQL. */
  readonly runQuery: (sql: string) => Promise<readonly (readonly unknown[])[]>
  readonly close: () => Promise<void>
}

/** Registers the tests that every kind of source must pass. */
export function sourceContract(kind: string, open: () => Promise<ContractFixture>): void {
  describe(`the contract of a source: ${kind}`, () => {
    let fixture: ContractFixture
    let tables: readonly Table[]
    const signal = new AbortController().signal

    beforeAll(async () => {
      fixture = await open()
      tables = await fixture.source.describeTables(fixture.tables, { signal })
    })

    afterAll(async () => {
      await fixture.close()
    })

    it('answers its probe', async () => {
      await expect(fixture.source.check(signal)).resolves.toBeUndefined()
    })

    it('describes every table that it lists, under the same name and with the same columns', async () => {
      const listed = await fixture.source.listTables(signal)
      const described = await fixture.source.describeTables(
        listed.map((summary) => summary.name),
        { signal },
      )
      expect(described.map((table) => table.name)).toEqual(listed.map((summary) => summary.name))
      const again = await fixture.source.listTables(signal)
      expect(again.map((summary) => summary.name)).toEqual(listed.map((summary) => summary.name))
      for (const [index, table] of described.entries()) {
        const names = again[index]?.columnNames
        if (names !== undefined) expect(table.columns.map((column) => column.name)).toEqual(names)
      }
      const keys = listed.map((summary) => tableNameKey(summary.name))
      expect(new Set(keys).size).toBe(keys.length)
      for (const name of fixture.tables) expect(keys).toContain(tableNameKey(name))
    })

    it('describes in the order asked, repeats included', async () => {
      const asked = [...fixture.tables, ...fixture.tables].reverse()
      const described = await fixture.source.describeTables(asked, { signal })
      expect(described.map((table) => tableNameKey(table.name))).toEqual(asked.map(tableNameKey))
    })

    it.each([
      { table: 'no_such_table' },
      { table: '' },
      { table: '__proto__' },
      { schema: 'no_such_schema', table: 'x' },
    ])('knows no table %j', async (name) => {
      const unknown = { source: fixture.source.name, ...name }
      const described = fixture.source.describeTables([unknown], { signal })
      await expect(described).rejects.toMatchObject({ code: 'catalog.unknown_table' })
      await expect(described).rejects.toBeInstanceOf(QuerentError)
    })

    it('plans without asking anybody, the same plan for the same request', () => {
      const before = fixture.outsideCalls()
      for (const table of tables) {
        const request = deepFreeze(requestOf(table, []))
        const plan = fixture.source.planScan(request)
        expect(JSON.stringify(fixture.source.planScan(request))).toBe(JSON.stringify(plan))
        expect(plan.requests.estimate).toBeLessThanOrEqual(plan.requests.max)
        expect(plan.preview.length).toBeGreaterThan(0)
        expect(tableNameKey(plan.table)).toBe(tableNameKey(table.name))
        expect(plan.inPlace !== undefined).toBe(table.access === 'inPlace')
      }
      expect(fixture.outsideCalls()).toBe(before)
    })

    it('yields the columns that it described', async () => {
      for (const table of tables) {
        const plan = fixture.source.planScan(requestOf(table, []))
        const described = await fixture.read(plan, 'SELECT column_name, column_type FROM (DESCRIBE FROM scan)')
        expect(described).toEqual(table.columns.map((column) => [column.name, column.type]))
      }
    })

    it('counts rows without reading a column', async () => {
      for (const table of tables) {
        const all = await fixture.read(fixture.source.planScan(requestOf(table, [])), 'SELECT count(*) FROM scan')
        const none = fixture.source.planScan({ ...requestOf(table, []), columns: [] })
        expect(await fixture.read(none, 'SELECT count(*) FROM scan')).toEqual(all)
      }
    })

    it('gives the same rows with each filter pushed down and not, and rows that satisfy what is not residual', async () => {
      let checked = 0
      for (const table of tables) {
        const sets = contractFilters(await sampled(fixture, table))
        const unpushed = fixture.source.planScan(requestOf(table, []))
        const expected = await rowsByFilters(fixture, unpushed, table, sets)
        for (const [index, filters] of sets.entries()) {
          const plan = fixture.source.planScan(deepFreeze(requestOf(table, filters)))
          expect(filters).toEqual(expect.arrayContaining([...plan.residual]))
          checked++
          const applied = filters.filter((filter) => !plan.residual.includes(filter))
          // The same scan gives the same rows.
          if (applied.length === 0 && scanOf(plan) === scanOf(unpushed)) continue
          const broken = `SELECT count(*) FROM scan WHERE (${filtersSql(applied)}) IS NOT TRUE`
          expect(await fixture.read(plan, broken), JSON.stringify(filters)).toEqual([[0]])
          const [rows] = await rowsByFilters(fixture, plan, table, [filters])
          expect(rows, JSON.stringify(filters)).toEqual(expected[index])
        }
      }
      expect(checked).toBeGreaterThan(20)
    })

    it('obeys a limit only where nothing is residual', async () => {
      for (const table of tables) {
        const total = Number(
          (await fixture.read(fixture.source.planScan(requestOf(table, [])), 'SELECT count(*) FROM scan'))[0]?.[0],
        )
        for (const limit of [1, total, total + 1]) {
          const plan = fixture.source.planScan({ ...requestOf(table, []), limit })
          if (plan.limit !== undefined) expect(plan.residual).toEqual([])
          const rows = Number((await fixture.read(plan, 'SELECT count(*) FROM scan'))[0]?.[0])
          expect(rows).toBeGreaterThanOrEqual(Math.min(limit, total))
          expect(rows).toBeLessThanOrEqual(total)
        }
      }
    })

    it('stops with the reason of the signal', async () => {
      const stopped = AbortSignal.abort(new Error('the caller left'))
      const name = fixture.tables.slice(0, 1)
      await expect(fixture.source.describeTables(name, { signal: stopped })).rejects.toThrow('the caller left')
      await expect(fixture.source.check(stopped)).rejects.toThrow('the caller left')
    })

    it('has no batches for what is read in place', async () => {
      for (const table of tables.filter((each) => each.access === 'inPlace')) {
        const plan = fixture.source.planScan(requestOf(table, []))
        const meter = { request: () => undefined, received: () => undefined }
        const run = { signal, caller: { id: 'local', roles: [], claims: {} }, meter }
        const first = fixture.source.scan(plan, run)[Symbol.asyncIterator]().next()
        await expect(first).rejects.toBeInstanceOf(QuerentError)
      }
    })

    it('gives the same rows through the whole pipeline', async () => {
      const { runQuery } = fixture
      for (const table of tables) {
        for (const filters of contractFilters(await sampled(fixture, table)).slice(0, maxPipelineQueries)) {
          const sql = `SELECT ${textColumns(table)} FROM ${formatTableName(table.name)} WHERE ${filtersSql(filters)}`
          const all = fixture.source.planScan(requestOf(table, []))
          const expected = await fixture.read(
            all,
            `SELECT ${textColumns(table)} FROM scan WHERE ${filtersSql(filters)}`,
          )
          expect(sorted(await runQuery(sql)), sql).toEqual(sorted(expected))
        }
      }
    })

    it('closes, and may be closed twice', async () => {
      await fixture.source.close()
      await expect(fixture.source.close()).resolves.toBeUndefined()
    })
  })
}

const maxPipelineQueries = 60

function requestOf(table: Table, filters: readonly Filter[]): ScanRequest {
  return { table, columns: table.columns.map((column) => column.name), filters, otherConditions: [] }
}

/** All of a plan that decides which rows the scan yields. */
function scanOf(plan: ScanPlan): string {
  return JSON.stringify([plan.inPlace, plan.preview, plan.detail, plan.limit])
}

/** For each set of filters the rows of the plan that satisfy it, sorted; asked with one statement. */
async function rowsByFilters(
  fixture: ContractFixture,
  plan: ScanPlan,
  table: Table,
  sets: readonly (readonly Filter[])[],
): Promise<readonly (readonly string[])[]> {
  const selects = sets.map(
    (filters, index) => `SELECT ${index}, ${textColumns(table)} FROM scan WHERE ${filtersSql(filters)}`,
  )
  const answers: unknown[][][] = sets.map(() => [])
  for (const [index, ...row] of await fixture.read(plan, selects.join(' UNION ALL '))) answers[Number(index)]?.push(row)
  return answers.map(sorted)
}

async function sampled(fixture: ContractFixture, table: Table): Promise<readonly SampledColumn[]> {
  const plan = fixture.source.planScan(requestOf(table, []))
  const rows = await fixture.read(plan, `SELECT ${textColumns(table)} FROM scan LIMIT 50`)
  return table.columns.map((column, index) => ({
    name: column.name,
    type: column.type,
    values: rows.map((row) => textOf(row[index])),
  }))
}

function textOf(value: unknown): string | null {
  if (typeof value === 'string' || value === null) return value
  throw new TypeError('a value cast to VARCHAR is text or NULL')
}

function textColumns(table: Table): string {
  return table.columns.map(({ name }) => `${quoteIdentifier(name)}::VARCHAR AS ${quoteIdentifier(name)}`).join(', ')
}

function sorted(rows: readonly (readonly unknown[])[]): readonly string[] {
  return rows.map((row) => JSON.stringify(row)).sort()
}

function deepFreeze<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  Object.freeze(value)
  Object.values(value).forEach(deepFreeze)
  return value
}
