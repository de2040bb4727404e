import { existsSync } from 'node:fs'

/** Whether an argument names files or a database rather than a word: an address, a pattern, or a path that is there. */
export function looksLikeSource(argument: string): boolean {
  if (/^[a-z][a-z0-9+.-]*:/i.test(argument)) return true
  return /[/\\.*?]/.test(argument) && (/[*?]/.test(argument) || existsSync(argument))
}
