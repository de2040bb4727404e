import { QuerentError } from '../errors/querent-error.js'
import { nearest } from '../util/nearest.js'
import { readExplain } from './explain-options.js'
import { isMark, isWord, tokenize, type Token } from './lexer.js'
import { maxNesting, maxSqlLength } from './limits.js'
import { missingPivotLists, pivotPlaceholder } from './pivot-lists.js'
import type { Insertion, ParsedText } from './position.js'
import { queryStarts, refusedStatement, statementStarts, writeStarts } from './statement-classes.js'
import { depthChange, readWithClause } from './token-walk.js'
import { readWriteStatement, type WriteStatement } from './write-statement.js'

/**
 * A statement's class, decided on its tokens before anything parses it. `sql` is the text to parse: comments, Unicode
 * spaces, EXPLAIN and semicolons are blanked, so that positions stay, but for the insertions; see `userPosition`.
 */
export type StatementForm = QueryForm | ExplainForm | WriteForm

export interface QueryForm extends ParsedText {
  readonly kind: 'select'
  /** A PIVOT without an IN list was given placeholders; see `nextPivotQuestion`. */
  readonly asksPivotValues: boolean
}

export interface ExplainForm extends ParsedText {
  readonly kind: 'explain'
  readonly analyze: boolean
  /** FORMAT of EXPLAIN's options in lower case. */
  readonly format: string | undefined
  readonly asksPivotValues: boolean
}

export interface WriteForm extends ParsedText {
  readonly kind: 'write'
  readonly statement: WriteStatement
}

export interface ClassifyOptions {
  /** Characters of SQL that are taken. */
  readonly maxLength?: number
}

/**
 * Errors: sql.empty, sql.too_long, sql.too_deep, sql.multiple_statements, sql.syntax, sql.pivot_list, policy.statement.
 * A form of kind `write` is refused with `refuseWrite` where the workspace is read-only, else judged by `checkWrite`.
 */
export function classifyStatement(sql: string, options: ClassifyOptions = {}): StatementForm {
  const max = options.maxLength ?? maxSqlLength
  if (sql.length > max) throw new QuerentError('sql.too_long', { length: sql.length, max })
  const all = tokenize(sql)
  const tokens = oneStatement(all)
  checkNesting(tokens)
  const explain = readExplain(tokens)
  const body = explain === undefined ? tokens : tokens.slice(explain.length)
  const statement = statementClass(body, explain !== undefined)
  if (statement !== undefined) return { kind: 'write', statement, sql: textOf(sql, body), insertions: [] }
  const text = withPivotLists(sql, body)
  if (explain === undefined) return { kind: 'select', ...text }
  return { kind: 'explain', analyze: explain.analyze, format: explain.format, ...text }
}

/** Throws the refusal of a writing statement in a workspace that is open for reading only. */
export function refuseWrite(form: WriteForm): never {
  throw new QuerentError('policy.statement', {
    statement: form.statement,
    hint: 'This workspace is read-only: write one SELECT statement. saveAs keeps a result as a table; --read-write opens a DuckDB source for writing.',
  })
}

/** Empty statements before and after are fine. */
function oneStatement(tokens: readonly Token[]): readonly Token[] {
  const start = tokens.findIndex((token) => !isMark(token, ';'))
  if (start < 0) throw new QuerentError('sql.empty')
  const end = tokens.findIndex((token, index) => index > start && isMark(token, ';'))
  if (end < 0) return tokens.slice(start)
  const second = tokens.find((token, index) => index > end && !isMark(token, ';'))
  if (second !== undefined) throw new QuerentError('sql.multiple_statements', {}, { position: second.start })
  return tokens.slice(start, end)
}

function checkNesting(tokens: readonly Token[]): void {
  let depth = 0
  for (const token of tokens) {
    depth += depthChange(token)
    if (depth > maxNesting) throw new QuerentError('sql.too_deep', { max: maxNesting }, { position: token.start })
  }
}

