import { QuerentError } from '../errors/querent-error.js'
import { isMark, isWord, type Token } from './lexer.js'
import { closingIndex, depthChange } from './token-walk.js'

/** The one value of an IN list that stands for "ask which values there are". */
export const pivotPlaceholder = '\u0001values of the pivot\u0001'

/** An element of a PIVOT's ON clause that has no IN list: the offsets of its text. */
export interface MissingList {
  readonly start: number
  readonly end: number
}

/**
 * The ON elements without an IN list of every PIVOT that is written as a statement. DuckDB cannot print such a
 * statement as a tree. Throws `sql.pivot_list` for an IN list that is a query or a type.
 */
export function missingPivotLists(tokens: readonly Token[]): readonly MissingList[] {
  const missing: MissingList[] = []
  for (const [index, token] of tokens.entries()) {
    if (!isWord(token, 'pivot', 'pivot_wider') || !startsStatement(tokens, index)) continue
    const on = onClause(tokens, index)
    if (on !== undefined) missing.push(...missingInClause(tokens, on))
  }
  return missing.sort((a, b) => a.start - b.start)
}

/** PIVOT follows a table where it is the SQL standard's clause, which always has its list, and AS or a dot as a name. */
function startsStatement(tokens: readonly Token[], index: number): boolean {
  const previous = tokens[index - 1]
  const afterQueryWord = isWord(
    previous,
    'union',
    'all',
    'except',
    'intersect',
    'name',
    'describe',
    'desc',
    'summarize',
  )
  if (previous !== undefined && !isMark(previous, '(') && !isMark(previous, ')') && !afterQueryWord) return false
  return !isMark(tokens[index + 1], '(') || !isStandardClause(tokens, index + 1)
}

function isStandardClause(tokens: readonly Token[], open: number): boolean {
  const close = closingIndex(tokens, open)
  let depth = 0
  for (let index = open; index < close; index++) {
    depth += depthChange(tokens[index])
    if (depth === 1 && isWord(tokens[index], 'for')) return true
  }
  return false
}

interface TokenRange {
  readonly from: number
  readonly to: number
}

/** The tokens between ON and what follows it. A joined table before it has an ON of its own: the last one counts. */
function onClause(tokens: readonly Token[], pivot: number): TokenRange | undefined {
  let from: number | undefined
  let depth = 0
  let index = pivot + 1
  for (; index < tokens.length && depth >= 0; index++) {
    depth += depthChange(tokens[index])
    if (depth !== 0) continue
    if (isWord(tokens[index], 'on')) from = index + 1
    else if (isWord(tokens[index], 'group', 'order', 'limit', 'offset', 'union', 'except', 'intersect')) break
    else if (from !== undefined && isWord(tokens[index], 'using')) break
  }
  if (from === undefined) return undefined
  return { from, to: depth < 0 ? index - 1 : index }
}

function missingInClause(tokens: readonly Token[], clause: TokenRange): readonly MissingList[] {
  const missing: MissingList[] = []
  for (const element of elements(tokens, clause)) {
    const first = tokens[element.from]
    const last = tokens[element.to - 1]
    if (first === undefined || last === undefined) continue
    const list = inKeyword(tokens, element)
    if (list === undefined) missing.push({ start: first.start, end: last.end })
    else refuseQueryList(tokens, list)
  }
  return missing
}

function elements(tokens: readonly Token[], clause: TokenRange): readonly TokenRange[] {
  const ranges: TokenRange[] = []
  let depth = 0
  let from = clause.from
  for (let index = clause.from; index < clause.to; index++) {
    depth += depthChange(tokens[index])
    if (depth === 0 && isMark(tokens[index], ',')) {
      ranges.push({ from, to: index })
      from = index + 1
    }
  }
  ranges.push({ from, to: clause.to })
  return ranges.filter((range) => range.to > range.from)
}

function inKeyword(tokens: readonly Token[], element: TokenRange): number | undefined {
  let depth = 0
  for (let index = element.from; index < element.to; index++) {
    depth += depthChange(tokens[index])
    if (isWord(tokens[index], 'case')) depth++
    if (isWord(tokens[index], 'end')) depth--
    if (depth === 0 && isWord(tokens[index], 'in')) return index
  }
  return undefined
}

function refuseQueryList(tokens: readonly Token[], inIndex: number): void {
  const next = tokens[inIndex + 1]
  const inside = tokens[inIndex + 2]
  const isQuery = isMark(next, '(') && isWord(inside, 'select', 'from', 'with', 'values', 'table')
  if (isMark(next, '(') && !isQuery) return
  throw new QuerentError('sql.pivot_list', {}, next === undefined ? {} : { position: next.start })
}
