import { tokenize } from './lexer.js'

/** The statement with `?` in the place of its strings and numbers; a text that is no SQL is hidden whole. */
export function redactLiterals(sql: string): string {
  try {
    const parts: string[] = []
    let end = 0
    for (const token of tokenize(sql)) {
      // What stands between tokens is spaces and comments, and a comment may hold anything.
      if (token.start > end) parts.push(' ')
      const isLiteral = token.kind === 'string' || token.kind === 'number'
      parts.push(isLiteral ? '?' : sql.slice(token.start, token.end))
      end = token.end
    }
    return parts.join('').trim()
  } catch {
    return '?'
  }
}
