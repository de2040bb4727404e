import { expect, test } from 'vitest'
import { sanitizeText } from './sanitize-text.js'

test.each([
  ['plain name', 'plain name'],
  ['a\u202eb\u2066c\u200b\ufeffd\u00ade', 'abcde'],
  ['a\x1b[31mb\x07\0\x9b', 'a[31mb'],
  ['tags\u{e0041}\u{e007f} and \ufe0f', 'tags and'],
  ['line\r\n\u2028 break\t', 'line break'],
  ['\ud800x', 'x'],
  ['naïve 日本語 😀', 'naïve 日本語 😀'],
])('%j is shown as %j', (text, shown) => {
  expect(sanitizeText(text, 100)).toBe(shown)
})

test('is cut with a mark, never inside a character', () => {
  expect(sanitizeText('abcdef', 4)).toBe('abc…')
  expect(sanitizeText('ab😀ef', 4)).toBe('ab…')
  expect(sanitizeText('x'.repeat(10_000_000), 10)).toBe(`${'x'.repeat(9)}…`)
})
