import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fitWidth } from './fit-width.js'
import { indentedJson, jsonText } from './json-text.js'
import { terminalText } from './terminal-text.js'

/** Written out again here: the test must not believe the pattern that it tests. */
function isHarmful(character: string): boolean {
  const code = character.codePointAt(0) ?? 0
  const ranges: readonly (readonly [number, number])[] = [
    [0x00, 0x1f],
    [0x7f, 0x9f],
    [0xad, 0xad],
    [0x61c, 0x61c],
    [0x115f, 0x1160],
    [0x180b, 0x180f],
    [0x200b, 0x200f],
    [0x2028, 0x202e],
    [0x2060, 0x206f],
    [0x3164, 0x3164],
    [0xd800, 0xdfff],
    [0xfe00, 0xfe0f],
    [0xfeff, 0xfeff],
    [0xffa0, 0xffa0],
    [0xe0000, 0xe0fff],
  ]
  return ranges.some(([first, last]) => code >= first && code <= last)
}

const texts = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc
    .array(
      fc.constantFrom(
        '\u001b[2J',
        '\u0007',
        '\r',
        '\u202e',
        '\u2066',
        '\u200b',
        '\u061c',
        '\u009b',
        '\u{e0041}',
        'a',
        '\ud800',
      ),
    )
    .map((parts) => parts.join('')),
)

describe('terminalText', () => {
  it('never leaves a character that controls, hides or reorders', () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(Array.from(terminalText(text)).filter(isHarmful)).toEqual([])
        expect(
          Array.from(terminalText(text, { multiline: true }))
            .filter(isHarmful)
            .join(''),
        ).toMatch(/^[\n\t]*$/)
      }),
    )
  })

  it('leaves all other text as it is', () => {
    for (const text of ['plain', 'Zürich, 東京 — “quoted”', 'e\u0301', '😀', String.raw`back\slash`]) {
      expect(terminalText(text)).toBe(text)
    }
  })

  it('shows what it found', () => {
    expect(terminalText('\u001b[31m\n\t\r\u202e\u{e0041}')).toBe(String.raw`\x1b[31m\n\t\r\u202e\u{e0041}`)
    expect(terminalText('a\nb\tc\r', { multiline: true })).toBe('a\nb\tc\\r')
  })
})

describe('JSON', () => {
  it('is harmless too, and the same value', () => {
    fc.assert(
      fc.property(texts, texts, (key, text) => {
        const value = { [key]: [text, 1, null] }
        for (const json of [jsonText(value), indentedJson(value)]) {
          expect(Array.from(json).filter((character) => character !== '\n' && isHarmful(character))).toEqual([])
          expect(JSON.parse(json)).toEqual(value)
        }
      }),
    )
  })
})

describe('fitWidth', () => {
  it('keeps to the width, marks what it cut, and cuts no grapheme', () => {
    const width = (text: string): number => Array.from(text).length
    expect(fitWidth('abcdef', 6, width)).toBe('abcdef')
    expect(fitWidth('abcdefg', 6, width)).toBe('abcde…')
    expect(fitWidth('e\u0301e\u0301e\u0301', 2, () => 3)).toBe('…')
    expect(fitWidth('ae\u0301bc', 3, (text) => Array.from(text.normalize('NFC')).length)).toBe('ae\u0301…')
  })
})
