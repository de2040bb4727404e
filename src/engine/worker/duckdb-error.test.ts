import { describe, expect, it } from 'vitest'
import { toFault } from './duckdb-error.js'

const hidden = { catalogs: ['q17', 'q17_2'], folders: ['/state/callers/x'] }
const json = (type: string, message: string, more: object = {}): Error =>
  new Error(JSON.stringify({ exception_type: type, exception_message: message, ...more }))

describe('toFault', () => {
  it('hides catalogs, the state folder and stack traces', () => {
    const message =
      'Cannot use q17.s.t or "q17_2".s.t of "/state/callers/x/kept.duckdb"\n\nStack Trace:\n/duckdb/src/x.cpp'
    expect(toFault(json('Invalid Input', message), hidden).params['message']).toBe(
      'Cannot use s.t or s.t of "kept.duckdb"',
    )
  })

  it('keeps candidates of columns and functions, never those of tables', () => {
    const near = { candidates: 'food,foot' }
    expect(toFault(json('Binder', 'no "foo"\nCandidate bindings: "food"', near)).params).toEqual({
      message: 'no "foo"',
      hint: 'Near names: food, foot.',
    })
    expect(toFault(json('Catalog', 'no x\nDid you mean "hr.salaries"?', { ...near, type: 'Table' })).params).toEqual({
      message: 'no x',
      hint: '',
    })
  })

  it.each([
    ['Out of Memory', 'could not allocate', 'engine.out_of_memory'],
    ['Out of Memory', 'failed to offload, see max_temp_directory_size', 'engine.disk_full'],
    ['IO', 'Could not write file: No space left on device', 'engine.disk_full'],
    ['INTERNAL', 'Attempted to dereference', 'engine.internal'],
    ['INTERRUPT', 'Interrupted!', 'engine.interrupted'],
    ['Permission', 'no', 'engine.refused'],
    ['Constraint', 'no', 'sql.constraint'],
    ['Something New', 'no', 'sql.invalid_input'],
    ['Binder', 'Max expression depth limit of 250 exceeded.', 'engine.too_complex'],
  ])('%s: %s is %s', (type, message, code) => {
    expect(toFault(json(type, message)).code).toBe(code)
  })

  it('names the line of a bad CSV row', () => {
    const message =
      'CSV Error on Line: 3\nOriginal Line: 2,y,z\nExpected Number of Columns: 2 Found: 3\nPossible fixes:\n* x\n\n  file = /data/b.csv\n'
    const fault = toFault(json('Invalid Input', message))
    expect(fault.code).toBe('file.bad_row')
    expect(fault.params).toMatchObject({ path: 'b.csv', line: 3, reason: 'Expected Number of Columns: 2 Found: 3' })
  })

  it('reads errors that are not JSON', () => {
    expect(toFault(new Error('Conversion Error: no\n\nLINE 1: select\n^')).params['message']).toBe('no')
  })
})
