import { DuckDBInstance } from '@duckdb/node-api'
import { rmSync } from 'node:fs'
import { QuerentError } from '../../src/errors/querent-error.js'
import { HazardTemplates } from '../planner/hazard-templates.js'
import { QueryGenerator, type GeneratedStatement } from '../planner/query-generator.js'
import { Random } from '../planner/random.js'
import { columnsOf } from '../planner/tables.js'
import type { ApiServer } from '../support/api-server.js'
import { TestWorkspace } from '../support/query-workspace.js'
import { randomForm, requiredColumns, tableConfig, type ApiForm } from './api-form.js'
import { startTableApi, type ApiTable } from './table-api.js'
import { Truth } from './truth.js'

export interface DifferentialReport {
  compared: number
  /** Statements that DuckDB refuses. */
  invalid: number
  /** Statements that Querent refuses, by code. */
  readonly refused: Record<string, number>
  readonly faults: DifferentialFault[]
}

export interface DifferentialFault {
  readonly seed: number
  readonly index: number
  readonly sql: string
  readonly reason: string
  readonly forms: readonly ApiForm[]
}

/** A refusal says that the statement needs another condition; anything else is a fault. */
const refusals: ReadonlySet<string> = new Set([
  'source.required_filter',
  'source.unsupported_condition',
  'source.fan_out',
  'source.bad_parameter',
])

const apiTables = ['r1', 'r2']
const statementsPerData = 24

/**
 * Random statements over tables of an API, a file and a DuckDB database, in Querent and in a bare DuckDB that holds all
 * rows; the rows must be the same.
 */
export async function runDifferential(options: {
  readonly seed: number
  readonly runs: number
  /** Runs this statement over ever new rows instead of random ones. */
  readonly statement?: string
}): Promise<DifferentialReport> {
  const report: DifferentialReport = { compared: 0, invalid: 0, refused: {}, faults: [] }
  const truth = await Truth.open()
  const tables = new Map<string, ApiTable>()
  const api = await startTableApi(tables)
  try {
    for (let index = 0; index < options.runs; index += statementsPerData) {
      const round = new Round(truth, tables, api)
      try {
        await round.open(new Random(options.seed * 7919 + index))
        const last = Math.min(options.runs, index + statementsPerData)
        for (let at = index; at < last; at++) await round.check({ ...options, index: at }, report)
      } finally {
        await round.close()
      }
    }
  } finally {
    truth.close()
    api.close()
  }
  return report
}

/** Statements over one set of rows and one workspace. */
class Round {
  readonly #truth: Truth
  readonly #tables: Map<string, ApiTable>
  readonly #api: ApiServer
  readonly #workspace = new TestWorkspace()
  #forms: readonly ApiForm[] = []

  constructor(truth: Truth, tables: Map<string, ApiTable>, api: ApiServer) {
    this.#truth = truth
    this.#tables = tables
    this.#api = api
  }

  async open(random: Random): Promise<void> {
    this.#forms = apiTables.map((table) => randomForm(random, table))
    await this.#truth.fill(random, this.#forms.flatMap(requiredColumns))
    for (const form of this.#forms) {
      this.#tables.set(form.table, { form, rows: await this.#truth.textRows(form.table) })
    }
    const { folder } = this.#workspace
    const file = `${folder.path}/l1.${random.pick(['csv', 'parquet', 'json'])}`
    await this.#truth.connection.run(`COPY l1 TO '${file}'${file.endsWith('.csv') ? " (NULLSTR '\\N')" : ''}`)
    await this.#writeDatabase(`${folder.path}/shop.duckdb`)
    const schema = columnsOf('l1').map(({ name, type }) => ({ name, type }))
    const local = { name: 'l1', path: file, schema, ...(file.endsWith('.csv') ? { options: { nullstr: '\\N' } } : {}) }
    await this.#workspace.open(
      JSON.stringify({
        version: 1,
        limits: { threads: 1, rows: 1_000_000, chars: 10_000_000 },
        sources: [
          { name: 'api', kind: 'http', config: { base_url: this.#api.url }, tables: this.#forms.map(tableConfig) },
          { name: 'data', kind: 'file', tables: [local] },
          { name: 'shop', kind: 'duckdb', path: `${folder.path}/shop.duckdb` },
        ],
      }),
    )
  }

  async #writeDatabase(path: string): Promise<void> {
    const parquet = `${this.#workspace.folder.path}/l2.parquet`
    await this.#truth.connection.run(`COPY l2 TO '${parquet}'`)
    const instance = await DuckDBInstance.create(path)
    const connection = await instance.connect()
    await connection.run(`CREATE TABLE l2 AS FROM '${parquet}'`)
    connection.closeSync()
    instance.closeSync()
    rmSync(parquet)
  }

  async check(
    options: { readonly seed: number; readonly index: number; readonly statement?: string },
    report: DifferentialReport,
  ): Promise<void> {
    const { seed, index } = options
    const random = new Random(seed * 1_000_003 + index)
    const statement = options.statement === undefined ? randomStatement(random) : { sql: options.statement }
    const expected = await this.#truth.rows(statement.sql)
    if (expected === undefined) {
      report.invalid++
      return
    }
    const reason = await this.#difference(statement, expected, report)
    if (reason !== undefined) report.faults.push({ seed, index, sql: statement.sql, reason, forms: this.#forms })
  }

  async #difference(
    statement: GeneratedStatement,
    expected: readonly string[],
    report: DifferentialReport,
  ): Promise<string | undefined> {
    let found: readonly string[]
    try {
      const result = await this.#workspace.query(statement.sql)
      if (result.truncated === true || result.partial === true) return 'it is marked as a part'
      found = result.rows.map((row) => JSON.stringify(row))
    } catch (error) {
      if (!(error instanceof QuerentError)) return `failed: ${String(error)}`
      if (!refusals.has(error.code)) return `failed: ${error.code} ${error.message}`
      report.refused[error.code] = (report.refused[error.code] ?? 0) + 1
      return undefined
    }
    report.compared++
    const isSame = await this.#isSame(statement, found, expected)
    return isSame ? undefined : `missing ${sample(without(expected, found))}; wrong ${sample(without(found, expected))}`
  }

  async #isSame(
    statement: GeneratedStatement,
    found: readonly string[],
    expected: readonly string[],
  ): Promise<boolean> {
    if (found.length !== expected.length) return false
    if (statement.base !== undefined) return without(found, (await this.#truth.rows(statement.base)) ?? []).length === 0
    return without(found, expected).length === 0
  }

  async close(): Promise<void> {
    await this.#workspace.close()
  }
}

function randomStatement(random: Random): GeneratedStatement {
  const generator = new QueryGenerator(random)
  if (random.chance(0.5)) return generator.statement()
  return { sql: new HazardTemplates(random, generator.expressions).statement() }
}

/** Rows that stand in `rows` more often than in `others`. */
function without(rows: readonly string[], others: readonly string[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const row of others) counts.set(row, (counts.get(row) ?? 0) + 1)
  return rows.filter((row) => {
    const left = counts.get(row) ?? 0
    counts.set(row, left - 1)
    return left <= 0
  })
}

function sample(rows: readonly string[]): string {
  return `${rows.length} rows ${rows.slice(0, 5).join(' ')}`
}
