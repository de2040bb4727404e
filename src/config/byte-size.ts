import { z } from 'zod'

const unitBytes = {
  B: 1,
  KB: 1000,
  MB: 1000 ** 2,
  GB: 1000 ** 3,
  TB: 1000 ** 4,
  KIB: 1024,
  MIB: 1024 ** 2,
  GIB: 1024 ** 3,
  TIB: 1024 ** 4,
} as const
const pattern = /^(\d+(?:\.\d+)?)\s*([KMGT]?i?B)$/i

const expected = 'expected a size such as 500KB, 64MB, 2GB, 1GiB, or a whole number of bytes'

/** A size such as `64MB` (a million bytes each, as DuckDB counts), `1GiB`, or a whole number of bytes. Parses to bytes. */
export const byteSize = z
  .union([z.int({ error: expected }).min(0, { error: expected }), z.string().regex(pattern, { error: expected })], {
    error: (issue) => (issue.input === undefined ? undefined : expected),
  })
  .transform(toBytes)

function toBytes(value: string | number): number {
  if (typeof value === 'number') return value
  const [, amount, unit] = pattern.exec(value) ?? []
  return Math.round(Number(amount) * unitBytes[(unit ?? 'B').toUpperCase() as keyof typeof unitBytes])
}
