import { expect, test } from 'vitest'
import { backoffMs, defaultRetryPolicy, parseRetryAfter } from './retry.js'

test('Retry-After is seconds or a date', () => {
  const now = Date.parse('2024-01-01T00:00:00Z')
  expect(parseRetryAfter('120', now)).toBe(120_000)
  expect(parseRetryAfter('Mon, 01 Jan 2024 00:00:05 GMT', now)).toBe(5_000)
  expect(parseRetryAfter('Sun, 31 Dec 2023 00:00:05 GMT', now)).toBe(0)
  for (const value of [undefined, '', 'soon', '-1', '1.5', '99999999999'])
    expect(parseRetryAfter(value, now)).toBeUndefined()
})

test('waits grow with jitter up to a ceiling, and end', () => {
  const policy = { ...defaultRetryPolicy, maxRetries: 10, baseBackoffMs: 100, maxBackoffMs: 350 }
  expect([1, 2, 3, 4].map((attempt) => backoffMs(policy, attempt, undefined, () => 1))).toEqual([100, 200, 350, 350])
  expect(backoffMs(policy, 1, undefined, () => 0)).toBe(0)
  expect(backoffMs(policy, 11, undefined)).toBeUndefined()
  expect(backoffMs(policy, 1, 2_000, () => 0)).toBe(2_000)
  expect(backoffMs(policy, 1, 86_400_000)).toBeUndefined()
})
