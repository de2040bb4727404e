import fc from 'fast-check'
import stringWidth from 'string-width'
import { describe, expect, it } from 'vitest'
import { renderTable } from './table.js'

const cells = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.constantFrom(null, 1, true, { a: '\u001b' }))

describe('renderTable', () => {
  it('gives every line the same width, within the terminal wherever that has room for the columns', () => {
    const tables = fc.integer({ min: 1, max: 5 }).chain((columns) =>
      fc.record({
        columns: fc.array(fc.string({ maxLength: 30 }), { minLength: columns, maxLength: columns }),
        rows: fc.array(fc.array(cells, { minLength: columns, maxLength: columns }), { maxLength: 5 }),
        width: fc.integer({ min: 60, max: 120 }),
      }),
    )
    fc.assert(
      fc.property(tables, ({ columns, rows, width }) => {
        const { text } = renderTable({ columns, columnTypes: columns.map(() => 'VARCHAR'), rows }, width)
        const widths = text
          .trimEnd()
          .split('\n')
          .map((line) => stringWidth(line))
        expect(widths).toHaveLength(rows.length + 4)
        expect(new Set(widths).size).toBe(1)
        expect(widths[0]).toBeLessThanOrEqual(width)
      }),
    )
  })

  it('counts what it shortened, and never shortens a number', () => {
    const rows = { columns: ['n', 't'], columnTypes: ['HUGEINT', 'VARCHAR'], rows: [['1'.repeat(39), 'x'.repeat(50)]] }
    const narrow = renderTable(rows, 60)
    expect(narrow.shortened).toBe(1)
    expect(narrow.text).toContain('1'.repeat(39))
    expect(narrow.text).toContain('x…')
    const whole = renderTable(rows, undefined)
    expect(whole.shortened).toBe(0)
    expect(whole.text).toContain('x'.repeat(50))
  })

  it('shows the columns of an empty answer', () => {
    expect(renderTable({ columns: ['a'], columnTypes: ['INTEGER'], rows: [] }, 80).text).toContain('│ a │')
  })
})
