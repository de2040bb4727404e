import { z } from 'zod'

/** The name of a source or a table, usable in SQL without quotes. */
export const identifier = z
  .string()
  .max(128)
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, {
    error: 'expected a name of letters, digits and _ that does not begin with a digit',
  })
