import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api'
import { scansByRelation } from '../../src/engine/plan/combine-scans.js'
import type { PlannedScan } from '../../src/engine/plan/bound-plan.js'
import { readPlan } from '../../src/engine/plan/read-plan.js'
import { HazardTemplates } from './hazard-templates.js'
import { PlanningInstances } from './planning-instance.js'
import { QueryGenerator, type GeneratedStatement } from './query-generator.js'
import { Random } from './random.js'
import { storeSubset, type SubsetCounts } from './stored-subset.js'
import { createTables, randomRows } from './tables.js'

export interface CheckOptions {
  readonly seed: number
  readonly runs: number
  /** Runs this statement over ever new rows instead of random ones. */
  readonly statement?: string
  /** Damages the plan's text before it is read: the check must notice. */
  readonly damagePlan?: (plan: string) => string
  /** Damages what was read. */
  readonly damageScans?: (scans: readonly PlannedScan[]) => readonly PlannedScan[]
  /** Stops at the first fault. */
  readonly stopAtFault?: boolean
}

export interface CheckReport extends SubsetCounts {
  /** Statements whose rows were compared. */
  compared: number
  /** Statements that DuckDB refuses, or that fail over the whole tables too. */
  invalid: number
  unplanned: number
  /** Compared statements by level of fallback. */
  readonly levels: [number, number, number]
  readonly faults: PlannerFault[]
}

export interface PlannerFault {
  readonly seed: number
  readonly index: number
  readonly sql: string
  readonly reason: string
}

/** Statements over one set of rows, before the tables get new ones. */
const runsPerData = 15

/**
 * Runs random statements over tables that hold only what the plan asks for, and over the whole tables; the rows must be
 * the same.
 */
export class PlannerCheck {
  readonly #planning: PlanningInstances
  readonly #instance: DuckDBInstance
  /** Sees the whole tables. */
  readonly #full: DuckDBConnection
  /** Sees what was stored of them. */
  readonly #stored: DuckDBConnection

  private constructor(
    planning: PlanningInstances,
    instance: DuckDBInstance,
    full: DuckDBConnection,
    stored: DuckDBConnection,
  ) {
    this.#planning = planning
    this.#instance = instance
    this.#full = full
    this.#stored = stored
  }

  static async open(): Promise<PlannerCheck> {
    const planning = await PlanningInstances.open(`ATTACH ':memory:' AS q17; USE q17; ${createTables('')}`)
    const instance = await DuckDBInstance.create(':memory:', { threads: '1' })
    const [full, stored] = [await instance.connect(), await instance.connect()]
    await full.run("SET TimeZone = 'UTC'; SET disabled_optimizers = 'join_filter_pushdown'")
    await full.run(`ATTACH ':memory:' AS full_rows; ATTACH ':memory:' AS stored; ${createTables('full_rows.')}`)
    await full.run('USE full_rows')
    await stored.run('USE stored')
    return new PlannerCheck(planning, instance, full, stored)
  }

  close(): void {
    this.#planning.close()
    this.#full.closeSync()
    this.#stored.closeSync()
    this.#instance.closeSync()
  }

  async run(options: CheckOptions): Promise<CheckReport> {
    const report: CheckReport = {
      compared: 0,
      invalid: 0,
      unplanned: 0,
      levels: [0, 0, 0],
      filters: 0,
      residuals: 0,
      binds: 0,
      tuples: 0,
      limits: 0,
      faults: [],
    }
    for (let index = 0; index < options.runs; index++) {
      if (options.statement !== undefined || index % runsPerData === 0)
        await this.#fillTables(new Random(options.seed * 77 + index))
      await this.#check(index, options, report)
      if (options.stopAtFault === true && report.faults.length > 0) break
    }
    return report
  }

  async #fillTables(random: Random): Promise<void> {
    const statements = [...randomRows(random)].flatMap(([table, rows]) => [
      `DELETE FROM full_rows.${table}`,
      ...(rows.length === 0 ? [] : [`INSERT INTO full_rows.${table} VALUES ${rows.join(', ')}`]),
    ])
    await this.#full.run(statements.join('; '))
  }

  async #check(index: number, options: CheckOptions, report: CheckReport): Promise<void> {
    const random = new Random(options.seed * 1_000_003 + index)
    const statement = options.statement === undefined ? randomStatement(random) : { sql: options.statement }
    const expected = await this.#expected(statement)
    if (expected === undefined) {
      report.invalid++
      return
    }
    const planned = await this.#planning.plan(statement.sql)
    if (planned === undefined) {
      report.unplanned++
      return
    }
    report.compared++
    report.levels[planned.level]++
    const { scans } = readPlan(options.damagePlan?.(planned.plan) ?? planned.plan)
    const wanted = random.chance(0.3) ? scansByRelation(scans) : scans
    await this.#stored.run(storeSubset(options.damageScans?.(wanted) ?? wanted, random, report))
    const reason = await this.#difference(statement, expected)
    if (reason !== undefined) report.faults.push({ seed: options.seed, index, sql: statement.sql, reason })
  }

  /** Rows over the whole tables, sorted; undefined where the statement fails there. */
  async #expected(statement: GeneratedStatement): Promise<readonly string[] | undefined> {
    try {
      return await sortedRows(this.#full, statement.sql)
    } catch {
      return undefined
    }
  }

  async #difference(statement: GeneratedStatement, expected: readonly string[]): Promise<string | undefined> {
    let found: readonly string[]
    try {
      found = await sortedRows(this.#stored, statement.sql)
    } catch (error) {
      return `failed: ${String(error)}`
    }
    const isSame =
      statement.base === undefined
        ? found.length === expected.length && found.every((row, index) => row === expected[index])
        : found.length === expected.length && isContained(found, await sortedRows(this.#full, statement.base))
    return isSame ? undefined : `expected ${expected.length} rows, found ${found.length}`
  }
}

function randomStatement(random: Random): GeneratedStatement {
  const generator = new QueryGenerator(random)
  if (random.chance(0.5)) return generator.statement()
  return { sql: new HazardTemplates(random, generator.expressions).statement() }
}

/** Rows as text, sorted. An internal error of DuckDB's optimizer is tried once more without it (P21). */
async function sortedRows(connection: DuckDBConnection, sql: string): Promise<readonly string[]> {
  try {
    return await readSorted(connection, sql)
  } catch (error) {
    if (!String(error).includes('INTERNAL')) throw error
    await connection.run('PRAGMA disable_optimizer')
    try {
      return await readSorted(connection, sql)
    } finally {
      await connection.run('PRAGMA enable_optimizer')
    }
  }
}

async function readSorted(connection: DuckDBConnection, sql: string): Promise<readonly string[]> {
  const result = await connection.runAndReadAll(sql)
  return result
    .getRowsJson()
    .map((row) => JSON.stringify(row))
    .sort()
}

/** Whether each row stands in `all` at least as often. */
function isContained(rows: readonly string[], all: readonly string[]): boolean {
  const counts = new Map<string, number>()
  for (const row of all) counts.set(row, (counts.get(row) ?? 0) + 1)
  return rows.every((row) => {
    const left = counts.get(row) ?? 0
    counts.set(row, left - 1)
    return left > 0
  })
}
