import type { Safety } from '../../config/safety.js'
import type { JsonPath } from './json-path.js'
import { createErrorShape, type ErrorShape } from './error-shape.js'
import { exprSql } from './expr-sql.js'
import { createParam, type HttpParam } from './http-param.js'
import { parseJsonPath, parseRowsPath } from './json-path.js'
import { toDuckdbType } from './data-type.js'
import type { HttpConfig } from './http-config.js'
import type { HttpTableConfig } from './table-config.js'
import type { TableName } from '../../model/table.js'
import { QuerentError } from '../../errors/querent-error.js'
import { requestShapes, type RequestShape } from './request-shape.js'
import { mergeRules, type ScanRules } from './scan-rules.js'

export interface HttpColumn {
  readonly name: string
  readonly type: string
  readonly description: string | undefined
  /** Keys from the row to the value; undefined: the parameter's value asked with. */
  readonly path: JsonPath | undefined
  /** Instead of the path, which is then empty: an SQL expression over the row. */
  readonly sql: string | undefined
}

/** A table of the workspace file, ready to plan and ask with. */
export interface HttpTable {
  readonly name: TableName
  readonly description: string | undefined
  readonly wiki: string | undefined
  readonly examples: readonly string[] | undefined
  /** Ways of asking; the first that the query's conditions allow is taken. */
  readonly requests: readonly [RequestShape, ...RequestShape[]]
  readonly params: readonly HttpParam[]
  /** The answer's columns, then parameters that the answer does not carry. */
  readonly columns: readonly HttpColumn[]
  /** false: the answer's columns must be learned first. */
  readonly isShapeKnown: boolean
  readonly rowsPath: readonly string[]
  /** Where the rows lie in what is handed to DuckDB: reshaped rows are an array of their own. */
  readonly shapePath: readonly string[]
  /** Keys from a row to the values that tell it apart; none: rows are taken as they come. */
  readonly key: readonly (readonly string[])[]
  readonly allow404Empty: boolean
  readonly errorShape: ErrorShape
  /** Requests may be sent again after a failure. */
  readonly isIdempotent: (request: RequestShape) => boolean
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
  readonly sql?: string | undefined
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
  const shapes = requestShapes(table)
  if ('fault' in shapes) throw new QuerentError('internal.unexpected', { message: shapes.fault })
  const [first, ...others] = shapes
  if (first === undefined) throw new QuerentError('internal.unexpected', { message: 'a table without a request' })
  const answer = answerColumns(table) ?? learned ?? []
  const params = table.params.map((param) => createParam(param, shapes, answer, isTakenApart(table, param.name)))
  const onlyParams = params.filter((param) => !param.isCarried)
  const rowsPath = parseRowsPath(table.response.path) ?? []
  const name: TableName = { source: source.name, table: table.name }
  return {
    name,
    description: table.description,
    wiki: joinTexts(source.wiki, table.wiki),
    examples: table.examples,
    requests: [first, ...others],
    params,
    columns: [
      ...answer.map(({ name, type, description, path, sql }) => ({ name, type, description, path, sql })),
      ...onlyParams.map(({ name, type, description }) => ({
        name,
        type,
        description,
        path: undefined,
        sql: undefined,
      })),
    ],
    isShapeKnown: table.response.schema !== undefined || learned !== undefined,
    rowsPath,
    shapePath: table.response.reshape === undefined ? rowsPath : [],
    key: (table.key ?? []).map((column) => keyPath(column, answer)),
    allow404Empty: table.response.allow_404_empty,
    errorShape: createErrorShape(table.response.error),
    isIdempotent: ({ method }) => method === 'GET' || table.idempotent === true,
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
    .map(({ name, type, description, source, sql, expr }) => {
      const own = expr === undefined ? sql : exprSql(expr)
      const path = source === undefined ? [name] : (parseJsonPath(source) ?? [name])
      return { name, type: toDuckdbType(type) ?? 'VARCHAR', description, path: own === undefined ? path : [], sql: own }
    })
}

function keyPath(column: string, answer: readonly AnswerColumn[]): readonly string[] {
  const path = answer.find(({ name }) => name.toLowerCase() === column.toLowerCase())?.path ?? [column]
  return path.map(String)
}

function isTakenApart(table: HttpTableConfig, name: string): boolean {
  return table.params.some(({ derive }) => derive?.kind === 'split' && derive.from === name)
}

function joinTexts(...texts: readonly (string | undefined)[]): string | undefined {
  const given = texts.filter((text) => text !== undefined)
  return given.length === 0 ? undefined : given.join('\n\n')
}
