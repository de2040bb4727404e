import { z } from 'zod'
import { identifier } from './identifier.js'

/** Keys that every source has beside `kind`; spread into a kind's `z.strictObject`. */
export const sourceCommon = {
  name: identifier,
  description: z.string().optional(),
  /** Advice to a model, shown by `describe_table`. */
  wiki: z.string().optional(),
  /** Statements that must run; `querent check` runs them. */
  examples: z.array(z.string().min(1)).optional(),
}

/** Keys that every table has; spread into a table's `z.strictObject`. */
export const tableCommon = {
  name: identifier,
  description: z.string().optional(),
  wiki: z.string().optional(),
  examples: z.array(z.string().min(1)).optional(),
}
