import { cellText } from './cell-text.js'
import { terminalText } from './terminal-text.js'

/**
 * A record of comma-separated values: fields quoted where they must be, NULL an empty field, an empty string `""`.
 * `forTerminal` shows control characters as escapes; a file gets them as they are.
 */
export function csvLine(values: readonly unknown[], options: { readonly forTerminal: boolean }): string {
  return `${values.map((value) => csvField(value, options.forTerminal)).join(',')}\n`
}

function csvField(value: unknown, forTerminal: boolean): string {
  const whole = cellText(value)
  if (whole === undefined) return ''
  const text = forTerminal ? terminalText(whole, { multiline: true }) : whole
  return mustQuote.test(text) || text.trim() !== text ? `"${text.replaceAll('"', '""')}"` : text
}

/** An empty string; what has a meaning in a record; and what readers take for a comment. */
const mustQuote = /^$|[",\r\n]|^#/
