import { expect, test } from 'vitest'
import { inferColumns } from './infer-columns.js'

function types(values: readonly string[]): string | undefined {
  return inferColumns(
    values.map((value) => `{"a":${value}}`),
    [],
    [],
  )[0]?.type
}

test.each([
  ['BIGINT', ['1', 'null', '-9223372036854775808']],
  ['HUGEINT', ['1', '9223372036854775808']],
  ['VARCHAR', ['1'.repeat(40)]],
  ['DOUBLE', ['1', '1.0']],
  ['BIGINT', ['1e3']],
  ['VARCHAR', ['9223372036854775808', '1.5']],
  ['VARCHAR', ['1', '"x"']],
  ['VARCHAR', ['null']],
  ['VARCHAR', ['"1"']],
  ['BOOLEAN', ['true', 'null']],
  ['VARCHAR', ['true', '1']],
  ['JSON', ['{}', '1']],
  ['JSON', ['[1]']],
  ['DATE', ['"2024-02-29"']],
  ['VARCHAR', ['"2023-02-29"']],
  ['TIMESTAMP', ['"2024-01-15"', '"2024-01-15 10:00:00.123456"']],
  ['TIMESTAMP WITH TIME ZONE', ['"2024-01-15T10:00:00Z"', '"2024-01-15T10:00:00+02:00"']],
  ['VARCHAR', ['"2024-01-15T10:00:00Z"', '"2024-01-15T10:00:00"']],
  ['VARCHAR', ['"2024-01-15T10:00:00.123456789Z"']],
  ['VARCHAR', ['"2024-01-15T25:00:00Z"']],
])('%s holds %j', (type, values) => {
  expect(types(values)).toBe(type)
})

test('names are unique in SQL, clean, and apart from parameters where they cannot be compared', () => {
  const row = '{"id":1,"ID":2,"\\u202e":3,"":4,"owner":{"x":1},"state":"a","__proto__":5}'
  expect(inferColumns([row], [], ['OWNER', 'state']).map(({ name, path }) => [name, path])).toEqual([
    ['id', ['id']],
    ['ID_2', ['ID']],
    ['column', ['\u202e']],
    ['column_2', ['']],
    ['owner_json', ['owner']],
    ['state', ['state']],
    ['__proto__', ['__proto__']],
  ])
})

test('rows that are no objects are one column; what was known stays and widens', () => {
  expect(inferColumns(['"a"', 'null'], [], [])).toEqual([{ name: 'value', type: 'VARCHAR', path: [] }])
  const known = [
    { name: 'old', type: 'BIGINT', path: ['old'] },
    { name: 'a', type: 'BIGINT', path: ['a'] },
  ]
  expect(inferColumns(['{"a":1.5}'], known, []).map(({ name, type }) => [name, type])).toEqual([
    ['old', 'BIGINT'],
    ['a', 'DOUBLE'],
  ])
})
