import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { QuerentError } from '../errors/querent-error.js'
import { isTreeNode, walkTree, type TreeNode } from '../model/tree.js'
import { isMark, tokenize, type Token } from './lexer.js'

function spelled(sql: string): readonly (readonly [string, string])[] {
  return tokenize(sql).map(({ kind, value }) => [kind, value])
}

describe('tokenize', () => {
  test('tells the kinds of tokens apart', () => {
    expect(spelled(`Select "A""b", 'it''s', 1_0.5e-3, $1, $name, ? FROM t.x`)).toEqual([
      ['word', 'select'],
      ['identifier', 'A"b'],
      ['mark', ','],
      ['string', "it's"],
      ['mark', ','],
      ['number', '1_0.5e-3'],
      ['mark', ','],
      ['parameter', '$1'],
      ['mark', ','],
      ['parameter', '$name'],
      ['mark', ','],
      ['parameter', '?'],
      ['word', 'from'],
      ['word', 't'],
      ['mark', '.'],
      ['word', 'x'],
    ])
  })

  test('decodes every kind of string', () => {
    const sql = String.raw`E'a\n\x41\u00e9\101\'''' $$it's$$ $t$ $$ $t$ x'AB' N'n' ''`
    expect(tokenize(sql).map(({ value }) => value)).toEqual(["a\nAéA''", "it's", ' $$ ', 'xAB', 'n', ''])
  })

  test.each([
    ['1+-1', ['1', '+', '-', '1']],
    ['a->>b', ['a', '->>', 'b']],
    ['a<=-1', ['a', '<=', '-', '1']],
    ['a@-1', ['a', '@-', '1']],
    ['a--b', ['a']],
    ['a*/**/b', ['a', '*', 'b']],
    ['x::int:=y', ['x', '::', 'int', ':=', 'y']],
    ['m[1:2]', ['m', '[', '1', ':', '2', ']']],
    ['.5', ['.5']],
    ['a$b', ['a$b']],
  ])('splits %s', (sql, expected) => {
    expect(tokenize(sql).map(({ value }) => value)).toEqual(expected)
  })

  test('joins strings that go on after a line end', () => {
    expect(tokenize("'a' -- x\n 'b' E'c'\n'\\'d' 'e'").map(({ value }) => value)).toEqual(['ab', "c'd", 'e'])
  })

  test('skips spaces and comments, nested and Unicode ones', () => {
    expect(spelled('\ufeff1 /* a /* b */ c */\u00a02 -- d\n\u30003\u200b')).toEqual([
      ['number', '1'],
      ['number', '2'],
      ['number', '3'],
    ])
  })

  test.each(["'a", '"a', '$$a', '$x$ a $y$', "E'a\\'", '/* /* */', 'a \0', "'a\0'"])('refuses %j', (sql) => {
    expect(() => tokenize(sql)).toThrow(QuerentError)
  })

  test('keeps positions, so that tokens and gaps make up the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...soup, 'é', '🎉', '\u3000') }), (sql) => {
        const tokens = tokensOf(sql) ?? []
        let at = 0
        for (const token of tokens) {
          expect(token.start).toBeGreaterThanOrEqual(at)
          expect(token.end).toBeGreaterThan(token.start)
          at = token.end
        }
        expect(at).toBeLessThanOrEqual(sql.length)
      }),
      { numRuns: 2_000 },
    )
  })
})

const soup = [
  '\r',
  '\t',
  '\u00a0',
  '_',
  'b',
  '(',
  'select',
  "'",
  "''",
  '"',
  '$$',
  '$a$',
  '--',
  '\n',
  '/*',
  '*/',
  ';',
  "E'",
  '\\',
  "\\'",
  ' ',
  'a',
  ',',
  '1',
  '$',
  'x',
]

function tokensOf(sql: string): readonly Token[] | undefined {
  try {
    return tokenize(sql)
  } catch {
    return undefined
  }
}

describe("agrees with DuckDB's scanner", () => {
  let instance: DuckDBInstance
  let connection: DuckDBConnection
  beforeAll(async () => {
    instance = await DuckDBInstance.create(':memory:')
    connection = await instance.connect()
  })
  afterAll(() => {
    connection.closeSync()
    instance.closeSync()
  })

  async function parse(sql: string): Promise<TreeNode | undefined> {
    const reader = await connection.runAndReadAll('SELECT json_serialize_sql($1::VARCHAR)', [sql])
    const tree: unknown = JSON.parse(textOf(reader.getRowsJson()[0]?.[0]))
    return isTreeNode(tree) && tree['error'] === false ? tree : undefined
  }

  function constants(tree: TreeNode): readonly unknown[] {
    const values: unknown[] = []
    walkTree(tree, (node) => {
      const value = node['class'] === 'CONSTANT' ? node['value'] : undefined
      if (isTreeNode(value) && isTreeNode(value['type']) && value['type']['id'] === 'VARCHAR')
        values.push(value['value'])
    })
    return values
  }

  test('about where strings, names and statements end', { timeout: 120_000 }, async () => {
    let parsed = 0
    const pieces = fc.array(fc.constantFrom(...soup), { maxLength: 8 }).map((parts) => parts.join(''))
    const opening = fc.constantFrom("'", "E'", '$$', '$a$', '/*', '--', "x'", '')
    const closing = fc.constantFrom("'", '$$', '$a$', '*/', '\n', '')
    const property = fc.asyncProperty(opening, pieces, closing, pieces, async (open, inside, close, after) => {
      const sql = `SELECT 1, ${open}${inside}${close} ${after}`
      const tree = await parse(sql)
      const tokens = tokensOf(sql)
      // What we refuse and DuckDB takes, such as `SELECT 1, $$`, is no danger.
      if (tree === undefined || tokens === undefined) return
      parsed++
      const statements = tokens.filter((token, index) => !isMark(token, ';') && isStart(tokens, index))
      expect(tree['statements'], sql).toHaveLength(statements.length)
      const strings = tokens.filter(({ kind }) => kind === 'string').map(({ value }) => value)
      // Behind an escaped quote DuckDB takes a string for its end and makes Unicode spaces plain.
      expect(strings.map(plainSpaces), sql).toEqual(constants(tree).map(plainSpaces))
    })
    await fc.assert(property, { numRuns: Number(process.env['QUERENT_MUTATIONS'] ?? 4_000) })
    expect(parsed).toBeGreaterThan(100)
  })

  test('about every spelling of a text', async () => {
    const spellings = fc.tuple(fc.string({ unit: 'grapheme', maxLength: 12 }), fc.nat(2))
    const property = fc.asyncProperty(spellings, async ([text, kind]) => {
      fc.pre(!text.includes('\0') && !text.includes('$q$') && !/\p{Surrogate}/u.test(text))
      const plain = `'${text.replaceAll("'", "''")}'`
      const escaped = `E'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
      const literal = [plain, escaped, `$q$${text}$q$`][kind] ?? plain
      expect(tokenize(literal).map(({ value }) => value)).toEqual([text])
      expect(constants((await parse(`SELECT ${literal}`)) ?? {}), literal).toEqual([text])
    })
    await fc.assert(property, { numRuns: 1_500 })
  })
})

function plainSpaces(value: unknown): string {
  return textOf(value).replaceAll('\u00a0', ' ')
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function isStart(tokens: readonly Token[], index: number): boolean {
  return index === 0 || isMark(tokens[index - 1], ';')
}
