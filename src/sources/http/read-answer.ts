import { isUtf8 } from 'node:buffer'
import { QuerentError } from '../../errors/querent-error.js'
import type { HttpAnswer } from '../../net/http-client.js'
import { maxKeys, scanJson, type JsonOverview } from '../../net/json-scan.js'
import { sanitizeText } from '../../util/sanitize-text.js'
import { apiMessage, hasErrorKey, saysSomething } from './api-message.js'
import type { HttpTable } from './http-table.js'
import { formatJsonPath } from './json-path.js'
import { reshapedRows, type Reshape } from './reshape.js'
import { statusError, type StatusContext } from './status-error.js'
import { toJsonArray, type TextFormat } from './text-rows.js'

export interface AnswerContext {
  readonly table: HttpTable
  readonly subject: string
  /** Hides secrets of the source. */
  readonly redact: (text: string) => string
  readonly sampleRows?: number
  /** Keys to further values of the answer, such as a cursor. */
  readonly capture?: readonly (readonly string[])[]
}

/** Rows of one answer, as text for DuckDB. */
export interface RowsAnswer {
  readonly text: string
  readonly overview: JsonOverview
  /** The answer as it came, where the rows were taken out of it. */
  readonly document: string
}

/** Statuses whose body is all that was asked for. 202 and 206 stand for something that is not whole. */
const wholeStatuses: ReadonlySet<number> = new Set([200, 201, 203])

/**
 * Takes the rows of an answer, or throws why there are none. Answers undefined where the answer says that there is
 * nothing: 204, or 404 where the table allows it.
 */
export async function readAnswer(answer: HttpAnswer, context: AnswerContext): Promise<RowsAnswer | undefined> {
  const { table, subject } = context
  if (table.errorShape.isErrorStatus(204) && answer.status === 204) {
    throw statusError(answer, statusContext('', '', context))
  }
  if (answer.status === 204 || (answer.status === 404 && table.allow404Empty)) return undefined
  const contentType = (answer.headers['content-type'] ?? '').toLowerCase()
  if (!wholeStatuses.has(answer.status) || table.errorShape.isErrorStatus(answer.status)) {
    throw statusError(answer, statusContext(answer.body.toString(), contentType, context))
  }
  const invalid = (reason: string): QuerentError => new QuerentError('source.invalid_json', { subject, reason })
  const format = formatOf(table, contentType)
  if (answer.body.length === 0 && format !== 'ndjson') throw invalid('it is empty')
  if (/html|xml|multipart|image\/|audio\/|video\/|pdf/.test(contentType)) {
    throw new QuerentError('source.not_json', { subject, contentType: sanitizeText(contentType, 60) })
  }
  const bytes = toUtf8(answer.body, contentType)
  if (bytes === undefined) throw invalid('it is not valid text in its character set')
  try {
    const document = format === 'json' ? bytes : Buffer.from(await toJsonArray(bytes.toString(), format))
    return await rowsIn(document, answer, context)
  } catch (error) {
    if (error instanceof SyntaxError) throw invalid(error.message)
    throw error
  }
}

function formatOf(table: HttpTable, contentType: string): 'json' | TextFormat {
  const { format, path, reshape } = table.config.response
  if (format !== undefined) return format
  // Only where the rows can be the whole answer.
  if (path !== '$' || reshape !== undefined) return 'json'
  if (/ndjson|jsonl|json-lines|json-seq/.test(contentType)) return 'ndjson'
  return contentType.startsWith('text/csv') ? 'csv' : 'json'
}

async function rowsIn(document: Buffer, answer: HttpAnswer, context: AnswerContext): Promise<RowsAnswer> {
  const { table, sampleRows = 0 } = context
  const { reshape } = table.config.response
  const overview = await scanJson(document, {
    rowsPath: table.rowsPath,
    sampleRows: reshape === undefined && table.key.length === 0 ? sampleRows : Number.POSITIVE_INFINITY,
    members: reshape !== undefined,
    capture: [...(context.capture ?? []), ...table.errorShape.paths],
  })
  const text = document.toString()
  checkErrorPaths(overview, answer, context)
  checkShape(text, overview, answer, context)
  if (reshape === undefined || overview.rows === 'null') return { text, overview, document: text }
  return await reshaped(reshape, { text, overview, document: text }, context)
}

