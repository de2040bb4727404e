import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { quoteLongNumbers } from './long-numbers.js'

describe('quoteLongNumbers', () => {
  it('quotes numbers beyond a double, and nothing else', () => {
    const json =
      '{"a":1.23456789012345678,"b":-0.1234567890123456789e-5,"c":12345678901234567890,"d":1.5,"1.23456789012345678":"\\"1.23456789012345678"}'
    expect(quoteLongNumbers(json)).toBe(
      '{"a":"1.23456789012345678","b":"-0.1234567890123456789e-5","c":12345678901234567890,"d":1.5,"1.23456789012345678":"\\"1.23456789012345678"}',
    )
  })

  it('changes no value of any JSON', () => {
    const loose = (value: unknown): string =>
      JSON.stringify(value, (_, item: unknown) => (typeof item === 'number' ? String(item) : item))
    const back = (json: string): string =>
      loose(
        JSON.parse(json, (_, item: unknown) =>
          typeof item === 'string' && /^-?\d+\.?\d*(e[+-]?\d+)?$/.test(item) ? Number(item) : item,
        ),
      )
    fc.assert(
      fc.property(fc.json(), (json) => {
        expect(back(quoteLongNumbers(json))).toBe(back(json))
      }),
    )
  })
})
