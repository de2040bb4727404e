import { unsafe } from './terminal-text.js'

/** JSON text of a value, on one line. What could harm a terminal stands as a JSON escape, so the value is the same. */
export function jsonText(value: unknown): string {
  return escapeJson(JSON.stringify(value))
}

/** As `jsonText`, on lines of their own. */
export function indentedJson(value: unknown): string {
  return JSON.stringify(value, undefined, 2)
    .split('\n')
    .map((line) => escapeJson(line))
    .join('\n')
}

function escapeJson(json: string): string {
  return json.replaceAll(unsafe, (character) =>
    Array.from(character.split(''), (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
  )
}
