import { QuerentError } from '../../errors/querent-error.js'
import type { ScanMeter } from '../../sources/source.js'

export interface MeterLimits {
  readonly maxRequests: number
  readonly maxSourceBytes: number
  readonly maxSourceRows: number
}

/** What one scan cost. */
export interface ScanUse {
  requests: number
  rows: number
  bytes: number
}

/** Counts what all scans of a query ask for, and stops the query at the workspace's limits. */
export class QueryMeter {
  readonly total: ScanUse = { requests: 0, rows: 0, bytes: 0 }
  readonly #limits: MeterLimits

  constructor(limits: MeterLimits) {
    this.#limits = limits
  }

  /** A meter of one scan: its counts, and the query's. */
  scan(table: string): { readonly use: ScanUse; readonly meter: ScanMeter; addRows(rows: number): void } {
    const use: ScanUse = { requests: 0, rows: 0, bytes: 0 }
    return {
      use,
      meter: {
        request: () => {
          if (this.total.requests >= this.#limits.maxRequests)
            throw this.#exceeded('limit.requests', table, this.#limits.maxRequests)
          use.requests++
          this.total.requests++
        },
        received: (bytes) => {
          use.bytes += bytes
          this.total.bytes += bytes
          if (this.total.bytes > this.#limits.maxSourceBytes)
            throw this.#exceeded('limit.bytes', table, this.#limits.maxSourceBytes)
        },
      },
      addRows: (rows) => {
        use.rows += rows
        this.total.rows += rows
        if (this.total.rows > this.#limits.maxSourceRows)
          throw this.#exceeded('limit.rows', table, this.#limits.maxSourceRows)
      },
    }
  }

  #exceeded(code: 'limit.requests' | 'limit.bytes' | 'limit.rows', table: string, max: number): QuerentError {
    return new QuerentError(code, { table, max })
  }
}
