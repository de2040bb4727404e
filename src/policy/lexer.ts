import { QuerentError } from '../errors/querent-error.js'

/**
 * `word`: a bare word, keyword or name; `identifier`: a name in double quotes; `mark`: one of `( ) [ ] { } , ; .`;
 * `other`: a character that no SQL token starts with.
 */
export type TokenKind = 'word' | 'identifier' | 'string' | 'number' | 'parameter' | 'operator' | 'mark' | 'other'

export interface Token {
  readonly kind: TokenKind
  /** A word in lower case; a name or string without quotes and escapes; the characters themselves otherwise. */
  readonly value: string
  /** Offsets into the text, in UTF-16 units as JavaScript counts them; `end` is exclusive. */
  readonly start: number
  readonly end: number
}

/** The spaces beyond ASCII that DuckDB takes for a space outside of quotes. */
const unicodeSpaces = '\u00a0\u2000-\u200d\u202f\u205f\u2060\u3000\ufeff'
const space = new RegExp(`[ \\t\\n\\r\\f\\v${unicodeSpaces}]+`, 'y')
/** Behind a string's end: a line's end, spaces, comments, and a quote that goes on with the same string. */
const continuation = new RegExp(
  `(?:[ \\t\\f\\v${unicodeSpaces}]|--[^\\n\\r]*)*[\\n\\r](?:[ \\t\\n\\r\\f\\v${unicodeSpaces}]+|--[^\\n\\r]*[\\n\\r])*'`,
  'y',
)
const lineComment = /--[^\n\r]*/y
const letter = `[A-Za-z_[^\\x00-\\x7f${unicodeSpaces}]]`
const letterOrDigit = `[A-Za-z0-9_[^\\x00-\\x7f${unicodeSpaces}]]`
const word = new RegExp(`${letter}(?:${letterOrDigit}|\\$)*`, 'vy')
const number = /(?:\d+(?:_\d+)*(?:\.(?:\d+(?:_\d+)*)?)?|\.\d+(?:_\d+)*)(?:[eE][+-]?\d+)?/y
const parameter = new RegExp(`\\?|\\$\\d+|\\$${letter}${letterOrDigit}*`, 'vy')
const dollarQuote = new RegExp(`\\$(?:${letter}${letterOrDigit}*)?\\$`, 'vy')
const operatorCharacters = /[~!@#^&|`+\-*/%<>=]+/y
const colons = /::|:=|:/y
const marks = '()[]{},;.'

/**
 * The tokens of a statement as DuckDB's scanner sees them; comments and spaces yield none. Throws `sql.syntax` at a
 * quote or comment that is not closed, and at a NUL character.
 */
export function tokenize(sql: string): readonly Token[] {
  const tokens: Token[] = []
  let at = 0
  for (;;) {
    at = skipSpace(sql, at)
    if (at >= sql.length) return tokens
    const token = readToken(sql, at)
    tokens.push(token)
    at = token.end
  }
}

/** Whether the token is one of these bare words, given in lower case. */
export function isWord(token: Token | undefined, ...words: readonly string[]): boolean {
  return token?.kind === 'word' && (words.length === 0 || words.includes(token.value))
}

export function isMark(token: Token | undefined, mark: string): boolean {
  return token?.kind === 'mark' && token.value === mark
}

function skipSpace(sql: string, from: number): number {
  let at = from
  while (mayStartGap(sql.charCodeAt(at))) {
    const start = at
    at = match(space, sql, at)?.end ?? at
    at = match(lineComment, sql, at)?.end ?? at
    if (sql.startsWith('/*', at)) at = blockCommentEnd(sql, at)
    if (at === start) break
  }
  return at
}

/** A space, the beyond of ASCII, or the first character of a comment. */
function mayStartGap(code: number): boolean {
  return code <= 0x20 || code >= 0x80 || code === 0x2d || code === 0x2f
}

/** Block comments nest. */
function blockCommentEnd(sql: string, start: number): number {
  let depth = 0
  for (let at = start; at < sql.length; at++) {
    if (sql.startsWith('/*', at)) {
      depth++
      at++
    } else if (sql.startsWith('*/', at)) {
      depth--
      at++
      if (depth === 0) return at + 1
    }
  }
  return fail('The comment that starts here is not closed.', start)
}

function readToken(sql: string, start: number): Token {
  const first = sql.charAt(start)
  if (marks.includes(first) && !/^\.\d/.test(sql.slice(start, start + 2))) {
    return { kind: 'mark', value: first, start, end: start + 1 }
  }
  if (first === '\0') return fail('SQL cannot hold a NUL character.', start)
  if (first === "'") return quoted(sql, start, start, 'string')
  if (first === '"') return quoted(sql, start, start, 'identifier')
  if (/[eE]/.test(first) && sql[start + 1] === "'") return escapeString(sql, start)
  if (/[xXbBnN]/.test(first) && sql[start + 1] === "'") return prefixedString(sql, start)
  if (first === '$') {
    const opening = match(dollarQuote, sql, start)
    if (opening !== undefined) return dollarQuoted(sql, start, opening.text)
  }
  const found = match(word, sql, start)
  if (found !== undefined) return { kind: 'word', value: found.text.toLowerCase(), start, end: found.end }
  return readSymbol(sql, start)
}

function readSymbol(sql: string, start: number): Token {
  const asNumber = match(number, sql, start)
  if (asNumber !== undefined) return { kind: 'number', value: asNumber.text, start, end: asNumber.end }
  const asParameter = match(parameter, sql, start)
  if (asParameter !== undefined) return { kind: 'parameter', value: asParameter.text, start, end: asParameter.end }
  const asColons = match(colons, sql, start)
  if (asColons !== undefined) return { kind: 'operator', value: asColons.text, start, end: asColons.end }
  const operators = match(operatorCharacters, sql, start)
  if (operators !== undefined) {
    const value = oneOperator(operators.text)
    return { kind: 'operator', value, start, end: start + value.length }
  }
  return { kind: 'other', value: sql.charAt(start), start, end: start + 1 }
}

/** A comment ends an operator; `+` and `-` end one only where another character shows that they belong to it. */
function oneOperator(run: string): string {
  const comment = run.search(/--|\/\*/)
  let text = comment > 0 ? run.slice(0, comment) : run
  while (text.length > 1 && /[+-]$/.test(text) && !/[~!@#^&|`%]/.test(text)) text = text.slice(0, -1)
  return text
}

function quoted(sql: string, start: number, quoteAt: number, kind: 'string' | 'identifier'): Token {
  const quote = sql.charAt(quoteAt)
  let value = ''
  let from = quoteAt + 1
  for (;;) {
    const at = sql.indexOf(quote, from)
    if (at < 0)
      return fail(`The ${kind === 'string' ? 'string' : 'quoted name'} that starts here is not closed.`, start)
    value += sql.slice(from, at)
    const isDoubled = sql[at + 1] === quote
    const next = isDoubled ? at + 2 : kind === 'string' ? match(continuation, sql, at + 1)?.end : undefined
    if (next === undefined) return checked({ kind, value, start, end: at + 1 })
    if (isDoubled) value += quote
    from = next
  }
}

/** `x'AB'` and `b'10'` are in DuckDB strings that keep their letter; `n'…'` is a plain string. */
function prefixedString(sql: string, start: number): Token {
  const token = quoted(sql, start, start + 1, 'string')
  const letter = sql.charAt(start).toLowerCase()
  return letter === 'n' ? token : { ...token, value: letter + token.value }
}

const simpleEscapes: ReadonlyMap<string, string> = new Map([
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
])
const escape = /\\(?:x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|([0-7]{1,3})|([^]))|''|[^'\\]+/y

function escapeString(sql: string, start: number): Token {
  let value = ''
  for (let at = start + 2; ;) {
    if (sql[at] === "'" && sql[at + 1] !== "'") {
      const next = match(continuation, sql, at + 1)?.end
      if (next === undefined) return checked({ kind: 'string', value, start, end: at + 1 })
      at = next
      continue
    }
    escape.lastIndex = at
    const part = escape.exec(sql)
    if (part === null) return fail('The string that starts here is not closed.', start)
    value += unescape(part, start)
    at = escape.lastIndex
  }
}

function unescape(part: RegExpExecArray, start: number): string {
  const [text, hex, short, long, octal, character] = part
  if (character !== undefined) return simpleEscapes.get(character) ?? character
  if (octal !== undefined) return fromCode(parseInt(octal, 8) & 0xff, start, 0x7f)
  if (hex !== undefined) return fromCode(parseInt(hex, 16), start, 0x7f)
  const code = short ?? long
  return code === undefined ? (text === "''" ? "'" : text) : fromCode(parseInt(code, 16), start, 0x10ffff)
}

function fromCode(code: number, start: number, highest: number): string {
  if (code === 0 || code > highest) return fail('The string that starts here has an escape for no character.', start)
  return String.fromCodePoint(code)
}

function dollarQuoted(sql: string, start: number, opening: string): Token {
  const close = sql.indexOf(opening, start + opening.length)
  if (close < 0) return fail('The string that starts here is not closed.', start)
  const value = sql.slice(start + opening.length, close)
  return checked({ kind: 'string', value, start, end: close + opening.length })
}

function checked(token: Token): Token {
  if (token.value.includes('\0')) fail('SQL cannot hold a NUL character.', token.start)
  return token
}

function match(pattern: RegExp, sql: string, at: number): { readonly text: string; readonly end: number } | undefined {
  pattern.lastIndex = at
  const text = pattern.exec(sql)?.[0]
  return text === undefined ? undefined : { text, end: at + text.length }
}

function fail(message: string, position: number): never {
  throw new QuerentError('sql.syntax', { message }, { position })
}
