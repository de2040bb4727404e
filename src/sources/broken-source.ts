import type { ScanPlan, Source } from './source.js'

/** Stands for a source that could not be opened, so that the others work: every call fails with the reason. */
export class BrokenSource implements Source {
  readonly name: string
  readonly #reason: unknown

  constructor(name: string, reason: unknown) {
    this.name = name
    this.#reason = reason
  }

  listTables(): Promise<never> {
    return this.#fail()
  }

  describeTables(): Promise<never> {
    return this.#fail()
  }

  planScan(): ScanPlan {
    throw this.#reason
  }

  // eslint-disable-next-line require-yield -- it fails before the first batch
  async *scan(): ReturnType<Source['scan']> {
    await this.#fail()
  }

  check(): Promise<never> {
    return this.#fail()
  }

  close(): Promise<void> {
    return Promise.resolve()
  }

  #fail(): Promise<never> {
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- the reason is what opening threw
    return Promise.reject(this.#reason)
  }
}
