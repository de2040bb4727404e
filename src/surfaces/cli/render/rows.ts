import CliTable from 'cli-table3'
import { cellText } from './cell-text.js'
import { terminalText } from './terminal-text.js'

/** Columns and rows of an answer, as any format prints them. */
export interface Rows {
  readonly columns: readonly string[]
  readonly columnTypes: readonly string[]
  readonly rows: readonly (readonly unknown[])[]
}

/** `parquet` is written by the engine; see `write-query-file`. */
export const textFormats = ['table', 'json', 'csv', 'ndjson', 'markdown'] as const
export type TextFormat = (typeof textFormats)[number]

/** The rows as text that ends in a line break. */
export function renderRows(rows: Rows, format: TextFormat, options: { readonly widthColumns: number }): string {
  switch (format) {
    case 'table':
      return renderTable(rows, options.widthColumns)
    case 'json':
      return `[${rows.rows.map((row) => `\n  ${objectText(rows.columns, row)}`).join(',')}\n]\n`
    case 'ndjson':
      return rows.rows.map((row) => `${objectText(rows.columns, row)}\n`).join('')
    case 'csv':
      return [rows.columns, ...rows.rows].map((row) => `${row.map(csvField).join(',')}\r\n`).join('')
    case 'markdown':
      return renderMarkdown(rows)
  }
}

const numericTypes = /^(U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|FLOAT|DOUBLE|DECIMAL.*)$/
const minimumCellWidth = 12

function renderTable(rows: Rows, widthColumns: number): string {
  const numeric = rows.columnTypes.map((type) => numericTypes.test(type))
  const cellWidth = Math.max(minimumCellWidth, Math.floor(widthColumns / Math.max(1, rows.columns.length)) * 2)
  const table = new CliTable({
    head: rows.columns.map((name) => terminalText(name)),
    colAligns: numeric.map((isNumeric) => (isNumeric ? 'right' : 'left')),
    style: { head: [], border: [], compact: true },
  })
  for (const row of rows.rows) {
    table.push(row.map((value) => shorten(terminalText(cellText(value) ?? 'NULL'), cellWidth)))
  }
  return `${table.toString()}\n`
}

function shorten(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, width - 1)}…`
}

/** Duplicate names get `_2`, `_3`: an object holds each key once. */
function objectText(columns: readonly string[], row: readonly unknown[]): string {
  const taken = new Map<string, number>()
  const members = columns.map((name, index) => {
    const count = (taken.get(name) ?? 0) + 1
    taken.set(name, count)
    return `${JSON.stringify(count === 1 ? name : `${name}_${count}`)}:${JSON.stringify(row[index] ?? null)}`
  })
  return `{${members.join(',')}}`
}

/** RFC 4180; NULL is an empty field, an empty string is `""`. */
function csvField(value: unknown): string {
  const text = cellText(value)
  if (text === undefined) return ''
  return text === '' || /[",\r\n]/.test(text) || text.trim() !== text ? `"${text.replaceAll('"', '""')}"` : text
}

function renderMarkdown(rows: Rows): string {
  const cell = (text: string): string =>
    terminalText(text).replaceAll('\\', '\\\\').replaceAll('|', '\\|').replaceAll('<', '&lt;')
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`
  return [
    line(rows.columns.map(cell)),
    line(rows.columnTypes.map((type) => (numericTypes.test(type) ? '---:' : '---'))),
    ...rows.rows.map((row) => line(row.map((value) => cell(cellText(value) ?? 'NULL')))),
  ].join('')
}
