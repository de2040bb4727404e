import { QuerentError } from '../errors/querent-error.js'
import { isMark, isWord, type Token } from './lexer.js'
import { closingIndex } from './token-walk.js'

export interface ExplainPrefix {
  /** Tokens that belong to EXPLAIN and its options. */
  readonly length: number
  readonly analyze: boolean
  readonly format: string | undefined
}

/** Reads `EXPLAIN [ANALYZE] [(ANALYZE, FORMAT …)]` at the start; undefined where the statement is not an EXPLAIN. */
export function readExplain(tokens: readonly Token[]): ExplainPrefix | undefined {
  if (!isWord(tokens[0], 'explain')) return undefined
  let at = 1
  let analyze = false
  if (isWord(tokens[at], 'analyze', 'analyse')) {
    analyze = true
    at++
  }
  if (!isMark(tokens[at], '(') || !isWord(tokens[at + 1], 'analyze', 'analyse', 'format', 'verbose', 'codegen')) {
    return { length: at, analyze, format: undefined }
  }
  const close = closingIndex(tokens, at)
  const options = readOptions(tokens.slice(at + 1, close))
  return { length: close + 1, analyze: analyze || options.analyze, format: options.format }
}

function readOptions(tokens: readonly Token[]): { readonly analyze: boolean; readonly format: string | undefined } {
  let analyze = false
  let format: string | undefined
  for (let at = 0; at < tokens.length; at++) {
    const name = tokens[at]
    const value = isMark(tokens[at + 1], ',') ? undefined : tokens[at + 1]
    if (value !== undefined) at++
    if (isWord(name, 'analyze', 'analyse')) analyze = !isOff(value)
    else if (isWord(name, 'format') && value !== undefined) format = value.value.toLowerCase()
    else refuseOption(name)
    if (tokens[at + 1] !== undefined && !isMark(tokens[at + 1], ',')) refuseOption(tokens[at + 1])
    at++
  }
  return { analyze, format }
}

function isOff(value: Token | undefined): boolean {
  return value !== undefined && ['false', 'off', '0'].includes(value.value.toLowerCase())
}

function refuseOption(token: Token | undefined): never {
  throw new QuerentError(
    'policy.statement',
    {
      statement: `EXPLAIN with the option ${token?.value ?? ''}`,
      hint: 'Write EXPLAIN or EXPLAIN ANALYZE and a SELECT.',
    },
    token === undefined ? {} : { position: token.start },
  )
}
