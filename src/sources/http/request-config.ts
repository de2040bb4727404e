import { z } from 'zod'

export const method = z.enum(['GET', 'POST'], { error: 'expected GET or POST' })

export const body = z.strictObject({
  kind: z.enum(['json', 'form']).default('json'),
  template: z
    .union([z.string(), z.record(z.string(), z.unknown()), z.array(z.unknown())])
    .optional()
    .describe('The body with {param} where a parameter stands; it is parsed first, and values are put in as values.'),
})

/** Another way to ask for the rows of a table, chosen by the conditions that a query gives. */
export const conditionalRequest = z.strictObject({
  when_filters: z.array(z.string().min(1)).min(1).describe('Parameters that must have a value from the query.'),
  endpoint: z.string(),
  method: method.default('GET'),
  body: body.optional(),
})

export type BodyConfig = z.output<typeof body>
