import { QuerentError } from '../../errors/querent-error.js'
import { askPage, type Page, type PageRequest } from './ask-page.js'
import { checkLastPage, notePaging } from './check-last-page.js'
import { nextPage } from './next-page.js'
import { pageLimit } from './page-limit.js'
import type { SerialPagination } from './pagination-config.js'
import { tableText } from './parameter-errors.js'
import type { RowsAnswer } from './read-answer.js'
import { targetKey, type RequestTarget } from './request-target.js'

/** Pages of which each tells the next. While a page is being read, the next one is on its way. */
export async function* readSerial(
  first: RequestTarget,
  paging: SerialPagination,
  request: PageRequest,
): AsyncGenerator<RowsAnswer> {
  const { table, run } = request
  const asked = new Set<string>()
  const ask = (target: RequestTarget): Promise<Page> => {
    const key = targetKey(target)
    if (asked.has(key)) throw new QuerentError('source.page_loop', { subject: tableText(table) })
    asked.add(key)
    const page = askPage(target, request)
    // Reported when the page is wanted; until then it must not count as unhandled.
    page.catch(() => undefined)
    return page
  }
  let pending = ask(first)
  for (let count = 1; ; count++) {
    const page = await pending
    run.noteRows(page.rows?.overview.rowCount ?? 0)
    const next = nextPage(table, paging, first, page)
    const isEnough = run.rowsNeeded() <= 0
    notePaging(paging, request, page)
    if (next === undefined && (!isEnough || run.isProbe === true)) await checkLastPage(paging, request, page)
    const mayGoOn = next !== undefined && !isEnough && count < table.rules.maxPages
    if (mayGoOn) pending = ask(next)
    if (page.rows !== undefined) yield page.rows
    if (next === undefined || isEnough) return
    if (!mayGoOn) throw pageLimit(table)
  }
}
