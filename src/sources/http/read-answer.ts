import { isUtf8 } from 'node:buffer'
import { QuerentError } from '../../errors/querent-error.js'
import type { HttpAnswer } from '../../net/http-client.js'
import { scanJson, type JsonOverview } from '../../net/json-scan.js'
import { sanitizeText } from '../../util/sanitize-text.js'
import { apiMessage, hasErrorKey, saysSomething } from './api-message.js'
import type { HttpTable } from './http-table.js'
import { formatJsonPath } from './json-path.js'
import { statusError, type StatusContext } from './status-error.js'

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
  if (answer.body.length === 0) throw invalid('it is empty')
  if (/html|xml|multipart|image\/|audio\/|video\/|pdf/.test(contentType)) {
    throw new QuerentError('source.not_json', { subject, contentType: sanitizeText(contentType, 60) })
  }
  const document = toUtf8(answer.body, contentType)
  if (document === undefined) throw invalid('it is not valid text in its character set')
  let overview: JsonOverview
  try {
    const { sampleRows = 0 } = context
    const capture = [...(context.capture ?? []), ...table.errorShape.paths]
    overview = await scanJson(document, { rowsPath: table.rowsPath, sampleRows, capture })
  } catch (error) {
    if (error instanceof SyntaxError) throw invalid(error.message)
    throw error
  }
  const text = document.toString()
  checkErrorPaths(overview, answer, context)
  checkShape(text, overview, answer, context)
  return { text, overview }
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
  if (overview.rows === 'object' || overview.rows === 'null') return
  const { subject, table } = context
  const keys = overview.keys.map((key) => sanitizeText(key, 40)).slice(0, 20)
  throw new QuerentError('source.unexpected_shape', {
    subject,
    path: formatJsonPath(table.rowsPath),
    reason: overview.rows === 'missing' ? 'there is no such key' : 'it is neither an array nor an object',
    keys: keys.length === 0 ? '' : ` Keys of the answer: ${keys.join(', ')}.`,
  })
}

/** An object with an error in it is no row, unless the table's own columns are found there. */
function isError(text: string, overview: JsonOverview, table: HttpTable): boolean {
  if (!hasErrorKey(text)) return false
  if (overview.rows !== 'object' || table.rowsPath.length > 0) return true
  const heads = new Set(table.columns.flatMap(({ path }) => (path?.[0] === undefined ? [] : [path[0]])))
  return !overview.keys.some((key) => heads.has(key))
}

function statusContext(body: string, contentType: string, context: AnswerContext): StatusContext {
  const { table, subject, redact } = context
  const names = table.params.map(({ name }) => name)
  const parameters = names.length === 0 ? 'endpoint in the workspace file' : names.join(', ')
  return { subject, parameters, detail: apiMessage(body, contentType, redact) }
}
