import { describe, expect, test } from 'vitest'
import { QuerentError } from '../errors/querent-error.js'
import { defaultLimits, effectiveLimits } from './limits.js'

describe('effectiveLimits', () => {
  test('are the defaults where nobody says anything', () => {
    expect(effectiveLimits({}, {})).toEqual({ ...defaultLimits, lowered: [] })
  })

  test('follow a wish below the cap', () => {
    const limits = effectiveLimits({ maxRows: 500 }, { maxRows: 10, timeoutMs: 1_000 })
    expect(limits).toEqual({ maxRows: 10, maxChars: 50_000, timeoutMs: 1_000, lowered: [] })
  })

  test('keep the cap above which a wish lies, and say so', () => {
    const limits = effectiveLimits({ maxRows: 500 }, { maxRows: 501, maxChars: 50_001 })
    expect(limits).toEqual({ maxRows: 500, maxChars: 50_000, timeoutMs: 30_000, lowered: ['maxRows', 'maxChars'] })
  })

  test('let the workspace raise the defaults', () => {
    expect(effectiveLimits({ maxRows: 5_000 }, { maxRows: 4_000 }).maxRows).toBe(4_000)
  })

  test.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])('refuse a wish of %d', (value) => {
    for (const name of ['maxRows', 'maxChars', 'timeoutMs'] as const) {
      const attempt = (): unknown => effectiveLimits({}, { [name]: value })
      expect(attempt).toThrow(QuerentError)
      expect(attempt).toThrow(`${name} cannot be ${value}.`)
    }
  })
})
