import fc from 'fast-check'
import { expect, test } from 'vitest'
import { scanJson } from './json-scan.js'

function scan(
  text: string,
  rowsPath: readonly string[] = [],
  capture: readonly (readonly string[])[] = [],
): ReturnType<typeof scanJson> {
  return scanJson(Buffer.from(text), { rowsPath, capture, sampleRows: 2 })
}

test('finds rows and captures values on the way', async () => {
  const text = ' { "a" : {"x":[1]}, "d\\u0061ta":{"items":[ {"id":"]\\"}"} , [2] ,null]}, "next":{"c":"q"} } \n'
  expect(await scan(text, ['data', 'items'], [['next', 'c'], ['a'], ['no']])).toEqual({
    rows: 'array',
    rowCount: 3,
    sample: ['{"id":"]\\"}"}', '[2]'],
    lastRow: 'null',
    captured: ['"q"', '{"x":[1]}', undefined],
    keys: [],
    members: [],
  })
})

test('hands out the members of an object that is the rows, on demand', async () => {
  const options = { rowsPath: ['d'], members: true }
  const { members } = await scanJson(Buffer.from('{"d":{"a\\u0062" : [1, 2] ,"c":{"x":1e400}},"e":1}'), options)
  expect(members).toEqual([
    ['ab', '[1, 2]'],
    ['c', '{"x":1e400}'],
  ])
})

test.each([
  ['[]', [], 'array', 0],
  ['{}', [], 'object', 1],
  ['null', [], 'null', 0],
  ['"x"', [], 'scalar', 0],
  ['{"a":null}', ['a'], 'null', 0],
  ['{"b":1}', ['a'], 'missing', 0],
  ['[{"a":1}]', ['a'], 'missing', 0],
  ['{"a":{"b":[1,2]}}', ['a', 'b'], 'array', 2],
])('%s at %j is %s', async (text, path, rows, rowCount) => {
  expect(await scan(text, path)).toMatchObject({ rows, rowCount })
})

test('names the keys that are there where the path leads nowhere', async () => {
  expect((await scan('{"a":{"b":1,"c":2},"z":3}', ['a', 'x'])).keys).toEqual(['b', 'c'])
  expect((await scan('{"a":1,"z":3}', ['x'])).keys).toEqual(['a', 'z'])
})

test.each([
  '',
  ' ',
  '[',
  '[1',
  '[1,',
  '[1 2]',
  '[1,,2]',
  '[,]',
  '{"a"}',
  '{"a":}',
  '{"a":1,}',
  '{a:1}',
  '{"a":1]',
  '[1}',
  '"abc',
  '"ab\\',
  '[] []',
  '[]]',
  'tru',
  '01',
  '1.',
  '-',
  '+1',
  'NaN',
  "['a']",
  '{"a":1 "b":2}',
  '{"\\x":1}',
  '[[[',
  '{"a":[1}',
])('%j is not a document', async (text) => {
  await expect(scan(text)).rejects.toBeInstanceOf(SyntaxError)
  await expect(scan(text, ['a'])).rejects.toBeInstanceOf(SyntaxError)
})

test('a key of the path that occurs twice is refused', async () => {
  await expect(scan('{"a":[1],"a":[2]}', ['a'])).rejects.toThrow('the key "a" occurs twice')
})

test('ten thousand levels are refused, a thousand are not', async () => {
  await expect(scan('['.repeat(10_000) + ']'.repeat(10_000))).rejects.toThrow('nested deeper')
  expect((await scan('['.repeat(1_000) + ']'.repeat(1_000))).rows).toBe('array')
})

test('agrees with JSON.parse about every document', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.jsonValue()), fc.nat(4), async (rows, indent) => {
      const text = JSON.stringify({ x: { before: rows[0] ?? null, rows } }, undefined, indent)
      const found = await scan(text, ['x', 'rows'])
      expect(found.rowCount).toBe(rows.length)
      expect(found.sample.map((row) => JSON.parse(row) as unknown)).toEqual(
        rows.slice(0, 2).map((row) => JSON.parse(JSON.stringify(row)) as unknown),
      )
    }),
    { numRuns: 300 },
  )
})

test('takes and refuses what JSON.parse takes and refuses', async () => {
  const mutation = fc.tuple(
    fc.jsonValue({ maxDepth: 4 }),
    fc.nat(),
    fc.constantFrom(...Array.from('[]{},:"\\ 1.-eux\n'), ''),
  )
  await fc.assert(
    fc.asyncProperty(mutation, async ([value, position, mark]) => {
      const whole = JSON.stringify(value)
      const at = position % (whole.length + 1)
      const text = whole.slice(0, at) + mark + whole.slice(at + (position % 2))
      let isValid = true
      try {
        JSON.parse(text)
      } catch {
        isValid = false
      }
      const found = await scan(text, ['a']).then(
        () => true,
        (error: unknown) => (/twice/.test(String(error)) ? true : false),
      )
      expect(found).toBe(isValid)
    }),
    { numRuns: 2_000 },
  )
})

test('a document cut anywhere is refused', async () => {
  const text = JSON.stringify({ a: 1, rows: [{ b: 'x"y\\', c: [1.5, null] }, true], z: {} })
  for (let length = 0; length < text.length; length++) {
    await expect(scan(text.slice(0, length), ['rows'])).rejects.toBeInstanceOf(SyntaxError)
  }
})

test('a large document leaves the event loop free', async () => {
  const text = `[${Array.from({ length: 60_000 }, (_, id) => JSON.stringify({ id, text: 'x'.repeat(100) })).join(',')}]`
  let turns = 0
  const timer = setInterval(() => turns++, 0)
  expect((await scan(text)).rowCount).toBe(60_000)
  clearInterval(timer)
  expect(turns).toBeGreaterThan(0)
})
