import { z } from 'zod'
import { duration } from './duration.js'

/** Rules of a source or a table, obeyed for each scan. Key names are the field's; the parsed form has units. */
export const safety = z
  .strictObject({
    /** Columns that a query must put a condition on. */
    require_filters_on: z.array(z.string().min(1)).optional(),
    require_at_least_one_filter: z.boolean().optional(),
    /** Conditions in SQL that are added to every scan. */
    required_predicates: z.array(z.string().min(1)).optional(),
    max_rows: z.int().min(1).optional(),
    max_pages: z.int().min(1).optional(),
    timeout: duration.optional(),
  })
  .transform((rules) => ({
    requireFiltersOn: rules.require_filters_on ?? [],
    requireAtLeastOneFilter: rules.require_at_least_one_filter ?? false,
    requiredPredicates: rules.required_predicates ?? [],
    maxRows: rules.max_rows,
    maxPages: rules.max_pages,
    timeoutMs: rules.timeout,
  }))

export type Safety = z.output<typeof safety>
