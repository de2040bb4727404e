import stringWidth from 'string-width'
import { cellText } from './cell-text.js'
import { columnWidths } from './column-widths.js'
import { fitWidth } from './fit-width.js'
import { isNumeric } from './numeric-type.js'
import type { Rows } from './printed-rows.js'
import { terminalText } from './terminal-text.js'

export interface RenderedTable {
  /** Ends in a line break. */
  readonly text: string
  /** Cells and names that end in `…` because the whole does not fit. */
  readonly shortened: number
}

/** A table with borders. With `widthColumns` wide cells are shortened so that it fits; numbers never are. */
export function renderTable(rows: Rows, widthColumns: number | undefined): RenderedTable {
  const numeric = rows.columnTypes.map((type) => isNumeric(type))
  const head = rows.columns.map((name) => terminalText(name))
  const body = rows.rows.map((row) => row.map((value) => terminalText(cellText(value) ?? 'NULL')))
  const natural = head.map((name, index) =>
    body.reduce((widest, cells) => Math.max(widest, widthOf(cells[index] ?? '')), widthOf(name)),
  )
  const widths = columnWidths(natural, { widthColumns, fixed: numeric })
  let shortened = 0
  const line = (cells: readonly string[]): string => {
    const padded = widths.map((width, index) => {
      const whole = cells[index] ?? ''
      const text = fitWidth(whole, width, widthOf)
      if (text !== whole) shortened++
      const space = ' '.repeat(Math.max(0, width - widthOf(text)))
      return numeric[index] === true ? `${space}${text}` : `${text}${space}`
    })
    return `│ ${padded.join(' │ ')} │\n`
  }
  const text = [
    rule(widths, '┌', '┬', '┐'),
    line(head),
    rule(widths, '├', '┼', '┤'),
    ...body.map(line),
    rule(widths, '└', '┴', '┘'),
  ].join('')
  return { text, shortened }
}

function rule(widths: readonly number[], left: string, middle: string, right: string): string {
  return `${left}${widths.map((width) => '─'.repeat(width + 2)).join(middle)}${right}\n`
}

/** Columns of a terminal; most texts are plain, and counting them is enough. */
function widthOf(text: string): number {
  return /^[\x20-\x7e]*$/.test(text) ? text.length : stringWidth(text)
}
