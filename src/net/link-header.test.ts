import fc from 'fast-check'
import { expect, test } from 'vitest'
import { linkTarget, parseLinkHeader } from './link-header.js'

test('reads several entries, quoted, bare and with other parameters', () => {
  const value =
    '<https://x/?a=1,2;3>; rel="prev first"; title="a;b, \\"c\\"", </next?page=2> ;  REL = Next;rel=last , <u>'
  expect(parseLinkHeader(value)).toEqual([
    { target: 'https://x/?a=1,2;3', relations: ['prev', 'first'] },
    { target: '/next?page=2', relations: ['next'] },
    { target: 'u', relations: [] },
  ])
  expect(linkTarget(value, 'next')).toBe('/next?page=2')
  expect(linkTarget(value, 'last')).toBeUndefined()
})

test.each(['', 'x', '<a', 'rel=next', '; rel=next', '<a>; rel="next'])('%j names no next page', (value) => {
  expect(linkTarget(value, 'next')).toBeUndefined()
})

test('ends for any text', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('<', '>', ';', ',', '"', '\\', ' ', '=', 'rel', 'next') }),
      (value) => {
        expect(parseLinkHeader(value).length).toBeLessThanOrEqual(64)
      },
    ),
  )
})

test('a long hostile header is read in linear time', () => {
  expect(parseLinkHeader(`<a>${'; a="'.repeat(20_000)}`)).toHaveLength(1)
  expect(parseLinkHeader('<a>;rel=next,'.repeat(20_000))).toHaveLength(64)
})