/** The class of a statement that writes; undefined for a query. Everything else is refused here. */
function statementClass(tokens: readonly Token[], explained: boolean): WriteStatement | undefined {
  const start = firstWord(tokens)
  const main = isWord(tokens[start], 'with') ? afterWithClause(tokens, start) : start
  const first = tokens[main]
  if (first === undefined) throw new QuerentError('sql.empty')
  if (first.kind === 'word' && (writeStarts.has(first.value) || first.value === 'create')) {
    if (explained) refuse('EXPLAIN of a writing statement', 'Write EXPLAIN of a SELECT.', first)
    return readWriteStatement(tokens.slice(main))
  }
  if (first.kind !== 'word' || !queryStarts.has(first.value)) return refuseStart(first)
  refuseSelectInto(tokens)
  return undefined
}

function firstWord(tokens: readonly Token[]): number {
  let index = 0
  while (isMark(tokens[index], '(')) index++
  return index
}

/** Common table expressions are queries; a data-changing one is refused by its class, not as a syntax error. */
function afterWithClause(tokens: readonly Token[], start: number): number {
  const clause = readWithClause(tokens, start)
  if (clause === undefined) return start
  for (const body of clause.bodies) {
    const first = tokens[body]
    if (first?.kind !== 'word') continue
    if (writeStarts.has(first.value)) {
      refuse(`${first.value.toUpperCase()} in a WITH clause`, 'Only queries can stand in WITH.', first)
    }
    const refused = refusedStatement(first.value)
    if (refused !== undefined) refuse(refused.statement, refused.hint, first)
  }
  return tokens[clause.main] === undefined ? start : clause.main
}

function refuseStart(first: Token): never {
  const refused = first.kind === 'word' ? refusedStatement(first.value) : undefined
  if (refused !== undefined) return refuse(refused.statement, refused.hint, first)
  const near = first.kind === 'word' ? nearest(first.value, statementStarts, 1)[0] : undefined
  const hint = near === undefined ? 'Write one SELECT statement.' : `Did you mean ${near.toUpperCase()}?`
  const message = `No statement starts with ${first.kind === 'word' ? first.value.toUpperCase() : 'this'}.`
  throw new QuerentError('sql.syntax', { message, hint }, { position: first.start })
}

function refuseSelectInto(tokens: readonly Token[]): void {
  const into = tokens.findIndex((token, index) => isWord(token, 'into') && !isWord(tokens[index + 1], 'name', 'value'))
  const token = tokens[into]
  if (token === undefined || isWord(tokens[into - 1], 'as') || isMark(tokens[into - 1], '.')) return
  const verb = tokens[into - 1]
  if (isWord(verb, 'insert', 'merge')) refuse('Writing inside a query', 'Write one SELECT statement.', token)
  refuse('SELECT INTO', 'Write the SELECT alone; saveAs keeps its result as a table.', token)
}

function refuse(statement: string, hint: string, at: Token): never {
  throw new QuerentError('policy.statement', { statement, hint }, { position: at.start })
}

function withPivotLists(sql: string, tokens: readonly Token[]): ParsedText & { readonly asksPivotValues: boolean } {
  const missing = missingPivotLists(tokens)
  let text = textOf(sql, tokens)
  let added = 0
  const insertions: Insertion[] = []
  const insert = (at: number, inserted: string): void => {
    text = text.slice(0, at + added) + inserted + text.slice(at + added)
    insertions.push({ at: at + added, length: inserted.length })
    added += inserted.length
  }
  for (const { start, end } of missing) {
    insert(start, '(')
    insert(end, `) IN ('${pivotPlaceholder}')`)
  }
  return { sql: text, insertions, asksPivotValues: missing.length > 0 }
}

/** The user's text in which everything but the tokens and the lines' ends is spaces. */
function textOf(sql: string, tokens: readonly Token[]): string {
  const parts: string[] = []
  let at = 0
  for (const token of tokens) {
    if (token.start > at) parts.push(blank(sql.slice(at, token.start)))
    parts.push(sql.slice(token.start, token.end))
    at = token.end
  }
  parts.push(blank(sql.slice(at)))
  return parts.join('')
}

/** Counted in UTF-16 units, as positions are. */
function blank(text: string): string {
  return text.replaceAll(/[^\n]/g, ' ')
}
