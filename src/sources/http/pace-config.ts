import { z } from 'zod'
import { headerName } from './header-config.js'

/** Attempts after a passing failure. */
export const retry = z.strictObject({
  max_retries: z.int().min(0).max(10).optional(),
  base_backoff_ms: z.int().min(1).max(60_000).optional(),
  max_backoff_ms: z.int().min(1).max(300_000).optional(),
})

/** The pace that the API allows, for all scans of the source together. */
export const rateLimit = z
  .strictObject({
    requests_per_second: z.number().min(0.001).max(10_000).optional(),
    remaining_header: headerName.optional().describe('Header that says how many requests are left.'),
    reset_header: headerName
      .optional()
      .describe('Header that says when there are more: seconds from now, seconds since 1970, or a date.'),
    extra_statuses: z
      .array(z.int().min(400).max(599))
      .min(1)
      .optional()
      .describe('Statuses that mean too many requests, beside 429.'),
  })
  .refine((given) => (given.remaining_header === undefined) === (given.reset_header === undefined), {
    error: 'remaining_header and reset_header belong together',
  })
