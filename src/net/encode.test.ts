import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkHeaderValue, encodePathSegment, encodeQueryPart } from './encode.js'

test('any value in a path is refused or stays one segment that decodes to it', () => {
  const value = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.constantFrom('.', '/', '\\', '%2e', '%2F', '?', '#', ';', '\0', '\n', 'a', '%') }),
  )
  fc.assert(
    fc.property(value, (text) => {
      const encoded = encodePathSegment(text)
      if ('refused' in encoded) return
      const url = new URL(`http://host/a/${encoded.text}/z`)
      expect(url.pathname.split('/')).toHaveLength(4)
      expect(decodeURIComponent(url.pathname.split('/')[2] ?? '')).toBe(text)
      expect(url.search + url.hash).toBe('')
    }),
    { numRuns: 2_000 },
  )
})

test('any value in a query is refused or comes back whole', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const encoded = encodeQueryPart(text)
      if ('refused' in encoded) return
      expect([...new URL(`http://host/?q=${encoded.text}&z=1`).searchParams]).toEqual([
        ['q', text],
        ['z', '1'],
      ])
    }),
    { numRuns: 2_000 },
  )
})

test('headers take Latin-1 without line breaks', () => {
  expect(checkHeaderValue('é ok')).toEqual({ text: 'é ok' })
  for (const value of ['a\r\nb', 'a\0', '€', ' a', 'a'.repeat(9_000)])
    expect(checkHeaderValue(value)).toHaveProperty('refused')
})
