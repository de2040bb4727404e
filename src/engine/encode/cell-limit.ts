import { cutToEscapedLength, escapedLength, quote } from './text.js'
import type { WriteBudget } from './write-budget.js'

/** Bounds one cell's JSON text and counts the cells it had to shorten. */
export class CellLimit implements WriteBudget {
  shortenedCells = 0
  /** Far enough beyond the limit that the length said is mostly exact. */
  readonly stopChars: number
  stopped = false

  /** `maxChars`: characters of a cell's JSON text as it stands escaped inside a JSON string. */
  constructor(readonly maxChars: number) {
    this.stopChars = Math.max(1_000_000, 2 * maxChars)
  }

  private fits(json: string): boolean {
    if (json.length * 2 <= this.maxChars) return true
    return json.length <= this.maxChars && escapedLength(json) <= this.maxChars
  }

  /** `json` where it fits, else the start of `display` as a marked string. */
  apply(json: string, display = json): string {
    const stopped = this.stopped
    this.stopped = false
    return !stopped && this.fits(json) ? json : this.shorten(display, display.length, stopped)
  }

  /** `start`: enough of the text; `length`: characters of the whole; `more`: the whole is longer still. */
  shorten(start: string, length: number, more = false): string {
    this.shortenedCells++
    const marker = `… [shortened from ${more ? 'more than ' : ''}${length} characters]`
    return quote(cutToEscapedLength(start, marker, this.maxChars))
  }
}
