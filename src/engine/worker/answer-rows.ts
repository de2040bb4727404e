import type { DuckDBDataChunk, DuckDBType } from '@duckdb/node-api'
import { createRowEncoder } from '../encode/row-encoder.js'
import { escapedLength } from '../encode/text.js'
import type { RowStream } from './row-stream.js'

export interface RowLimits {
  readonly maxRows: number
  /** Characters of all rows as they stand escaped inside a JSON string, one comma per row included. */
  readonly maxChars: number
}

/** Rows encoded at a time: few at first, so that wide rows are not encoded in vain. */
const firstSlice = 16
const shortestCell = 16

/** Collects the rows that an answer shows. */
export class AnswerRows {
  readonly rows: string[] = []
  shortenedCells = 0
  /** A row came that does not fit any more. */
  full = false
  private chars = 0
  private slice = firstSlice

  constructor(
    private readonly types: readonly DuckDBType[],
    private readonly limits: RowLimits,
  ) {}

  /** Reads the stream to its end, or until the rows are full. */
  async collect(stream: RowStream): Promise<void> {
    while (!this.full) {
      const chunk = await stream.next()
      if (chunk === undefined) return
      this.add(chunk)
    }
  }

  /** Takes what fits. */
  add(chunk: DuckDBDataChunk): void {
    const total = chunk.rowCount
    for (let from = 0; from < total && !this.full;) {
      const room = this.limits.maxRows - this.rows.length
      if (room === 0) {
        this.full = true
        return
      }
      const to = Math.min(total, from + this.slice, from + room)
      this.addSlice(chunk, from, to)
      from = to
      this.slice *= 2
    }
  }

  private addSlice(chunk: DuckDBDataChunk, from: number, to: number): void {
    let start = from
    if (this.rows.length === 0) this.addFirst(chunk, start++)
    const encoder = createRowEncoder(this.types, { maxCellChars: this.limits.maxChars })
    const tooLong = encoder.encodeChunk(chunk, start, to).findIndex((text) => !this.take(text))
    this.full = tooLong >= 0
    this.shortenedCells += this.full ? this.countShortened(chunk, start, start + tooLong) : encoder.shortenedCells
  }

  private take(text: string): boolean {
    const cost = escapedLength(text) + 1
    if (this.chars + cost > this.limits.maxChars) return false
    this.chars += cost
    this.rows.push(text)
    return true
  }

  /** The first row of all is never left out: its cells are shortened until it fits. */
  private addFirst(chunk: DuckDBDataChunk, row: number): void {
    for (let maxCellChars = this.limits.maxChars; ; maxCellChars = Math.floor(maxCellChars / 2)) {
      const encoder = createRowEncoder(this.types, { maxCellChars })
      const text = encoder.encodeChunk(chunk, row, row + 1)[0] ?? '[]'
      if (!this.take(text)) {
        if (maxCellChars > shortestCell) continue
        this.rows.push(text)
        this.chars = this.limits.maxChars
      }
      this.shortenedCells += encoder.shortenedCells
      return
    }
  }

  private countShortened(chunk: DuckDBDataChunk, from: number, to: number): number {
    const encoder = createRowEncoder(this.types, { maxCellChars: this.limits.maxChars })
    encoder.encodeChunk(chunk, from, to)
    return encoder.shortenedCells
  }
}

/** What names and types of the columns leave to the rows; the first row comes whatever they leave. */
export function rowChars(limits: { readonly maxChars: number }, stream: RowStream): number {
  const head = escapedLength(JSON.stringify(stream.names)) + escapedLength(JSON.stringify(stream.typeNames))
  return Math.max(1, limits.maxChars - head)
}
