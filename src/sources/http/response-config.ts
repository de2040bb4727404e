import { z } from 'zod'
import { parseJsonPath, parseRowsPath } from './json-path.js'
import { notYet } from './not-yet.js'
import { typeName } from './param-config.js'

const bodyPath = z.string().refine((text) => parseRowsPath(text) !== undefined, {
  error: 'expected a path such as $.error or $.meta.status',
})

const column = z.strictObject({
  name: z.string().min(1).max(128),
  type: typeName,
  description: z.string().optional(),
  source: z
    .string()
    .refine((text) => text === 'param' || parseJsonPath(text) !== undefined, {
      error: 'expected a path such as $.user.login, $ for the whole row, or param',
    })
    .optional()
    .describe('Where the value lies in the row; the key of the same name by default.'),
  expr: notYet,
})

const expectedStatus = 'expected a status such as 404, "5xx" or ">=400"'

const statusRule = z.union(
  [z.int().min(100).max(599), z.string().regex(/^(?:(?:>=|<=|>|<)?\s*[1-5]\d\d|[1-5]xx)$/i, { error: expectedStatus })],
  { error: expectedStatus },
)

const errorShape = z
  .strictObject({
    path: z
      .union([bodyPath, z.array(bodyPath).min(1)])
      .optional()
      .describe('Where an answer says that it failed or is not whole: an error if there is something.'),
    status: z
      .array(statusRule)
      .min(1)
      .optional()
      .describe('Statuses that are errors beside those that always are: all but 200, 201, 203 and 204.'),
  })
  .refine(({ path, status }) => path !== undefined || status !== undefined, { error: 'give path or status' })

export const response = z.strictObject({
  path: z
    .string()
    .refine((text) => parseRowsPath(text) !== undefined, { error: 'expected a path such as $ or $.data.items' })
    .default('$'),
  schema: z.array(column).min(1).optional().describe('Columns; learned from a first answer when left out.'),
  allow_404_empty: z.boolean().default(false),
  reshape: notYet,
  error: errorShape.optional(),
})
