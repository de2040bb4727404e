import type { HttpAnswer, HttpClient, HttpRun } from '../../net/http-client.js'
import type { HttpTable } from './http-table.js'
import { tableText } from './parameter-errors.js'
import { readAnswer, type RowsAnswer } from './read-answer.js'

/** What asking needs of its source. */
export interface Asker {
  readonly client: HttpClient
  readonly baseUrl: URL
  /** Headers for the source alone, credentials among them. */
  readonly boundHeaders: Readonly<Record<string, string>>
  readonly redact: (text: string) => string
  /** Requests in flight at once. */
  readonly concurrency: number
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
  /** Keys to values that paging needs. */
  readonly capture: readonly (readonly string[])[]
}

/** Asks for one page and takes its rows. */
export async function askPage(url: URL, request: PageRequest): Promise<Page> {
  const { table, asker, run, boundHeaders, capture } = request
  const { signal, meter, sampleRows = 0 } = run
  const subject = `${tableText(table)}, request ${run.nextNumber()}`
  const answer = await asker.client.send(
    { method: 'GET', url, headers: { accept: 'application/json' }, boundHeaders, idempotent: true },
    { signal, meter, subject },
  )
  return { rows: await readAnswer(answer, { table, subject, redact: asker.redact, sampleRows, capture }), answer }
}
