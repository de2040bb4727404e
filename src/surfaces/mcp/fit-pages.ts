import type { ResultPage, TablePage, TableSearch } from '../../workspace/workspace.js'
import { toTablePageAnswer, type TablePageAnswer } from './table-answer.js'
import { messageLength } from './tool-result.js'

const defaultTables = 50

/** A page of tables that fits the message: a page that does not is asked again with fewer tables. */
export async function searchTables(
  search: TableSearch & { readonly detail: 'names' | 'summary' | 'full' },
  find: (search: TableSearch) => Promise<TablePage>,
  maxChars: number,
): Promise<TablePageAnswer> {
  let limit = search.limit ?? defaultTables
  for (;;) {
    const page = await find({ ...search, limit })
    const shown = toTablePageAnswer(page, search.detail)
    const length = messageLength(shown)
    if (length <= maxChars) return shown
    if (limit > 1) {
      limit = fewer(Math.min(limit, page.tables.length), maxChars / length)
    } else if (search.detail === 'full') {
      return toTablePageAnswer(page, 'summary')
    } else {
      return toTablePageAnswer(page, 'names')
    }
  }
}

export interface ResultPageAnswer extends Omit<ResultPage, 'file'> {
  readonly success: true
  readonly truncated?: true
  readonly warning?: string
  /** Where the next page begins; absent at the end of what was kept. */
  readonly nextOffset?: number
}

/** The rows of a page that fit the message; `nextOffset` leads to the others. */
export function fitPage(page: ResultPage, maxChars: number): ResultPageAnswer {
  let count = page.rows.length
  for (;;) {
    const shown = pageOf(page, count)
    if (count <= 1) return shown
    const length = messageLength(shown)
    if (length <= maxChars) return shown
    count = fewer(count, maxChars / length)
  }
}

/** How many of `count` entries likely fit when all together are too long by `fill`: at least one, and not all. */
function fewer(count: number, fill: number): number {
  return Math.max(1, Math.min(count - 1, Math.floor(count * fill * 0.95)))
}

function pageOf(page: ResultPage, count: number): ResultPageAnswer {
  const next = page.offset + count
  const more = next < page.totalRows
  return {
    success: true,
    ...(more ? { truncated: true as const } : {}),
    ...(page.complete || more ? {} : { warning: 'The query has more rows than were kept: narrow it to see them.' }),
    columns: page.columns,
    columnTypes: page.columnTypes,
    rows: page.rows.slice(0, count),
    offset: page.offset,
    rowCount: count,
    totalRows: page.totalRows,
    complete: page.complete,
    ...(more ? { nextOffset: next } : {}),
  }
}
