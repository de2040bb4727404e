import type { Tool } from '@modelcontextprotocol/server'
import { z } from 'zod'

/** Inputs of the SQL-mode tools. The HTTP API takes the same. Strict: an unknown name is an error. */
export const searchTablesInput = z.strictObject({
  query: z.string().exactOptional().describe('Words to find; omit to list all'),
  source: z.string().exactOptional(),
  detail: z.enum(['names', 'summary', 'full']).exactOptional().describe('Default summary; full adds columns'),
  limit: z.number().int().min(1).max(200).exactOptional(),
  cursor: z.string().exactOptional().describe('nextCursor of the page before'),
})

export const describeTableInput = z.strictObject({
  table: z.string().min(1).describe('As search_tables names it'),
})

const params = z
  .union([z.record(z.string(), z.unknown()), z.array(z.unknown())])
  .describe('Object for $name, array for ?')

export const queryInput = z.strictObject({
  sql: z.string().describe('One statement in the DuckDB dialect'),
  params: params.exactOptional(),
  maxRows: z.number().int().min(1).exactOptional().describe('Lowers the cap'),
  timeoutMs: z.number().int().min(1).exactOptional(),
  saveAs: z.string().min(1).exactOptional().describe('Keep the whole result as scratch.<saveAs>'),
  scratch: z.string().exactOptional().describe('Handle from the call that saved'),
})

export const explainQueryInput = z.strictObject({
  sql: z.string(),
  params: params.exactOptional(),
})

export const fetchResultInput = z.strictObject({
  result: z.string().min(1).describe('Handle that query answered'),
  offset: z.number().int().min(0).exactOptional(),
  limit: z.number().int().min(1).exactOptional(),
  format: z.enum(['json', 'csv', 'parquet']).exactOptional().describe('Answer a link to the whole result as a file'),
})

export const cancelQueryInput = z.strictObject({
  queryId: z.string().min(1),
})

/** The schema as tools/list shows it: without what costs tokens and says nothing. */
export function advertisedSchema(schema: z.ZodObject): Tool['inputSchema'] {
  const json = z.toJSONSchema(schema, {
    io: 'input',
    override: ({ jsonSchema }) => {
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
      delete jsonSchema.propertyNames
      if (isEmptyObject(jsonSchema.additionalProperties)) delete jsonSchema.additionalProperties
      delete jsonSchema.minLength
    },
  })
  const { properties, required } = json
  return {
    type: 'object',
    properties: (properties ?? {}) as NonNullable<Tool['inputSchema']['properties']>,
    ...(required === undefined ? {} : { required }),
    additionalProperties: false,
  }
}

function isEmptyObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}
