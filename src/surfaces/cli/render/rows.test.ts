import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Rows } from './printed-rows.js'
import { renderRows } from './rows.js'

let instance: DuckDBInstance
let connection: DuckDBConnection
let folder: string

beforeAll(async () => {
  instance = await DuckDBInstance.create()
  connection = await instance.connect()
  folder = mkdtempSync(join(tmpdir(), 'querent-csv-'))
})

afterAll(() => {
  connection.closeSync()
  instance.closeSync()
  rmSync(folder, { recursive: true })
})

function text(rows: Rows, format: 'csv' | 'json' | 'ndjson' | 'markdown', forTerminal = false): string {
  return [...renderRows(rows, format, { forTerminal })].join('')
}

function rowsOf(columns: readonly string[], rows: readonly (readonly unknown[])[]): Rows {
  return { columns, columnTypes: columns.map(() => 'VARCHAR'), rows }
}

describe('csv', () => {
  const unit = fc.oneof(
    fc.constantFrom(',', '"', '\n', '\r', '\r\n', ' ', '#', '\t', "'", '\\', '\u001b', 'é', '😀', 'a'),
  )
  const value = fc.option(fc.string({ unit, maxLength: 8 }), { nil: null })

  it('comes back from read_csv as it was', async () => {
    const tables = fc
      .integer({ min: 1, max: 4 })
      .chain((width) =>
        fc.array(fc.array(value, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 6 }),
      )
    await fc.assert(
      fc.asyncProperty(tables, async (rows) => {
        const columns = (rows[0] ?? []).map((_, index) => `c${index}`)
        const file = join(folder, 'rows.csv')
        writeFileSync(file, text(rowsOf(columns, rows), 'csv'))
        const declared = columns.map((name) => `'${name}': 'VARCHAR'`).join(', ')
        const reader = await connection.runAndReadAll(
          `FROM read_csv('${file}', header = true, auto_detect = false, delim = ',', quote = '"', escape = '"',
            allow_quoted_nulls = false, columns = {${declared}})`,
        )
        expect(reader.getRowsJson()).toEqual(rows)
      }),
      { numRuns: 150 },
    )
  })

  it('escapes control characters for a terminal alone', () => {
    const rows = rowsOf(['a'], [['x\u001b[2J\ny']])
    expect(text(rows, 'csv')).toBe('a\n"x\u001b[2J\ny"\n')
    expect(text(rows, 'csv', true)).toBe('a\n"x\\x1b[2J\ny"\n')
  })
})

describe('json and ndjson', () => {
  it('hold one object per row, whatever the names', () => {
    const rows = rowsOf(['a', 'a', 'a_2', '__proto__'], [[1, 2, 3, { b: [null] }]])
    const expected = '{"a":1,"a_3":2,"a_2":3,"__proto__":{"b":[null]}}'
    expect(text(rows, 'ndjson')).toBe(`${expected}\n`)
    expect(text(rows, 'json')).toBe(`[\n  ${expected}\n]\n`)
    expect(text(rowsOf(['a'], []), 'json')).toBe('[]\n')
    expect(text(rowsOf(['a'], []), 'ndjson')).toBe('')
  })
})

describe('markdown', () => {
  it('keeps each row on its line, and shows markup', () => {
    const rendered = text(rowsOf(['a|b'], [['x\ny | <img src=x> [l](javascript:1) `c`']]), 'markdown')
    expect(rendered).toBe('| a\\|b |\n| --- |\n| x\\\\ny \\| &lt;img src=x> \\[l\\](javascript:1) \\`c\\` |\n')
  })
})
