import type { Asker, PageRequest, PagesRun } from './ask-page.js'
import { buildTarget } from './build-request.js'
import type { HttpTable } from './http-table.js'
import { parseRowsPath } from './json-path.js'
import { pagingPaths } from './next-page.js'
import type { Assignment } from './plan-parameters.js'
import type { RowsAnswer } from './read-answer.js'
import { readNumbered } from './read-numbered.js'
import { readSerial } from './read-serial.js'

/** Pages of one assignment, in order. */
export function readPages(
  table: HttpTable,
  assignment: Assignment,
  asker: Asker,
  run: PagesRun,
): AsyncGenerator<RowsAnswer> {
  const { pagination } = table
  const { url, headers } = buildTarget(table, asker.baseUrl, assignment)
  const boundHeaders = { ...asker.boundHeaders, ...tableHeaders(table), ...headers }
  const request: Omit<PageRequest, 'capture'> = { table, asker, run, boundHeaders }
  if (pagination.type === 'page' || pagination.type === 'offset') {
    const total = pagination.total_path
    const capture = total === undefined ? [] : [parseRowsPath(total) ?? []]
    return readNumbered(url, pagination, { ...request, capture })
  }
  return readSerial(url, pagination, { ...request, capture: pagingPaths(pagination) })
}

function tableHeaders(table: HttpTable): Record<string, string> {
  const headers = Object.entries(table.config.headers ?? {})
  return Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value.reveal()]))
}
