import type { CallToolResult, Tool, ToolAnnotations } from '@modelcontextprotocol/server'
import type { z } from 'zod'
import { QuerentError } from '../../errors/querent-error.js'
import type { ResultPage, Workspace } from '../../workspace/workspace.js'
import { fitExplanation } from './fit-explanation.js'
import { fitPage, searchTables } from './fit-pages.js'
import type { McpRequest, ToolEntry } from './offer.js'
import { parseArguments } from './parse-arguments.js'
import { fitTable, toTableAnswer } from './table-answer.js'
import {
  advertisedSchema,
  cancelQueryInput,
  describeTableInput,
  explainQueryInput,
  fetchResultInput,
  queryInput,
  searchTablesInput,
} from './tool-inputs.js'
import {
  cancelQueryOutput,
  describeTableOutput,
  explainQueryOutput,
  fetchResultOutput,
  queryOutput,
  searchTablesOutput,
} from './tool-outputs.js'
import { answer } from './tool-result.js'
import { resultUri, type ResultFormat } from './uris.js'

export interface SqlToolsOptions {
  /** `query` may write: its annotations say so. */
  readonly readWrite: boolean
  /** Longest text block, in characters as they stand in the message. */
  readonly maxChars: number
}

const readOnly: ToolAnnotations = { readOnlyHint: true, destructiveHint: false, openWorldHint: true }
const closedWorld: ToolAnnotations = { readOnlyHint: true, destructiveHint: false, openWorldHint: false }
const writing: ToolAnnotations = { readOnlyHint: false, destructiveHint: true, openWorldHint: true }

/** The six tools of SQL mode, in the order in which a model needs them. */
export function sqlTools(workspace: Workspace, options: SqlToolsOptions): readonly ToolEntry[] {
  const { maxChars } = options
  return [
    tool({
      name: 'search_tables',
      title: 'Search tables',
      description: 'Find tables by words in their names, columns and descriptions. Start here.',
      input: searchTablesInput,
      outputSchema: searchTablesOutput,
      annotations: closedWorld,
      run: async (args, { call }) => {
        const search = { ...args, detail: args.detail ?? 'summary' }
        return answer(await searchTables(search, (narrowed) => workspace.tables(narrowed, call), maxChars))
      },
    }),
    tool({
      name: 'describe_table',
      title: 'Describe table',
      description:
        'Columns, types, required and pushed filters, examples and cost of one table. Call before querying it.',
      input: describeTableInput,
      outputSchema: describeTableOutput,
      annotations: readOnly,
      run: async (args, { call }) => answer(fitTable(toTableAnswer(await workspace.describe(args, call)), maxChars)),
    }),
    tool({
      name: 'query',
      title: 'Run SQL',
      description: options.readWrite
        ? 'Run one SQL statement over any mix of tables; it may write to the opened database. Answers capped rows.'
        : 'Run one read-only SQL statement over any mix of tables. Answers capped rows: filter and aggregate in SQL.',
      input: queryInput,
      outputSchema: queryOutput,
      annotations: options.readWrite ? writing : readOnly,
      run: async (args, { call }) => answer(await workspace.query(args, call)),
    }),
    tool({
      name: 'explain_query',
      title: 'Explain SQL',
      description: 'The plan of a statement: pushed filters, requests it would make, refusals. Makes no request.',
      input: explainQueryInput,
      outputSchema: explainQueryOutput,
      annotations: closedWorld,
      run: async (args, { call }) => answer(fitExplanation(await workspace.explain(args, call), maxChars)),
    }),
    tool({
      name: 'fetch_result',
      title: 'Fetch result',
      description: 'More rows of a truncated result, or with format a link to all its rows as a file.',
      input: fetchResultInput,
      outputSchema: fetchResultOutput,
      annotations: closedWorld,
      run: async (args, { call }) => {
        const page = await workspace.fetchResult(args, call)
        return args.format === undefined ? answer(fitPage(page, maxChars)) : fileLink(args.result, args.format, page)
      },
    }),
    tool({
      name: 'cancel_query',
      title: 'Cancel query',
      description: 'Stop a running query.',
      input: cancelQueryInput,
      outputSchema: cancelQueryOutput,
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
      run: (args, { call }) => {
        if (!workspace.cancel(args.queryId, call)) {
          throw new QuerentError('state.not_found', { thing: 'running query', id: args.queryId })
        }
        return Promise.resolve(answer({ cancelled: true, queryId: args.queryId }))
      },
    }),
  ]
}

interface ToolOptions<Input extends z.ZodObject> {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly input: Input
  readonly outputSchema: NonNullable<Tool['outputSchema']>
  readonly annotations: ToolAnnotations
  readonly run: (args: z.infer<Input>, request: McpRequest) => Promise<CallToolResult>
}

function tool<Input extends z.ZodObject>(options: ToolOptions<Input>): ToolEntry {
  const { input, run, ...rest } = options
  return {
    definition: { ...rest, inputSchema: advertisedSchema(input) } satisfies Tool,
    call: (args, request) => run(parseArguments(input, args, options.name), request),
  }
}

/** A link that resources/read follows; the rows themselves stay on the server. */
function fileLink(result: string, format: ResultFormat, page: ResultPage): CallToolResult {
  if (page.file === undefined) return answer(fitPage(page, Number.POSITIVE_INFINITY))
  const { bytes, mimeType } = page.file
  const uri = resultUri(result, format)
  const value = { success: true, uri, mimeType, bytes, totalRows: page.totalRows, complete: page.complete }
  const { content, structuredContent } = answer(value)
  const link = { type: 'resource_link' as const, uri, name: `${result}.${format}`, mimeType, size: bytes }
  return { content: [...content, link], ...(structuredContent === undefined ? {} : { structuredContent }) }
}
