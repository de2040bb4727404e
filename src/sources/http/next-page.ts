import { QuerentError } from '../../errors/querent-error.js'
import { linkTarget } from '../../net/link-header.js'
import { JsonNumber, parseLossless } from '../../util/lossless-json.js'
import type { Page } from './ask-page.js'
import { withQuery } from './build-request.js'
import type { HttpTable } from './http-table.js'
import { parseJsonPath, parseRowsPath } from './json-path.js'
import type { SerialPagination } from './pagination-config.js'
import { tableText } from './parameter-errors.js'

/** Values of an answer that tell the next page, in the order in which `nextPage` reads them. */
export function pagingPaths(paging: SerialPagination): readonly (readonly string[])[] {
  const text =
    paging.type === 'cursor' || paging.type === 'next_url'
      ? paging.next_path
      : paging.type === 'row_cursor'
        ? paging.more_path
        : undefined
  return text === undefined ? [] : [parseRowsPath(text) ?? []]
}

/** Where the next page is, or undefined after the last. @param first where the first page was asked for */
export function nextPage(table: HttpTable, paging: SerialPagination, first: URL, page: Page): URL | undefined {
  if (page.rows === undefined) return undefined
  switch (paging.type) {
    case 'none':
      return undefined
    case 'link_header':
      return toUrl(table, page, linkTarget(page.answer.headers['link'] ?? '', 'next'))
    case 'next_url':
      return toUrl(table, page, captured(page))
    case 'cursor': {
      const cursor = captured(page)
      return cursor === undefined ? undefined : withQuery(first, paging.param, cursor)
    }
    case 'row_cursor':
      return afterLastRow(table, paging, first, page)
  }
}

function toUrl(table: HttpTable, { answer }: Page, target: string | undefined): URL | undefined {
  if (target === undefined) return undefined
  if (!URL.canParse(target, answer.url.href)) throw new QuerentError('source.next_page', { subject: tableText(table) })
  const next = new URL(target, answer.url)
  next.hash = ''
  return next
}

function afterLastRow(
  table: HttpTable,
  paging: Extract<SerialPagination, { type: 'row_cursor' }>,
  first: URL,
  { rows }: Page,
): URL | undefined {
  if (rows?.overview.lastRow === undefined) return undefined
  if (paging.more_path !== undefined && rows.overview.captured[0] !== 'true') return undefined
  let value = parseLossless(rows.overview.lastRow)
  for (const key of parseJsonPath(paging.field) ?? [paging.field]) {
    value = typeof value === 'object' && value !== null ? (value as Record<string | number, unknown>)[key] : undefined
  }
  const cursor = cursorText(value)
  if (cursor === undefined) {
    const subject = `${tableText(table)}: the last row has no ${paging.field} to go on from`
    throw new QuerentError('source.next_page', { subject })
  }
  return withQuery(first, paging.param, cursor)
}

function captured({ rows }: Page): string | undefined {
  const json = rows?.overview.captured[0]
  return json === undefined ? undefined : cursorText(parseLossless(json))
}

/** A cursor as it is sent; undefined for what APIs write when there is none. */
function cursorText(value: unknown): string | undefined {
  if (value instanceof JsonNumber) return value.text
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value !== '' ? value : undefined
}
