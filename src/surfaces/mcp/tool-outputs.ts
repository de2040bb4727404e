import type { Tool } from '@modelcontextprotocol/server'

type OutputSchema = NonNullable<Tool['outputSchema']>

const text = { type: 'string' }
const flag = { type: 'boolean' }
const count = { type: 'integer' }
const texts = { type: 'array', items: text }
const rows = { type: 'array', items: { type: 'array' } }
const objects = { type: 'array', items: { type: 'object' } }

/**
 * Shapes of the answers, open: no `additionalProperties`, since a client throws on a key that a closed schema lacks.
 * Short: they stand in every tools/list.
 */
export const searchTablesOutput: OutputSchema = {
  type: 'object',
  properties: { tables: objects, total: count, nextCursor: text },
  required: ['tables', 'total'],
}

export const describeTableOutput: OutputSchema = {
  type: 'object',
  properties: { table: text, description: text, columns: objects, examples: texts },
  required: ['table', 'columns'],
}

export const queryOutput: OutputSchema = {
  type: 'object',
  properties: {
    success: flag,
    truncated: flag,
    partial: flag,
    warning: text,
    columns: texts,
    columnTypes: texts,
    rows,
    rowCount: count,
    totalRows: count,
    result: text,
    scratch: text,
    queryId: text,
    elapsedMs: { type: 'number' },
    sources: objects,
  },
  required: ['success', 'columns', 'columnTypes', 'rows', 'rowCount', 'queryId'],
}

export const explainQueryOutput: OutputSchema = {
  type: 'object',
  properties: { scans: objects, requests: { type: 'object' }, refusal: { type: 'object' }, notes: texts },
  required: ['scans', 'requests'],
}

export const fetchResultOutput: OutputSchema = {
  type: 'object',
  properties: { columns: texts, rows, rowCount: count, totalRows: count, complete: flag, nextOffset: count },
  required: ['totalRows', 'complete'],
}

export const cancelQueryOutput: OutputSchema = {
  type: 'object',
  properties: { cancelled: flag },
  required: ['cancelled'],
}
