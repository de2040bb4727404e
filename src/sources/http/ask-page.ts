import type { HttpAnswer, HttpClient, HttpRequest, HttpRun } from '../../net/http-client.js'
import type { Authenticator, Credentials } from './credentials.js'
import type { CursorMemory } from './cursor-memory.js'
import type { HttpTable } from './http-table.js'
import { tableText } from './parameter-errors.js'
import { readAnswer, type RowsAnswer } from './read-answer.js'
import { bodyContentType, bodyText, withMember } from './request-body.js'
import type { RequestTarget } from './request-target.js'

/** What asking needs of its source. */
export interface Asker {
  readonly client: HttpClient
  readonly baseUrl: URL
  /** Headers for the source alone, credentials aside. */
  readonly boundHeaders: Readonly<Record<string, string>>
  readonly authenticator: Authenticator
  readonly redact: (text: string) => string
  /** Requests in flight at once. */
  readonly concurrency: number
  readonly cursors: CursorMemory
}

export interface PagesRun {
  readonly signal: AbortSignal
  readonly meter: HttpRun['meter']
  /** Numbers the requests of a scan, from 1. */
  readonly nextNumber: () => number
  /** Called with the number of rows of each page as it arrives; throws when there are too many. */
  readonly noteRows: (rows: number) => void
  /** Rows that are still needed: no page is asked for beyond them. Infinity where all are. */
  readonly rowsNeeded: () => number
  readonly sampleRows?: number
  /** One page is asked for to see whether the table can be read. */
  readonly isProbe?: boolean
}

export interface Page {
  /** undefined: the answer says that there is nothing. */
  readonly rows: RowsAnswer | undefined
  readonly answer: HttpAnswer
}

export interface PageRequest {
  readonly table: HttpTable
  readonly asker: Asker
  readonly run: PagesRun
  readonly boundHeaders: Readonly<Record<string, string>>
  readonly idempotent: boolean
  /** Keys to values that paging needs. */
  readonly capture: readonly (readonly string[])[]
}

/** Asks for one page and takes its rows. */
export async function askPage(target: RequestTarget, request: PageRequest): Promise<Page> {
  const { table, asker, run, capture } = request
  const { signal, meter, sampleRows = 0 } = run
  const subject = `${tableText(table)}, request ${run.nextNumber()}`
  const context = { signal, meter, subject }
  const credentials = await asker.authenticator.current(signal)
  let answer = await asker.client.send(toRequest(target, request, credentials), context)
  if (answer.status === 401) {
    // A token may end before its time: one more attempt with a new one.
    const renewed = await asker.authenticator.renewed(credentials, signal)
    if (renewed !== undefined) answer = await asker.client.send(toRequest(target, request, renewed), context)
  }
  return { rows: await readAnswer(answer, { table, subject, redact: asker.redact, sampleRows, capture }), answer }
}

function toRequest(
  { method, url, headers, body }: RequestTarget,
  { table, boundHeaders, idempotent }: PageRequest,
  credentials: Credentials,
): HttpRequest {
  const type = body === undefined ? {} : { 'content-type': bodyContentType(body) }
  const bound =
    body === undefined
      ? undefined
      : credentials.body.reduce((all, [name, value]) => withMember(all, [name], value), body)
  return {
    method,
    url,
    headers: { accept: acceptOf(table), ...type },
    boundHeaders: { ...boundHeaders, ...headers, ...credentials.headers },
    boundQuery: credentials.query,
    ...(body === undefined ? {} : { body: bodyText(body) }),
    ...(bound === undefined ? {} : { boundBody: bodyText(bound) }),
    idempotent,
  }
}

function acceptOf({ config }: HttpTable): string {
  const { format = 'json' } = config.response
  return { json: 'application/json', ndjson: 'application/x-ndjson', csv: 'text/csv' }[format]
}
