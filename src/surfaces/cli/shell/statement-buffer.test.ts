import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { StatementBuffer } from './statement-buffer.js'

function feed(...lines: string[]): { statements: string[]; rest: string | undefined } {
  const buffer = new StatementBuffer()
  const statements = lines.flatMap((line) => buffer.add(line))
  return { statements: statements.map((statement) => statement.trim()), rest: buffer.take()?.trim() }
}

describe('StatementBuffer', () => {
  it.each<[string, string[], string[], string | undefined]>([
    ['several on a line', ['SELECT 1; SELECT 2; SELECT'], ['SELECT 1;', 'SELECT 2;'], 'SELECT'],
    ['one on several lines', ['SELECT', '1', ';'], ['SELECT\n1\n;'], undefined],
    ['a semicolon in a string', ["SELECT ';", "';"], ["SELECT ';\n';"], undefined],
    ['a semicolon in a name', ['SELECT 1 AS ";";'], ['SELECT 1 AS ";";'], undefined],
    ['a semicolon in a comment', ['SELECT 1 -- ;', '/* ; */ + 1;'], ['SELECT 1 -- ;\n/* ; */ + 1;'], undefined],
    ['a dollar quote', ['SELECT $$;$$;'], ['SELECT $$;$$;'], undefined],
    ['nothing but semicolons', [';', ' ; ;'], [], undefined],
    ['nothing but a comment', ['-- note'], [], undefined],
    ['an open string', ["SELECT 'x;"], [], "SELECT 'x;"],
  ])('%s', (_, lines, statements, rest) => {
    expect(feed(...lines)).toEqual({ statements, rest })
  })

  it('loses no text', () => {
    const line = fc.string({ unit: fc.constantFrom('a', ';', "'", '"', '-', '/', '*', '$', ' '), maxLength: 12 })
    fc.assert(
      fc.property(fc.array(line, { maxLength: 6 }), (lines) => {
        const buffer = new StatementBuffer()
        const taken = lines.flatMap((one) => buffer.add(one)).join('') + (buffer.take() ?? '')
        const letters = (text: string): number => text.replaceAll(/[^a]/g, '').length
        const comments = /--|\/\*/.test(lines.join('\n'))
        if (!comments) expect(letters(taken)).toBe(letters(lines.join('\n')))
      }),
    )
  })
})
