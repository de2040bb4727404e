import { csvLine } from './csv.js'
import { jsonText } from './json-text.js'
import { markdownLines } from './markdown.js'
import type { Rows } from './printed-rows.js'
import { uniqueNames } from './unique-names.js'

/** Formats that print every row on its own; see `renderTable` for the one that lays all of them out together. */
export const rowFormats = ['json', 'csv', 'ndjson', 'markdown'] as const
export type RowFormat = (typeof rowFormats)[number]

/** The rows as pieces of text; the last ends in a line break. */
export function* renderRows(
  rows: Rows,
  format: RowFormat,
  options: { readonly forTerminal: boolean },
): Generator<string> {
  switch (format) {
    case 'json':
      yield* jsonLines(rows)
      break
    case 'ndjson':
      for (const text of objectTexts(rows)) yield `${text}\n`
      break
    case 'csv':
      for (const row of [rows.columns, ...rows.rows]) yield csvLine(row, options)
      break
    case 'markdown':
      yield* markdownLines(rows)
      break
  }
}

function* jsonLines(rows: Rows): Generator<string> {
  let before = '[\n  '
  for (const text of objectTexts(rows)) {
    yield `${before}${text}`
    before = ',\n  '
  }
  yield rows.rows.length === 0 ? '[]\n' : '\n]\n'
}

/** One object per row. An object holds each key once, so names that repeat get `_2`, `_3`. */
function* objectTexts({ columns, rows }: Rows): Generator<string> {
  const keys = uniqueNames(columns).map((name) => jsonText(name))
  for (const row of rows) yield `{${keys.map((key, index) => `${key}:${jsonText(row[index] ?? null)}`).join(',')}}`
}
