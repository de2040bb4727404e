import type { DuckDBInstance } from '@duckdb/node-api'
import type { WorkerSettings } from './instance-settings.js'
import { createDatabase } from './instance.js'

/**
 * Databases made ahead, while the worker starts: the first query needs one to plan, one to look into its files and one to
 * run, and making one takes some ten milliseconds. They have no fence yet and nobody else can reach them.
 */
export class SpareDatabases {
  private readonly spares: Promise<DuckDBInstance>[] = []

  constructor(
    private readonly settings: WorkerSettings,
    count: number,
  ) {
    for (let made = 0; made < count; made++) {
      const spare = createDatabase(settings)
      spare.catch(() => undefined)
      this.spares.push(spare)
    }
  }

  take(): Promise<DuckDBInstance> {
    return this.spares.shift() ?? createDatabase(this.settings)
  }
}
