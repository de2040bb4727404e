import { z } from 'zod'

const name = z.string().min(1)

const database = name
  .refine((path) => !/^:memory:/i.test(path), {
    error: 'a database in memory is empty and shared with nobody: name a file',
  })
  .describe('A DuckDB database file, relative to the workspace file.')

const tableSchema = z.strictObject({
  name: name.describe('As in the database; <schema>.<table> where it is not in the schema main.'),
  description: z.string().optional().describe('In place of the comment in the database.'),
  wiki: z.string().optional().describe('Advice to a model, shown by describe_table.'),
  examples: z.array(name).optional().describe('Statements; querent check runs them.'),
  columns: z.record(name, z.strictObject({ description: z.string() })).optional(),
})

/** One entry of `sources:` with `kind: duckdb`. */
export const duckdbConfigSchema = z
  .strictObject({
    name,
    kind: z.literal('duckdb'),
    description: z.string().optional(),
    wiki: z.string().optional(),
    examples: z.array(name).optional(),
    path: database.optional().describe('Short for config.path.'),
    config: z.strictObject({ path: database }).optional(),
    tables: z.array(tableSchema).min(1).optional().describe('Only these tables can be read. Default: all.'),
  })
  .superRefine((source, context) => {
    if ((source.path === undefined) === (source.config === undefined)) {
      context.addIssue({ code: 'custom', path: ['path'], message: 'exactly one of path and config.path is needed' })
    }
  })

export type DuckdbConfig = z.infer<typeof duckdbConfigSchema>
export type DuckdbTableConfig = NonNullable<DuckdbConfig['tables']>[number]
