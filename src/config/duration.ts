import { z } from 'zod'

const unitMs = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const
const pattern = /^(\d+(?:\.\d+)?)\s*(ms|s|m|h|d)$/

const expected = 'expected a time such as 500ms, 30s, 5m, 2h, 7d, or a whole number of milliseconds'

/** A time such as `30s`, `5m`, `1.5h`, or a whole number of milliseconds. Parses to milliseconds. */
export const duration = z
  .union([z.int({ error: expected }).min(0, { error: expected }), z.string().regex(pattern, { error: expected })], {
    error: (issue) => (issue.input === undefined ? undefined : expected),
  })
  .transform(toMs)

function toMs(value: string | number): number {
  if (typeof value === 'number') return value
  const [, amount, unit] = pattern.exec(value) ?? []
  return Math.round(Number(amount) * unitMs[unit as keyof typeof unitMs])
}
