import type { Asker, PageRequest, PagesRun } from './ask-page.js'
import type { Assignment } from './assignment.js'
import { buildTarget } from './build-request.js'
import type { HttpTable } from './http-table.js'
import { parseRowsPath } from './json-path.js'
import { pagingPaths } from './next-page.js'
import type { Pagination } from './pagination-config.js'
import type { RowsAnswer } from './read-answer.js'
import { readNumbered } from './read-numbered.js'
import { readSerial } from './read-serial.js'
import { withParam, type RequestTarget } from './request-target.js'

export interface PagesOptions {
  readonly table: HttpTable
  /** Which of the table's requests. */
  readonly request: number
  readonly assignment: Assignment
  readonly asker: Asker
}

/** Pages of one assignment, in order. */
export function readPages(options: PagesOptions, run: PagesRun): AsyncGenerator<RowsAnswer> {
  const { table, asker } = options
  const pagination = sized(table.pagination, run)
  const target = withSize(buildTarget(table, options.request, asker.baseUrl, options.assignment), pagination)
  const shape = table.requests[options.request] ?? table.requests[0]
  const boundHeaders = { ...asker.boundHeaders, ...tableHeaders(table) }
  const request: Omit<PageRequest, 'capture'> = {
    table,
    asker,
    run,
    boundHeaders,
    idempotent: table.isIdempotent(shape),
  }
  if (pagination.type === 'page' || pagination.type === 'offset') {
    const total = pagination.total_path
    const capture = total === undefined ? [] : [parseRowsPath(total) ?? []]
    return readNumbered(target, pagination, { ...request, capture })
  }
  return readSerial(target, pagination, { ...request, capture: pagingPaths(pagination) })
}

/** Where fewer rows are needed than a page holds, the API is asked for a smaller one. */
function sized(pagination: Pagination, run: PagesRun): Pagination {
  // Columns are learned from as many rows as a page gives.
  if (run.sampleRows !== undefined || pagination.type === 'none') return pagination
  if (pagination.size_param === undefined || pagination.size === undefined) {
    return pagination
  }
  return { ...pagination, size: Math.max(1, Math.min(pagination.size, run.rowsNeeded())) }
}

function withSize(target: RequestTarget, pagination: Pagination): RequestTarget {
  if (pagination.type === 'none' || pagination.size_param === undefined) return target
  return withParam(target, pagination.in, pagination.size_param, pagination.size)
}

function tableHeaders(table: HttpTable): Record<string, string> {
  const headers = Object.entries(table.config.headers ?? {})
  return Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value.reveal()]))
}
