import { QuerentError } from '../errors/querent-error.js'
import { formatTableName } from '../model/table-name.js'
import type { AttachedDatabase, ScanPlan, ScanRequest, Source } from './source.js'

/**
 * A source that is opened at its first use, so that a workspace of many sources is there at once. One that cannot be
 * opened leaves the others working: every call fails with the reason.
 */
export class LateSource implements Source {
  readonly name: string
  readonly #open: () => Promise<Source>
  #opening: Promise<Source> | undefined
  /** Set once it is open. */
  #source: Source | undefined
  #isClosed = false

  constructor(name: string, open: () => Promise<Source>) {
    this.name = name
    this.#open = open
  }

  async listTables(...args: Parameters<Source['listTables']>): ReturnType<Source['listTables']> {
    return (await this.#opened()).listTables(...args)
  }

  async describeTables(...args: Parameters<Source['describeTables']>): ReturnType<Source['describeTables']> {
    return (await this.#opened()).describeTables(...args)
  }

  planScan(request: ScanRequest): ScanPlan {
    if (this.#source !== undefined) return this.#source.planScan(request)
    const table = formatTableName(request.table.name)
    throw new QuerentError('internal.unexpected', { message: `${table} was planned before it was described` })
  }

  async *scan(...args: Parameters<Source['scan']>): ReturnType<Source['scan']> {
    yield* (await this.#opened()).scan(...args)
  }

  async writeTarget(): Promise<AttachedDatabase | undefined> {
    return (await this.#opened()).writeTarget?.()
  }

  async check(signal: AbortSignal): Promise<void> {
    await (await this.#opened()).check(signal)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    const source = await this.#opening?.catch(() => undefined)
    await source?.close()
  }

  #opened(): Promise<Source> {
    if (this.#isClosed) {
      return Promise.reject(new QuerentError('internal.unexpected', { message: `${this.name} was used after its end` }))
    }
    this.#opening ??= this.#open().then((source) => (this.#source = source))
    return this.#opening
  }
}