async function reshaped(reshape: Reshape, whole: RowsAnswer, context: AnswerContext): Promise<RowsAnswer> {
  const { overview, document } = whole
  const { subject, table, sampleRows = 0 } = context
  let rows: readonly string[] | undefined
  try {
    rows = await reshapedRows(reshape, overview, document.length)
  } catch (error) {
    if (error instanceof RangeError) throw new QuerentError('source.invalid_json', { subject, reason: error.message })
    throw error
  }
  if (rows === undefined) {
    const reason = reshape.kind === 'dict_entries' ? 'it is no object' : 'there are no series with points'
    throw new QuerentError('source.unexpected_shape', {
      subject,
      path: formatJsonPath(table.rowsPath),
      reason,
      keys: '',
    })
  }
  return {
    document,
    text: `[${rows.join(',')}]`,
    overview: {
      ...overview,
      rows: 'array',
      rowCount: rows.length,
      sample: table.key.length === 0 ? rows.slice(0, sampleRows) : rows,
      lastRow: rows.at(-1),
      members: [],
    },
  }
}

/** A document in UTF-8 without a byte order mark; undefined where its bytes are not text of the declared character set. */
function toUtf8(body: Buffer, contentType: string): Buffer | undefined {
  const charset = /charset\s*=\s*"?([\w.:-]+)/.exec(contentType)?.[1] ?? 'utf-8'
  if (/^(?:utf-?8|us-ascii)$/.test(charset)) {
    if (!isUtf8(body)) return undefined
    return body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf ? body.subarray(3) : body
  }
  try {
    return Buffer.from(new TextDecoder(charset, { fatal: true }).decode(body))
  } catch {
    return undefined
  }
}

/** What the workspace file says to look at: an error, or a sign that the rows are not whole. */
function checkErrorPaths(overview: JsonOverview, answer: HttpAnswer, context: AnswerContext): void {
  const { table, redact, capture = [] } = context
  for (const [index, path] of table.errorShape.paths.entries()) {
    const json = overview.captured[capture.length + index]
    if (json === undefined || !saysSomething(json)) continue
    const said = apiMessage(json, 'application/json', redact)
    const detail = said === '' ? ` ${formatJsonPath(path)} is ${sanitizeText(redact(json.slice(0, 400)), 100)}.` : said
    throw new QuerentError('source.error_answer', { ...statusContext('', '', context), status: answer.status, detail })
  }
}

function checkShape(text: string, overview: JsonOverview, answer: HttpAnswer, context: AnswerContext): void {
  if (overview.rows === 'array') return
  if (isError(text, overview, context.table)) {
    const details = statusContext(text, 'application/json', context)
    throw new QuerentError('source.error_answer', { ...details, status: answer.status })
  }
  const { subject, table } = context
  const isForeign = overview.rows === 'object' && isRow(table) && !carriesColumn(overview, table.columns)
  if ((overview.rows === 'object' && !isForeign) || overview.rows === 'null') return
  const keys = overview.keys.map((key) => sanitizeText(key, 40)).slice(0, 20)
  throw new QuerentError('source.unexpected_shape', {
    subject,
    path: formatJsonPath(table.rowsPath),
    reason: isForeign
      ? 'it is one object with none of the columns'
      : overview.rows === 'missing'
        ? 'there is no such key'
        : 'it is neither an array nor an object',
    keys: keys.length === 0 ? '' : ` Keys of the answer: ${keys.join(', ')}.`,
  })
}

/** An object with an error in it is no row, unless the table's own columns are found there. */
function isError(text: string, overview: JsonOverview, table: HttpTable): boolean {
  if (!hasErrorKey(text)) return false
  // An expression over the row says nothing of the keys that it reads.
  const columns = table.columns.filter(({ sql }) => sql === undefined)
  return overview.rows !== 'object' || table.rowsPath.length > 0 || !carriesColumn(overview, columns)
}

/** Whether a lone object is one row, with the keys of a row. */
function isRow({ isShapeKnown, config }: HttpTable): boolean {
  return isShapeKnown && config.response.reshape === undefined
}

/** Whether a lone object has some column of the table: one without any is a message and no row. */
function carriesColumn(overview: JsonOverview, columns: HttpTable['columns']): boolean {
  const paths = columns.flatMap(({ path }) => (path === undefined ? [] : [path]))
  // A column may be the object itself, or stand beyond the keys that were looked at.
  if (paths.some((path) => path.length === 0) || overview.keys.length >= maxKeys) return true
  const heads = new Set(paths.map(([head]) => head))
  return overview.keys.some((key) => heads.has(key))
}

function statusContext(body: string, contentType: string, context: AnswerContext): StatusContext {
  const { table, subject, redact } = context
  const names = table.params.map(({ name }) => name)
  const parameters = names.length === 0 ? 'endpoint in the workspace file' : names.join(', ')
  return { subject, parameters, detail: apiMessage(body, contentType, redact) }
}
