import { QuerentError } from '../../errors/querent-error.js'
import type { HttpTable } from './http-table.js'
import { tableText } from './parameter-errors.js'

/** The signal of one scan: ends with the caller's, after the table's time, or when the scan's reader stops. */
export class ScanScope {
  readonly #controller = new AbortController()
  readonly #parent: AbortSignal
  readonly #timer: NodeJS.Timeout | undefined

  constructor(table: HttpTable, parent: AbortSignal) {
    this.#parent = parent
    if (parent.aborted) this.#aborted()
    else parent.addEventListener('abort', this.#aborted, { once: true })
    const { timeoutMs } = table.rules
    if (timeoutMs === undefined) return
    const hint = 'Add a condition, or raise timeout in safety of the table.'
    this.#timer = setTimeout(() => {
      this.#controller.abort(new QuerentError('source.timeout', { table: tableText(table), timeoutMs, hint }))
    }, timeoutMs)
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#parent.removeEventListener('abort', this.#aborted)
    this.#controller.abort()
  }

  readonly #aborted = (): void => {
    this.#controller.abort(this.#parent.reason)
  }
}
