import { z } from 'zod'
import { fileFormats, formatOfName, type FileFormat } from './file-format.js'
import {
  csvOptionsSchema,
  jsonOptionsSchema,
  manyFilesSchema,
  optionsSchemaOf,
  parquetOptionsSchema,
} from './reader-options.js'

const name = z.string().min(1)

const declaredColumn = z.strictObject({
  name: name.describe('As the file names the column.'),
  type: name.describe('A type of DuckDB, such as VARCHAR, BIGINT or DECIMAL(18,2).'),
  description: z.string().optional(),
})

const safetySchema = z.strictObject({
  require_filters_on: z.array(name).optional().describe('A query must put a condition on each of these columns.'),
  require_at_least_one_filter: z.boolean().optional().describe('A query must put a condition on some column.'),
})
export type FileSafety = z.infer<typeof safetySchema>

const tableSchema = manyFilesSchema
  .extend({
    name: name.describe('The table is read as <source>.<name>.'),
    path: z
      .union([name, z.array(name).min(1)])
      .describe('A file, a folder, or a pattern such as ./data/**/*.csv; relative to the workspace file.'),
    format: z.enum(fileFormats).optional().describe('From the file name by default.'),
    options: z
      .record(z.string(), z.unknown())
      .optional()
      .meta({ anyOf: [csvOptionsSchema, jsonOptionsSchema, parquetOptionsSchema].map((part) => z.toJSONSchema(part)) })
      .describe('How the files are written: options of the reader of the format.'),
    schema: z
      .array(declaredColumn)
      .min(1)
      .optional()
      .describe('The columns to read, with their types. Learned by default.'),
    description: z.string().optional().describe('What the table holds, for search and describe_table.'),
    wiki: z.string().optional().describe('Advice to a model, shown by describe_table.'),
    examples: z.array(name).optional().describe('Statements; querent check runs them.'),
    safety: safetySchema.optional(),
  })
  .superRefine((table, context) => {
    refuseDuplicates(table.schema?.map((column) => column.name) ?? [], 'column', ['schema'], context)
    checkOptions(table, context)
  })

/** One entry of `sources:` with `kind: file`. */
export const fileConfigSchema = z
  .strictObject({
    name,
    kind: z.literal('file'),
    description: z.string().optional(),
    wiki: z.string().optional(),
    examples: z.array(name).optional(),
    config: z.strictObject({}).optional(),
    safety: safetySchema.optional().describe('For all tables of the source that have no safety of their own.'),
    tables: z.array(tableSchema).min(1),
  })
  .superRefine((source, context) => {
    refuseDuplicates(
      source.tables.map((table) => table.name),
      'table',
      ['tables'],
      context,
    )
  })

export type FileConfig = z.infer<typeof fileConfigSchema>
export type FileTableConfig = FileConfig['tables'][number]

/** The format that a table's config tells; undefined where only the files themselves can. */
export function configuredFormat(table: Pick<FileTableConfig, 'format' | 'path'>): FileFormat | undefined {
  if (table.format !== undefined) return table.format
  const formats = new Set([table.path].flat().map(formatOfName))
  return formats.size === 1 ? [...formats][0] : undefined
}

function checkOptions(table: Pick<FileTableConfig, 'format' | 'path' | 'options'>, context: z.RefinementCtx): void {
  if (table.options === undefined || Object.keys(table.options).length === 0) return
  const format = configuredFormat(table)
  if (format === undefined) {
    context.addIssue({ code: 'custom', path: ['format'], message: `options need a format: ${fileFormats.join(', ')}` })
    return
  }
  const checked = optionsSchemaOf(format).safeParse(table.options)
  for (const issue of checked.error?.issues ?? []) context.addIssue({ ...issue, path: ['options', ...issue.path] })
}

function refuseDuplicates(
  names: readonly string[],
  thing: string,
  path: readonly string[],
  context: z.RefinementCtx,
): void {
  const seen = new Set<string>()
  for (const [index, text] of names.entries()) {
    const key = text.toLowerCase()
    const message = `there are two ${thing}s with the name ${text}`
    if (seen.has(key)) context.addIssue({ code: 'custom', path: [...path, index, 'name'], message })
    seen.add(key)
  }
}
