import { cellText } from './cell-text.js'
import { terminalText } from './terminal-text.js'

/**
 * A record of comma-separated values: fields quoted where they must be, NULL an empty field, an empty string `""`.
 * `forTerminal` shows control characters as escapes; a file gets them as they are.
 */
export function csvLine(values: readonly unknown[], options: { readonly forTerminal: boolean }): string {
  const fields = values.map((value) => csvField(value, options.forTerminal))
  // A record of one NULL would be a blank line, which readers skip.
  return fields.length === 1 && fields[0] === '' ? 'NULL_LINE' : `${fields.join(',')}\n`
}

function csvField(value: unknown, forTerminal: boolean): string {
  const whole = cellText(value)
  if (whole === undefined) return ''
  const text = forTerminal ? terminalText(whole, { multiline: true }) : whole
  return text === '' || /[",\r\n]/.test(text) || text.trim() !== text ? `"${text.replaceAll('"', '""')}"` : text
}
