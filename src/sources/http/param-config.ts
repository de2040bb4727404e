import { z } from 'zod'
import { toDuckdbType, typeNames } from './data-type.js'

export const typeName = z.string().refine((name) => toDuckdbType(name) !== undefined, {
  error: `expected a type: ${typeNames.join(', ')} or decimal(width,scale)`,
})

const scalar = z.union([z.string(), z.number(), z.boolean()], { error: 'expected a text, a number, true or false' })

const operatorNames = ['=', 'in', '>', '>=', '<', '<='] as const
const operator = z
  .string()
  .transform((text) => text.toLowerCase())
  .pipe(z.enum(operatorNames, { error: `expected one of ${operatorNames.join(', ')}` }))

const explode = z.union(
  [
    z.boolean(),
    z.strictObject({
      separator: z.string().min(1).max(8).optional().describe('One value with the parts joined; else repeated pairs.'),
      max: z.int().min(1).max(10_000).default(50).describe('Most values of one request.'),
    }),
  ],
  { error: 'expected true (repeated pairs), or separator and max' },
)

const derive = z.discriminatedUnion(
  'kind',
  [
    z.strictObject({
      kind: z.literal('ago'),
      seconds: z.number().min(0).max(3_155_760_000).describe('Sent while a query puts no condition: now minus this.'),
    }),
    z.strictObject({
      kind: z.literal('split'),
      from: z.string().min(1).describe('Parameter whose value is taken apart.'),
      separator: z.string().min(1),
      part: z.int().min(0).max(100).describe('Which part, from 0.'),
    }),
  ],
  { error: 'expected kind: ago or split' },
)

export const param = z.strictObject({
  name: z.string().min(1).max(128).describe('Column of the table, and name in the request.'),
  description: z.string().optional(),
  type: typeName.optional(),
  required: z.boolean().optional().describe('A query must give it with = or IN.'),
  default: scalar.optional().describe('Sent while a query puts no condition on the column.'),
  any: scalar.optional().describe('Value that asks for all rows; sent when a condition is not = or IN.'),
  filterable: z.boolean().optional().describe('false: conditions are not sent; the default is always asked with.'),
  exact: z.boolean().optional().describe('The API applies the value exactly as SQL compares; allows LIMIT to be sent.'),
  in: z.enum(['path', 'query', 'header', 'body']).optional(),
  accepts: z.array(operator).min(1).optional().describe('Operators that the API applies; = and IN by default.'),
  emit: z
    .partialRecord(z.enum(operatorNames), z.string().min(1).max(128), {
      error: `expected names of parameters by operator: ${operatorNames.join(', ')}`,
    })
    .optional()
    .describe('Name in the request by operator; the parameter’s own by default.'),
  explode: explode.optional().describe('Many values of IN, or keys of a join, in one request.'),
  derive: derive.optional(),
})
