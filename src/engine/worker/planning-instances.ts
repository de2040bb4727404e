import type { DuckDBInstance } from '@duckdb/node-api'
import { enabledPlanningOptimizers, type WorkerSettings } from './instance-settings.js'
import { EngineInstance } from './instance.js'

const idleMs = 60_000

/** One planning instance, and how many calls use it. */
interface Planner {
  readonly instance: Promise<EngineInstance>
  users: number
  idle: NodeJS.Timeout | undefined
}

/**
 * Planning instances, for each caller one per level of fallback (P2): `disabled_optimizers` is global to an instance.
 * Any of them may parse: parsing resolves no name and leaves nothing behind.
 */
export class PlanningInstances {
  private readonly planners = new Map<string, Planner>()
  /** Opened to parse before any caller planned; the first caller takes it over. */
  private unclaimed: Planner | undefined

  constructor(
    private readonly settings: WorkerSettings,
    private readonly takeDatabase: () => Promise<DuckDBInstance>,
  ) {}

  async plan<T>(callerKey: string, level: 0 | 1, work: (instance: EngineInstance) => Promise<T>): Promise<T> {
    const key = `${level} ${callerKey}`
    let planner = this.planners.get(key)
    if (planner === undefined) {
      planner = (level === 0 ? this.claim() : undefined) ?? this.open(level)
      this.planners.set(key, planner)
    }
    return this.use(planner, work, () => {
      if (this.planners.get(key) === planner) this.planners.delete(key)
    })
  }

  async parse<T>(work: (instance: EngineInstance) => Promise<T>): Promise<T> {
    for (const [key, planner] of this.planners) {
      if (key.startsWith('0 ')) return this.use(planner, work, () => this.planners.delete(key))
    }
    const planner = (this.unclaimed ??= this.open(0))
    return this.use(planner, work, () => {
      if (this.unclaimed === planner) this.unclaimed = undefined
    })
  }

  private claim(): Planner | undefined {
    const planner = this.unclaimed
    this.unclaimed = undefined
    return planner
  }

  private open(level: 0 | 1): Planner {
    return { instance: this.openInstance(level), users: 0, idle: undefined }
  }

  private async openInstance(level: 0 | 1): Promise<EngineInstance> {
    const database = await this.takeDatabase()
    const connection = await database.connect()
    const reader = await connection.runAndReadAll('SELECT name FROM duckdb_optimizers()')
    connection.closeSync()
    const enabled = enabledPlanningOptimizers(level)
    const names = reader
      .getRows()
      .flat()
      .filter((name) => typeof name === 'string')
    const disabledOptimizers = names.filter((name) => !enabled.has(name))
    return EngineInstance.open({ files: [], disabledOptimizers }, this.settings, Promise.resolve(database))
  }

  private async use<T>(
    planner: Planner,
    work: (instance: EngineInstance) => Promise<T>,
    forget: () => void,
  ): Promise<T> {
    clearTimeout(planner.idle)
    planner.users++
    try {
      return await work(await planner.instance)
    } catch (error) {
      planner.instance.catch(forget)
      throw error
    } finally {
      planner.users--
      if (planner.users === 0) planner.idle = this.closeLater(planner, forget)
    }
  }

  private closeLater(planner: Planner, forget: () => void): NodeJS.Timeout {
    return setTimeout(() => {
      forget()
      planner.instance.then(
        (instance) => {
          instance.close()
        },
        () => undefined,
      )
    }, idleMs).unref()
  }
}
