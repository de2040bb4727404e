import { readFile } from 'node:fs/promises'
import type { ReadResourceResult, Resource } from '@modelcontextprotocol/server'
import { QuerentError } from '../../errors/querent-error.js'
import { formatTableName } from '../../model/table-name.js'
import type { CallContext, Workspace } from '../../workspace/workspace.js'
import { completeTable } from './complete-table.js'
import { fitPage } from './fit-pages.js'
import { guide } from './instructions.js'
import type { ResourceEntry, TemplateEntry } from './offer.js'
import { fitTable, toTableAnswer } from './table-answer.js'
import { parseResultUri, parseTableUri, tableUri, type ResultFormat } from './uris.js'

const guideUri = 'querent://guide'
const tablesPerPage = 100
/** The SDK's clients on stdio end the connection at a line of 10 MB; base64 and escapes add to the file's size. */
const maxFileBytes = 4 * 1024 * 1024

export const guideResource: ResourceEntry = {
  definition: {
    uri: guideUri,
    name: 'guide',
    title: 'How to work with Querent',
    description: 'Finding tables, writing SQL, caps, values and errors',
    mimeType: 'text/markdown',
  },
  read: () => Promise.resolve({ contents: [{ uri: guideUri, mimeType: 'text/markdown', text: guide }] }),
}

/** querent://tables/{name}: what describe_table answers. */
export function tableTemplate(workspace: Workspace, maxChars: number): TemplateEntry {
  return {
    definition: {
      uriTemplate: 'querent://tables/{name}',
      name: 'table',
      title: 'Table',
      description: 'Columns, filters, examples and cost of a table',
      mimeType: 'application/json',
    },
    match: (uri) => {
      const name = parseTableUri(uri)
      return name === undefined ? undefined : { name }
    },
    read: async (uri, { name = '' }, { call }) =>
      json(uri, fitTable(toTableAnswer(await workspace.describe({ table: name }, call)), maxChars)),
    list: async (cursor, { call }) => {
      const page = await workspace.tables(
        { detail: 'summary', limit: tablesPerPage, ...(cursor === undefined ? {} : { cursor }) },
        call,
      )
      const resources = page.tables.map(({ name, description }): Resource => {
        const table = formatTableName(name)
        return {
          uri: tableUri(table),
          name: table,
          description: description ?? `Table ${table}`,
          mimeType: 'application/json',
        }
      })
      return { resources, ...(page.nextCursor === undefined ? {} : { nextCursor: page.nextCursor }) }
    },
    complete: (_variable, value, { call }) => completeTable(workspace, value, call),
  }
}

/** querent://results/{id}: the first page of a kept result. */
export function resultTemplate(workspace: Workspace, maxChars: number): TemplateEntry {
  return {
    definition: {
      uriTemplate: 'querent://results/{id}',
      name: 'result',
      title: 'Result',
      description: 'The first rows of a truncated result; fetch_result pages through the rest',
      mimeType: 'application/json',
    },
    match: (uri) => {
      const parsed = parseResultUri(uri)
      return parsed === undefined || parsed.format !== undefined ? undefined : { id: parsed.result }
    },
    read: async (uri, { id = '' }, { call }) =>
      json(uri, fitPage(await workspace.fetchResult({ result: id }, call), maxChars)),
  }
}

/** querent://results/{id}/{format}: a kept result as a file. */
export function resultFileTemplate(workspace: Workspace): TemplateEntry {
  return {
    definition: {
      uriTemplate: 'querent://results/{id}/{format}',
      name: 'result-file',
      title: 'Result as a file',
      description: 'A kept result as json, csv or parquet; fetch_result with format links to it',
    },
    match: (uri) => {
      const parsed = parseResultUri(uri)
      return parsed?.format === undefined ? undefined : { id: parsed.result, format: parsed.format }
    },
    read: async (uri, { id = '', format }, { call }) =>
      readResultFile(workspace, uri, id, format as ResultFormat, call),
    complete: (variable, value) => {
      const formats =
        variable === 'format' ? ['csv', 'json', 'parquet'].filter((format) => format.startsWith(value)) : []
      return Promise.resolve({ values: formats, total: formats.length, hasMore: false })
    },
  }
}

async function readResultFile(
  workspace: Workspace,
  uri: string,
  result: string,
  format: ResultFormat,
  call: CallContext,
): Promise<ReadResourceResult> {
  const { file } = await workspace.fetchResult({ result, format }, call)
  if (file === undefined) throw new QuerentError('state.not_found', { thing: 'result', id: result })
  if (file.bytes > maxFileBytes) {
    throw new QuerentError('server.answer_too_large', {
      thing: `The ${format} file`,
      bytes: file.bytes,
      max: maxFileBytes,
    })
  }
  const content = await readFile(file.path, { ...(call.signal === undefined ? {} : { signal: call.signal }) })
  const { mimeType } = file
  return {
    contents: [
      format === 'parquet'
        ? { uri, mimeType, blob: content.toString('base64') }
        : { uri, mimeType, text: content.toString('utf8') },
    ],
  }
}

function json(uri: string, value: unknown): ReadResourceResult {
  return { contents: [{ uri, mimeType: 'application/json', text: JSON.stringify(value) }] }
}
