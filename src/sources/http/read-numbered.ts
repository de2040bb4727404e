import { QuerentError } from '../../errors/querent-error.js'
import { parseLossless } from '../../util/lossless-json.js'
import { askPage, type Page, type PageRequest } from './ask-page.js'
import { pageLimit } from './page-limit.js'
import type { NumberedPagination } from './pagination-config.js'
import { tableText } from './parameter-errors.js'
import type { RowsAnswer } from './read-answer.js'
import { withParam, type RequestTarget } from './request-target.js'

/**
 * Pages by number or offset, in order, several on their way at once. A short page does not end them: an API may allow
 * smaller pages than were asked for, or leave rows out of one. The end is an empty page, or the total that the API says.
 */
export async function* readNumbered(
  first: RequestTarget,
  paging: NumberedPagination,
  request: PageRequest,
): AsyncGenerator<RowsAnswer> {
  const pages = new NumberedPages(first, paging, request)
  try {
    for (let rows = await pages.next(); rows !== undefined; rows = await pages.next()) yield rows
  } finally {
    pages.stop()
  }
}

class NumberedPages {
  readonly #first: RequestTarget
  readonly #paging: NumberedPagination
  readonly #request: PageRequest
  /** Pages on their way, in order; a failure is kept until its page is wanted. */
  readonly #ahead: Promise<PageOutcome>[] = []
  #asked = 0
  #inFlight = 0
  #isEnded = false
  #sawEnd = false
  #taken = 0
  #window: number
  /** Rows per page, known from the first one. */
  #step = 0
  #rowCount = 0
  #total: number | undefined
  #lastText = ''
  #lastIsShort = false

  constructor(first: RequestTarget, paging: NumberedPagination, request: PageRequest) {
    this.#paging = paging
    this.#request = request
    this.#first = first
    // Where the second offset lies depends on the size of the first page.
    this.#window = paging.type === 'page' && !this.#mayBeAll() ? 2 : 1
  }

  async next(): Promise<RowsAnswer | undefined> {
    const { run, table } = this.#request
    if (run.rowsNeeded() <= 0 || this.#isComplete()) return undefined
    this.#askAhead()
    const outcome = await this.#ahead.shift()
    if (outcome === undefined) throw new QuerentError('internal.unexpected', { message: 'no page was asked for' })
    if (outcome.kind === 'error' && !this.#isBeyondEnd(outcome.error)) throw outcome.error
    const rows = outcome.kind === 'page' ? outcome.page.rows : undefined
    const rowCount = rows?.overview.rowCount ?? 0
    if (rows === undefined || rowCount === 0) {
      await this.#checkEnd()
      return undefined
    }
    if (this.#taken === table.rules.maxPages) throw pageLimit(table)
    if (rows.text === this.#lastText) throw new QuerentError('source.page_loop', { subject: tableText(table) })
    this.#note(rows, rowCount)
    this.#askAhead()
    return rows
  }

  /** Asks for nothing more. */
  stop(): void {
    this.#isEnded = true
  }

  #note(rows: RowsAnswer, rowCount: number): void {
    const { run, asker } = this.#request
    const { size } = this.#paging
    if (this.#taken === 0) {
      this.#step = rowCount
      this.#total = totalOf(rows)
    }
    this.#taken++
    this.#rowCount += rowCount
    this.#lastText = rows.text
    this.#lastIsShort = rowCount < (size ?? this.#step)
    // What was asked for beyond a short page is likely to be empty: no more is risked for it than before.
    if (!this.#lastIsShort) this.#window = Math.min(this.#window * 2, asker.concurrency)
    run.noteRows(rowCount)
  }

  #askAhead(): void {
    const { run, table } = this.#request
    // Pages that came out of turn are kept, but not without bound.
    const mayAsk = (): boolean =>
      this.#inFlight < this.#window && this.#ahead.length < this.#window * 2 && this.#asked <= table.rules.maxPages
    while (mayAsk() && !this.#isEnded && !run.signal.aborted) {
      const perPage = Math.max(this.#step, this.#paging.size ?? 1, 1)
      const isAheadOf = (rows: number): boolean => (this.#asked - this.#taken) * perPage >= rows
      const isEnough = isAheadOf(run.rowsNeeded()) || isAheadOf(this.#rowsLeft())
      if (this.#ahead.length > 0 && (isEnough || this.#sawEnd)) return
      this.#inFlight++
      const outcome = askPage(this.#targetOf(this.#asked++), this.#request).then(toPage, toError)
      this.#ahead.push(outcome)
      void outcome.then((result) => {
        this.#inFlight--
        // Beyond a page without rows nothing is worth a request before its turn.
        if (!hasRows(result)) this.#sawEnd = true
        if (this.#taken > 0) this.#askAhead()
      })
    }
  }

  #targetOf(index: number): RequestTarget {
    const { type, start, param, in: place } = this.#paging
    return withParam(this.#first, place, param, start + (type === 'page' ? index : index * this.#step))
  }

  /** A limited query that one page may satisfy. */
  #mayBeAll(): boolean {
    return this.#request.run.rowsNeeded() <= (this.#paging.size ?? 1)
  }

  #rowsLeft(): number {
    return this.#total === undefined ? Number.POSITIVE_INFINITY : this.#total - this.#rowCount
  }

  /** After a full page the total is not believed without a look at the next one: it may be the page's own count. */
  #isComplete(): boolean {
    return this.#taken > 0 && this.#lastIsShort && this.#rowsLeft() <= 0
  }

  /** Some APIs answer a page beyond the last with an error. After a full page that is no proof of the end. */
  #isBeyondEnd(error: unknown): boolean {
    if (this.#taken === 0 || !(error instanceof QuerentError)) return false
    return error.code === 'source.not_found' || (this.#lastIsShort && error.code === 'source.bad_request')
  }

  async #checkEnd(): Promise<void> {
    const { table } = this.#request
    this.stop()
    const rest = await Promise.all(this.#ahead)
    if (rest.some(hasRows)) {
      throw new QuerentError('source.uneven_pages', { table: tableText(table), page: this.#taken + 1 })
    }
    if (this.#taken > 0 && this.#rowsLeft() > 0 && this.#total !== undefined) {
      throw new QuerentError('source.rows_missing', {
        table: tableText(table),
        total: this.#total,
        rows: this.#rowCount,
      })
    }
  }
}

type PageOutcome = { readonly kind: 'page'; readonly page: Page } | { readonly kind: 'error'; readonly error: unknown }

function toPage(page: Page): PageOutcome {
  return { kind: 'page', page }
}

function toError(error: unknown): PageOutcome {
  return { kind: 'error', error }
}

function hasRows(outcome: PageOutcome): boolean {
  return outcome.kind === 'page' && (outcome.page.rows?.overview.rowCount ?? 0) > 0
}

function totalOf(rows: RowsAnswer): number | undefined {
  const json = rows.overview.captured[0]
  const total = json === undefined ? undefined : Number(parseLossless(json))
  return total !== undefined && Number.isSafeInteger(total) && total >= 0 ? total : undefined
}
