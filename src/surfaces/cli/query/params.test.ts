import { describe, expect, it } from 'vitest'
import { parseParams } from './params.js'

describe('parseParams', () => {
  it.each<[string, unknown]>([
    ['12', 12],
    ['-1.5', -1.5],
    ['1e3', 1000],
    ['9007199254740993', 9007199254740993n],
    ['true', true],
    ['null', null],
    ['"12"', '12'],
    ['[1,9007199254740993,"a"]', [1, 9007199254740993n, 'a']],
    ['', ''],
    ['007', '007'],
    ['2026-01-31', '2026-01-31'],
    ['NaN', 'NaN'],
    ['-Infinity', '-Infinity'],
    ['a=b', 'a=b'],
    ['"open', '"open'],
  ])('%s', (text, value) => {
    expect(parseParams([`k=${text}`])).toEqual({ k: value })
  })

  it('takes $name for the name', () => {
    expect(parseParams(['$a=1', 'b=2'])).toEqual({ a: 1, b: 2 })
  })

  it.each([[['a']], [['=1']], [['$=1']], [['a=1', '$a=2']]])('refuses %j', (pairs) => {
    expect(() => parseParams(pairs)).toThrow(expect.objectContaining({ code: 'config.usage' }))
  })
})
