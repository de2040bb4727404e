import { isMark, isWord, type Token } from './lexer.js'

/** Index of the mark that closes the one at `open`, or the number of tokens where none does. */
export function closingIndex(tokens: readonly Token[], open: number): number {
  let depth = 0
  for (let index = open; index < tokens.length; index++) {
    depth += depthChange(tokens[index])
    if (depth === 0) return index
  }
  return tokens.length
}

/** +1 for a mark that opens, -1 for one that closes. */
export function depthChange(token: Token | undefined): -1 | 0 | 1 {
  if (token?.kind !== 'mark') return 0
  if ('([{'.includes(token.value)) return 1
  return ')]}'.includes(token.value) ? -1 : 0
}

/** What a WITH clause holds: where its queries start and where the statement after it starts. */
export interface WithClause {
  /** Index of the first token inside each common table expression's parentheses. */
  readonly bodies: readonly number[]
  readonly main: number
}

/** Reads the WITH clause whose keyword stands at `start`; undefined where it has not the shape of one. */
export function readWithClause(tokens: readonly Token[], start: number): WithClause | undefined {
  const bodies: number[] = []
  let at = start + 1
  if (isWord(tokens[at], 'recursive')) at++
  for (;;) {
    const open = bodyStart(tokens, at)
    if (open === undefined) return undefined
    bodies.push(open + 1)
    at = closingIndex(tokens, open) + 1
    if (!isMark(tokens[at], ',')) return { bodies, main: at }
    at++
  }
}

/** Index of the parenthesis after AS [[NOT] MATERIALIZED] of the common table expression named at `at`. */
function bodyStart(tokens: readonly Token[], at: number): number | undefined {
  for (let index = at + 1; index < tokens.length; index++) {
    if (isWord(tokens[index], 'as')) {
      let open = index + 1
      while (isWord(tokens[open], 'not', 'materialized')) open++
      return isMark(tokens[open], '(') ? open : undefined
    }
    if (isMark(tokens[index], '(')) index = closingIndex(tokens, index)
  }
  return undefined
}
