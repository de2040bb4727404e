import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api'
import { enabledPlanningOptimizers } from '../../src/engine/worker/instance-settings.js'

export interface PlannedText {
  readonly plan: string
  /** 0: optimised; 1: without CTE inlining; 2: unoptimised (P2). */
  readonly level: 0 | 1 | 2
}

/** Two planning instances over the same empty tables, one per level of fallback. */
export class PlanningInstances {
  readonly #levels: readonly (readonly [DuckDBInstance, DuckDBConnection])[]

  private constructor(levels: readonly (readonly [DuckDBInstance, DuckDBConnection])[]) {
    this.#levels = levels
  }

  static async open(setup: string): Promise<PlanningInstances> {
    return new PlanningInstances([await openLevel(setup, 0), await openLevel(setup, 1)])
  }

  /** The plan's text; undefined where DuckDB refuses the statement or cannot print its plan. */
  async plan(sql: string): Promise<PlannedText | undefined> {
    for (const [level, optimize] of [
      [0, true],
      [1, true],
      [2, false],
    ] as const) {
      const plan = await this.serialize(sql, level === 0 ? 0 : 1, optimize)
      if (plan.startsWith('{"error":false')) return { plan, level }
      if (!plan.startsWith('{"error":true,"error_type":"internal"')) return undefined
    }
    return undefined
  }

  async serialize(sql: string, level: 0 | 1, optimize: boolean): Promise<string> {
    const connection = this.#levels[level]?.[1]
    const call = `json_serialize_plan($1::VARCHAR, skip_null := true, skip_default := true, optimize := ${optimize})`
    const result = await connection?.runAndReadAll(`SELECT ${call}::VARCHAR`, [sql])
    return String(result?.getRows()[0]?.[0])
  }

  close(): void {
    for (const [instance, connection] of this.#levels) {
      connection.closeSync()
      instance.closeSync()
    }
  }
}

async function openLevel(setup: string, level: 0 | 1): Promise<readonly [DuckDBInstance, DuckDBConnection]> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' })
  const connection = await instance.connect()
  await connection.run("SET TimeZone = 'UTC'")
  await connection.run(setup)
  const known = await connection.runAndReadAll('SELECT name FROM duckdb_optimizers()')
  const enabled = enabledPlanningOptimizers(level)
  const names = known.getRows().map(([name]) => String(name))
  const disabled = names.filter((name) => !enabled.has(name))
  await connection.run(`SET disabled_optimizers = '${disabled.join(',')}'`)
  return [instance, connection]
}
