import type { Safety } from '../../config/safety.js'
import type { JsonPath } from './json-path.js'
import type { Endpoint } from './endpoint.js'
import { parseEndpoint, pathParams, queryParams } from './endpoint.js'
import { parseJsonPath, parseRowsPath } from './json-path.js'
import { toDuckdbType } from './data-type.js'
import type { HttpConfig, HttpParamConfig, HttpTableConfig } from './http-config.js'
import type { Constant } from '../../model/constant.js'
import type { TableName } from '../../model/table.js'
import { QuerentError } from '../../errors/querent-error.js'
import { mergeRules, type ScanRules } from './scan-rules.js'

/** A parameter's value: the text that is sent, and the constant that SQL sees. */
export interface ParamValue {
  readonly wire: string
  readonly constant: Constant
}

export interface HttpParam {
  /** Column of the table. */
  readonly name: string
  /** Name in the request: the column's, but for its case. */
  readonly wireName: string
  readonly type: string
  readonly description: string | undefined
  readonly required: boolean
  readonly filterable: boolean
  readonly exact: boolean
  readonly place: 'path' | 'query' | 'header' | 'endpoint-query'
  readonly defaultValue: ParamValue | undefined
  readonly anyValue: ParamValue | undefined
  /** The answer has this column too: its value wins over the one asked with, and may differ from it. */
  readonly isCarried: boolean
}

export interface HttpColumn {
  readonly name: string
  readonly type: string
  readonly description: string | undefined
  /** Keys from the row to the value; undefined: the parameter's value asked with. */
  readonly path: JsonPath | undefined
}

/** A table of the workspace file, ready to plan and ask with. */
export interface HttpTable {
  readonly name: TableName
  readonly description: string | undefined
  readonly wiki: string | undefined
  readonly examples: readonly string[] | undefined
  readonly endpoint: Endpoint
  readonly endpointText: string
  readonly params: readonly HttpParam[]
  /** The answer's columns, then parameters that the answer does not carry. */
  readonly columns: readonly HttpColumn[]
  /** false: the answer's columns must be learned first. */
  readonly isShapeKnown: boolean
  readonly rowsPath: readonly string[]
  readonly allow404Empty: boolean
  readonly pagination: HttpTableConfig['pagination']
  readonly rules: ScanRules
  readonly config: HttpTableConfig
}

/** A column of the answer: written in the workspace file, or learned. */
export interface AnswerColumn {
  readonly name: string
  readonly type: string
  readonly description?: string | undefined
  readonly path: JsonPath
}

export interface TableOptions {
  readonly source: HttpConfig
  readonly table: HttpTableConfig
  /** Columns learned from an answer, where the workspace file gives none. */
  readonly learned?: readonly AnswerColumn[] | undefined
  readonly limits: { readonly maxPages: number; readonly maxRequests: number }
}

export function createTable(options: TableOptions): HttpTable {
  const { source, table, learned, limits } = options
  const endpoint = parseEndpoint(table.endpoint)
  if (typeof endpoint === 'string') throw new QuerentError('internal.unexpected', { message: endpoint })
  const answer = answerColumns(table) ?? learned ?? []
  const params = table.params.map((param) => createParam(param, endpoint, answer))
  const onlyParams = params.filter((param) => !param.isCarried)
  const name: TableName = { source: source.name, table: table.name }
  return {
    name,
    description: table.description,
    wiki: joinTexts(source.wiki, table.wiki),
    examples: table.examples,
    endpoint,
    endpointText: table.endpoint,
    params,
    columns: [
      ...answer.map(({ name, type, description, path }) => ({ name, type, description, path })),
      ...onlyParams.map(({ name, type, description }) => ({ name, type, description, path: undefined })),
    ],
    isShapeKnown: table.response.schema !== undefined || learned !== undefined,
    rowsPath: parseRowsPath(table.response.path) ?? [],
    allow404Empty: table.response.allow_404_empty,
    pagination: table.pagination,
    rules: mergeRules(
      [source.safety, table.safety].filter((rules): rules is Safety => rules !== undefined),
      limits,
    ),
    config: table,
  }
}

/** Columns that the workspace file says the answer has, or undefined where it leaves them to be learned. */
function answerColumns(table: HttpTableConfig): readonly AnswerColumn[] | undefined {
  return table.response.schema
    ?.filter(({ source }) => source !== 'param')
    .map(({ name, type, description, source }) => ({
      name,
      type: toDuckdbType(type) ?? 'VARCHAR',
      description,
      path: source === undefined ? [name] : (parseJsonPath(source) ?? [name]),
    }))
}

function createParam(param: HttpParamConfig, endpoint: Endpoint, answer: readonly AnswerColumn[]): HttpParam {
  const carried = answer.find(({ name }) => name.toLowerCase() === param.name.toLowerCase())
  const type = carried?.type ?? toDuckdbType(param.type ?? 'varchar') ?? 'VARCHAR'
  const value = (text: string | number | boolean | undefined): ParamValue | undefined =>
    text === undefined ? undefined : { wire: String(text), constant: { type, text: String(text) } }
  return {
    name: carried?.name ?? param.name,
    wireName: param.name,
    type,
    description: param.description,
    required: param.required ?? false,
    filterable: param.filterable ?? true,
    exact: param.exact ?? false,
    place: placeOf(param, endpoint),
    defaultValue: value(param.default),
    anyValue: value(param.any),
    isCarried: carried !== undefined,
  }
}

function placeOf(param: HttpParamConfig, endpoint: Endpoint): HttpParam['place'] {
  if (pathParams(endpoint).includes(param.name)) return 'path'
  if (queryParams(endpoint).includes(param.name)) return 'endpoint-query'
  return param.in ?? 'query'
}

function joinTexts(...texts: readonly (string | undefined)[]): string | undefined {
  const given = texts.filter((text) => text !== undefined)
  return given.length === 0 ? undefined : given.join('\n\n')
}
