import { isMark, isWord, tokenize, type Token } from '../../src/policy/lexer.js'

export interface Mutation {
  /** Decisions, taken one after another. */
  readonly seeds: Iterable<number>
  readonly wrap: number
}

export interface MutationOptions {
  /** The statement may be put into a larger one. */
  readonly wrap: boolean
  /** Function names may be put into double quotes. */
  readonly quoteFunctions: boolean
}

const gaps = [' ', '\n', '\t', '  ', ' /* x */ ', '/**/', ' /* /* a */ ; */ ', ' -- x\n', '\u00a0', '\u3000 ', '\u200b']

const wrappers: readonly ((sql: string) => string)[] = [
  (sql) => `SELECT * FROM (${sql}) AS wrapped`,
  (sql) => `WITH wrapped AS (${sql}) SELECT * FROM wrapped`,
  (sql) => `WITH a AS (SELECT 1), wrapped AS MATERIALIZED (${sql}) SELECT * FROM a`,
  (sql) => `SELECT 1 WHERE EXISTS (${sql})`,
  (sql) => `SELECT CASE WHEN true THEN (${sql}) END`,
  (sql) => `SELECT [(${sql})]`,
  (sql) => `SELECT {'a': (${sql})}`,
  (sql) => `SELECT list_transform([1], x -> (${sql}))`,
  (sql) => `SELECT 1 UNION ALL (${sql})`,
  (sql) => `(${sql}) EXCEPT SELECT 1`,
  (sql) => `SELECT n FROM nums ORDER BY (${sql})`,
  (sql) => `SELECT n FROM nums LIMIT (${sql})`,
  (sql) => `SELECT n FROM nums JOIN nums m ON (${sql}) IS NULL`,
  (sql) => `SELECT sum((${sql})) OVER () FROM nums`,
  (sql) => `SELECT * FROM nums, LATERAL (${sql}) AS l`,
  (sql) => `SUMMARIZE ${sql}`,
  (sql) => `SELECT * FROM (DESCRIBE ${sql})`,
  (sql) => `EXPLAIN ANALYZE ${sql}`,
  (sql) => `SELECT coalesce(NULL, (${sql}))`,
]

/** The statement written differently: other case, spaces, comments and quotes, and perhaps inside another statement. */
export function mutationsOf(sql: string, mutation: Mutation, options: MutationOptions): string {
  const seeds = mutation.seeds[Symbol.iterator]()
  const pick = (count: number): number => Number(seeds.next().value) % count
  const tokens = tokenize(sql)
  const parts: string[] = []
  for (const [index, token] of tokens.entries()) {
    const previous = tokens[index - 1]
    if (previous !== undefined) parts.push(gap(sql, previous, token, pick))
    parts.push(spelled(sql, tokens, index, options, pick))
  }
  const text = parts.join('')
  const wrapper = options.wrap ? wrappers[mutation.wrap] : undefined
  return wrapper === undefined ? text : wrapper(text)
}

/** Tokens that touch may only be parted where SQL allows it; those that are apart stay apart. */
function gap(sql: string, previous: Token, next: Token, pick: (count: number) => number): string {
  const touching = previous.end === next.start
  const splits = previous.kind === 'mark' || next.kind === 'mark'
  if (touching && (!splits || pick(2) === 0)) return ''
  if (touching && (isMark(previous, '.') || isMark(next, '.'))) return ''
  return gaps[pick(gaps.length)] ?? ' '
}

function spelled(
  sql: string,
  tokens: readonly Token[],
  index: number,
  options: MutationOptions,
  pick: (count: number) => number,
): string {
  const token = tokens[index]
  if (token === undefined) return ''
  const text = sql.slice(token.start, token.end)
  if (token.kind !== 'word') return text
  if (options.quoteFunctions && isMark(tokens[index + 1], '(') && isQuotable(token) && pick(3) === 0) return `"${text}"`
  // Case may be part of a parameter's or a column's name that the test compares; SQL itself ignores it.
  return text.replaceAll(/[a-z]/gi, (letter) => (pick(2) === 0 ? letter.toUpperCase() : letter.toLowerCase()))
}

/** Names that are functions and nothing else: quoting a keyword would make another statement. */
function isQuotable(token: Token): boolean {
  return isWord(token) && /^(?:getenv|current_setting|read_|glob|query|duckdb_|pragma_|pg_|nextval|version)/.test(token.value)
}
