import { QuerentError } from '../errors/querent-error.js'
import { quoteLiteral } from '../util/sql-text.js'
import { functionHint, refusedColumns, scalarFunctions, tableFunctions } from './functions.js'
import { isMark, tokenize, type Token } from './lexer.js'
import { looksLikeFile } from './references.js'
import type { WriteForm } from './statement.js'
import { WriteContext } from './write-context.js'
import type { WriteStatement } from './write-statement.js'

export interface CheckedWrite {
  readonly statement: WriteStatement
  /**
   * The text to plan and to run instead of the user's: the same tokens, with every string in plain quotes and without
   * comments, so that no difference between two scanners can hide anything.
   */
  readonly sql: string
  /** Identifiers of parameters in the order of their first use: `1`, `name`; `?` counts up from 1. */
  readonly parameters: readonly string[]
}

/**
 * Judges a writing statement on its tokens: DuckDB prints no tree of it. Every name before a parenthesis must be an
 * allowed function, a keyword, or the name of a table or common table expression before its columns; no file, no
 * catalog of DuckDB's. Its plan is judged by `checkWritePlan`. Errors: policy.function, policy.write, policy.reference.
 */
export function checkWrite(sql: string, form: WriteForm): CheckedWrite {
  const tokens = tokenize(sql)
  const body = tokens.filter((token) => !isMark(token, ';'))
  const context = new WriteContext(body)
  for (const [index, token] of body.entries()) {
    if (token.kind === 'other') refuse('it has a character that no SQL has', 'Remove it.', token)
    if (isName(token) && isMark(body[index + 1], '(')) checkCall(body, index, context)
    if (context.isTablePosition(index)) checkTable(body, index)
    checkName(body, index)
  }
  return { statement: form.statement, sql: plainText(sql, body), parameters: parametersOf(body) }
}

function isName(token: Token | undefined): boolean {
  return token?.kind === 'word' || token?.kind === 'identifier'
}

function checkCall(tokens: readonly Token[], index: number, context: WriteContext): void {
  const token = tokens[index]
  if (token === undefined || context.isNotCall(index)) return
  const name = token.value.toLowerCase()
  const allowed = context.isSource(index) ? tableFunctions : scalarFunctions
  if (allowed.has(name)) return
  throw new QuerentError(
    'policy.function',
    { function: token.value, hint: functionHint(name) },
    { position: token.start },
  )
}

/** In a table's place a string is a file; so is a quoted name that reads like one. */
function checkTable(tokens: readonly Token[], index: number): void {
  const token = tokens[index]
  if (token === undefined) return
  const isFile = token.kind === 'string' || (token.kind === 'identifier' && looksLikeFile(token.value))
  if (isFile && !isMark(tokens[index + 1], '.')) {
    refuse('it reads a file', 'A writing statement works on tables of its own database alone.', token)
  }
}

function checkName(tokens: readonly Token[], index: number): void {
  const token = tokens[index]
  if (token === undefined || !isName(token)) return
  const name = token.value.toLowerCase()
  const qualifies = isMark(tokens[index + 1], '.')
  const isQualified = isMark(tokens[index - 1], '.')
  const isSystem = qualifies && !isQualified && ['system', 'temp', 'pg_catalog', 'information_schema'].includes(name)
  const isColumn = !isQualified && !qualifies && refusedColumns.has(name)
  if (!isSystem && !isColumn) return
  const hint = isColumn ? `Qualify it where it is a column: <table>."${name}".` : 'Name a table of the database.'
  throw new QuerentError('policy.reference', { reference: token.value, hint }, { position: token.start })
}

function plainText(sql: string, tokens: readonly Token[]): string {
  const parts: string[] = []
  let end = 0
  for (const token of tokens) {
    if (parts.length > 0 && (token.start > end || token.kind === 'string')) parts.push(' ')
    if (token.kind === 'string') parts.push(quoteLiteral(token.value))
    else parts.push(sql.slice(token.start, token.end))
    end = token.end
  }
  return parts.join('')
}

function parametersOf(tokens: readonly Token[]): readonly string[] {
  const parameters = new Set<string>()
  let count = 0
  for (const token of tokens) {
    if (token.kind === 'parameter') parameters.add(token.value === '?' ? String(++count) : token.value.slice(1))
  }
  return [...parameters]
}

function refuse(problem: string, hint: string, at: Token): never {
  throw new QuerentError('policy.write', { problem, hint }, { position: at.start })
}
