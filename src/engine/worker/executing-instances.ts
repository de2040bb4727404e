import type { DuckDBInstance } from '@duckdb/node-api'
import { Attachments } from './attachments.js'
import type { FileLocks } from './file-locks.js'
import { executingDisabledOptimizers, type WorkerSettings } from './instance-settings.js'
import { EngineInstance } from './instance.js'
import { makeTempFolder, removeTempFolder } from './temp-folders.js'

const idleMs = 60_000
/** Beyond, a new instance starts from the files of its first query alone. */
const maxFiles = 2_000

/** An instance that queries of one caller run on. */
export class SharedInstance {
  users = 0
  /** A successor with more files has taken its place. */
  retired = false
  private idle: NodeJS.Timeout | undefined

  constructor(
    readonly instance: EngineInstance,
    readonly attachments: Attachments,
    readonly files: ReadonlySet<string>,
    private readonly onClosed: () => void,
  ) {}

  use(): this {
    clearTimeout(this.idle)
    this.users++
    return this
  }

  release(): void {
    this.users--
    if (this.users > 0) return
    if (this.retired) this.close()
    else
      this.idle = setTimeout(() => {
        this.close()
      }, idleMs).unref()
  }

  /** New queries get another instance; this one closes after its last query. */
  retire(): void {
    if (this.retired) return
    this.retired = true
    clearTimeout(this.idle)
    if (this.users === 0) this.close()
  }

  private close(): void {
    this.retired = true
    this.instance.close()
    this.onClosed()
  }
}

export interface InstanceNeeds {
  /** Callers never share an instance. */
  readonly callerKey: string
  /** The only folder it may touch; it is made, 0700. Absent: none, and nothing spills. */
  readonly folder?: string
  readonly files: readonly string[]
}

/** One executing instance per caller, opened at need and closed when idle; see `SharedInstance`. */
export class ExecutingInstances {
  private readonly current = new Map<string, SharedInstance>()
  private readonly opening = new Map<string, Promise<unknown>>()

  constructor(
    private readonly settings: WorkerSettings,
    private readonly locks: FileLocks,
    private readonly takeDatabase: () => Promise<DuckDBInstance>,
  ) {}

  /** An instance that may open all these files. The caller of this releases it. */
  async acquire(needs: InstanceNeeds): Promise<SharedInstance> {
    const key = JSON.stringify([needs.callerKey, needs.folder ?? null])
    const previous = this.opening.get(key) ?? Promise.resolve()
    const acquired = previous.then(() => this.acquireNow(key, needs))
    const settled = acquired.catch(() => undefined)
    this.opening.set(key, settled)
    try {
      return await acquired
    } finally {
      if (this.opening.get(key) === settled) this.opening.delete(key)
    }
  }

  private async acquireNow(key: string, needs: InstanceNeeds): Promise<SharedInstance> {
    const current = this.current.get(key)
    const usable = current !== undefined && !current.retired
    if (usable && needs.files.every((file) => current.files.has(file))) return current.use()
    const union = new Set([...(usable ? current.files : []), ...needs.files])
    const opened = await this.open(key, needs, union.size > maxFiles ? new Set(needs.files) : union)
    this.current.set(key, opened)
    current?.retire()
    return opened.use()
  }

  private async open(key: string, needs: InstanceNeeds, files: ReadonlySet<string>): Promise<SharedInstance> {
    const folder = needs.folder
    const tempFolder = folder === undefined ? undefined : makeTempFolder(folder)
    const fence = {
      files: [...files],
      disabledOptimizers: executingDisabledOptimizers,
      ...(this.settings.initSql === undefined ? {} : { initSql: this.settings.initSql }),
      ...(folder === undefined ? {} : { folder }),
      ...(tempFolder === undefined ? {} : { tempFolder }),
    }
    const instance = await EngineInstance.open(fence, this.settings, this.takeDatabase())
    const shared: SharedInstance = new SharedInstance(instance, new Attachments(instance, this.locks), files, () => {
      if (tempFolder !== undefined) removeTempFolder(tempFolder)
      if (this.current.get(key) === shared) this.current.delete(key)
    })
    return shared
  }
}
