import { z } from 'zod'
import { parseJsonPath, parseRowsPath } from './json-path.js'
import { expr } from './expr-config.js'
import { typeName } from './param-config.js'

const bodyPath = z.string().refine((text) => parseRowsPath(text) !== undefined, {
  error: 'expected a path such as $.error or $.meta.status',
})

const column = z
  .strictObject({
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
    sql: z
      .string()
      .min(1)
      .max(10_000)
      .optional()
      .describe("Instead of source: an SQL expression over row, the raw row as JSON, such as row->>'$.user.login'."),
    expr: expr.optional().describe('Instead of source: how the value is made, in parts.'),
  })
  .refine((given) => [given.source, given.sql, given.expr].filter((part) => part !== undefined).length <= 1, {
    error: 'source, sql and expr exclude each other',
  })

const pointKey = z.union([z.int().min(0), z.string().min(1)])

const reshape = z.discriminatedUnion(
  'kind',
  [
    z
      .strictObject({ kind: z.literal('dict_entries') })
      .describe('Each member of the object is a row with key and value.'),
    z
      .strictObject({
        kind: z.literal('series_points'),
        series: bodyPath.optional().describe('From the rows’ path to the series; the path itself by default.'),
        points: bodyPath.describe('From a series to its points.'),
        timestamp: pointKey.default(0).describe('Place or key in a point.'),
        value: pointKey.default(1).describe('Place or key in a point.'),
      })
      .describe('Each point is a row with timestamp, value and the other keys of its series.'),
  ],
  { error: 'expected kind: dict_entries or series_points' },
)

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

export const response = z
  .strictObject({
    path: z
      .string()
      .refine((text) => parseRowsPath(text) !== undefined, { error: 'expected a path such as $ or $.data.items' })
      .default('$'),
    schema: z.array(column).min(1).optional().describe('Columns; learned from a first answer when left out.'),
    allow_404_empty: z.boolean().default(false),
    reshape: reshape.optional().describe('Makes rows of an answer that is no array of objects.'),
    format: z
      .enum(['json', 'ndjson', 'csv'])
      .optional()
      .describe('By Content-Type when left out. Values of CSV are texts, which become the columns’ types.'),
    error: errorShape.optional(),
  })
  .refine(
    ({ format, path, reshape: form }) =>
      format === undefined || format === 'json' || (path === '$' && form === undefined),
    {
      path: ['format'],
      error: 'the rows of ndjson and csv are the whole answer: leave path and reshape out',
    },
  )
