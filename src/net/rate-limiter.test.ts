import { expect, test } from 'vitest'
import { parseReset } from './rate-limiter.js'

const now = Date.parse('2026-01-31T12:00:00Z')

test.each([
  ['30', 30_000],
  ['0.5', 500],
  [String(now / 1_000 + 60), 60_000],
  [String(now + 60_000), 60_000],
  [String(now / 1_000 - 60), 0],
  ['2026-01-31T12:01:00Z', 60_000],
  ['Sat, 31 Jan 2026 12:01:00 GMT', 60_000],
  ['soon', undefined],
  ['-1', undefined],
  ['', undefined],
  [undefined, undefined],
])('%s is %s', (value, ms) => {
  expect(parseReset(value, now)).toBe(ms)
})
