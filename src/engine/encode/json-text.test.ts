import { describe, expect, test } from 'vitest'
import { embedJson } from './json-text.js'

describe('embedJson', () => {
  test.each([
    ['no JSON at all', '{"a":', String.raw`"{\"a\":"`],
    ['commas at the end', '[[1,],{"a":1,},]', '[[1],{"a":1}]'],
    ['two commas', '[1,,2]', '"[1,,2]"'],
    ['a comma behind all', '1,', '"1,"'],
    ['two documents', '1 2', '"1 2"'],
    ['an unknown word', '[undefined]', '"[undefined]"'],
    ['a bad escape', String.raw`["\x"]`, String.raw`"[\"\\x\"]"`],
    ['a raw control character', '["\u0001"]', String.raw`"[\"\u0001\"]"`],
    ['an empty text', '', '""'],
    ['mismatched brackets', '[1}', '"[1}"'],
    ['a lone surrogate escape', String.raw`[ "\ud800" ]`, String.raw`["\ud800"]`],
    ['white space around special numbers', ' [ nan , -inf ] ', '["NaN","-Infinity"]'],
  ])('%s', (_, text, json) => {
    expect(embedJson(text)).toBe(json)
    JSON.parse(embedJson(text))
  })

  test('a long string beside a large number', () => {
    const text = `{"big":12345678901234567890,"long":"${String.raw`x\"`.repeat(3_000_000)}"}`
    expect(embedJson(text)).toBe(text.replace('12345678901234567890', '"12345678901234567890"'))
  })

  test('a million brackets in linear time', () => {
    const text = `[${'[1.0],'.repeat(500_000)}1]`
    expect(embedJson(text)).toBe(text)
  })

  test('a megabyte of an open string is refused in linear time', () => {
    const text = `["${String.raw`\"`.repeat(500_000)}`
    expect(embedJson(text)).toBe(JSON.stringify(text))
  })
})
