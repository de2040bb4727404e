import { cellText } from './cell-text.js'
import { isNumeric } from './numeric-type.js'
import type { Rows } from './printed-rows.js'
import { terminalText } from './terminal-text.js'

/** A table of GitHub's Markdown; what the data holds of markup is shown, not obeyed. */
export function* markdownLines({ columns, columnTypes, rows }: Rows): Generator<string> {
  yield line(columns.map(cell))
  yield line(columnTypes.map((type) => (isNumeric(type) ? '---:' : '---')))
  for (const row of rows) yield line(row.map((value) => cell(cellText(value) ?? 'NULL')))
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |\n`
}

function cell(text: string): string {
  return terminalText(text)
    .replaceAll(/[\\|`*_[\]]/g, '\\$&')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
}
