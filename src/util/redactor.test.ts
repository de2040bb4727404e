import fc from 'fast-check'
import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { redactor } from './redactor.js'
import { Secret } from './secret.js'

describe('Secret', () => {
  it('prints as *** in every way of printing', () => {
    const secret = new Secret('hush-hush', 'TOKEN')
    const texts = [
      String(secret),
      [secret].join(),
      ('' as string) + (secret as unknown as string),
      JSON.stringify({ secret, list: [secret] }),
      inspect({ secret }, { depth: 9, showHidden: true }),
      inspect(secret),
      JSON.stringify(Object.entries(secret)),
    ]
    for (const text of texts) expect(text).not.toContain('hush')
    expect(secret.reveal()).toBe('hush-hush')
  })
})

describe('redactor', () => {
  const redact = (text: string, ...values: string[]): string =>
    redactor(values.map((value) => new Secret(value, 'X')))(text)

  it('hides every occurrence, longest first, and leaves the rest', () => {
    expect(redact('a tokentoken-1 b token-1', 'token-1', 'token-1234')).toBe('a token*** b ***')
    expect(redact('token-1234', 'token-1', 'token-1234')).toBe('***')
    expect(redact('nothing here', 'token-1')).toBe('nothing here')
    expect(redact('a.b*c', 'a.b*c')).toBe('***')
  })

  it('hides a short value only as a word, and an empty one nowhere', () => {
    expect(redact('x = 7, 77, 7', '7')).toBe('x = ***, 77, ***')
    expect(redact('abc', '')).toBe('abc')
  })

  it('hides a value in a URL, a JSON text, and base64 at any place, for any value', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 8, maxLength: 40, unit: 'binary' }),
        fc.string({ maxLength: 7 }),
        (value, before) => {
          const bytes = Buffer.from(`${before}${value}`)
          for (const text of [
            value,
            encodeURIComponent(Buffer.from(value).toString()),
            new URLSearchParams({ q: value }).toString(),
            JSON.stringify({ q: value }),
            bytes.toString('base64'),
            bytes.toString('base64url'),
          ]) {
            expect(redact(text, value)).toContain('***')
          }
        },
      ),
    )
  })
})
