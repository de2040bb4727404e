import { QuerentError } from '../../errors/querent-error.js'
import { linkTarget } from '../../net/link-header.js'
import { JsonNumber, parseLossless } from '../../util/lossless-json.js'
import type { Page } from './ask-page.js'
import type { HttpTable } from './http-table.js'
import { parseJsonPath, parseRowsPath } from './json-path.js'
import type { SerialPagination } from './pagination-config.js'
import { tableText } from './parameter-errors.js'
import { withParam, type RequestTarget } from './request-target.js'

/** Values of an answer that tell the next page, in the order in which `nextPage` reads them. */
export function pagingPaths(paging: SerialPagination): readonly (readonly string[])[] {
  const text = 'next_path' in paging ? paging.next_path : paging.type === 'row_cursor' ? paging.more_path : undefined
  return text === undefined ? [] : [parseRowsPath(text) ?? []]
}

const namesNext = /\brel\s*=\s*["']?\s*next\b/i

/** What asks for the next page, or undefined after the last. @param first what asked for the first one */
export function nextPage(
  table: HttpTable,
  paging: SerialPagination,
  first: RequestTarget,
  page: Page,
): RequestTarget | undefined {
  if (page.rows === undefined) return undefined
  switch (paging.type) {
    case 'none':
      return undefined
    case 'link_header': {
      const header = page.answer.headers['link'] ?? ''
      const target = linkTarget(header, 'next')
      // In a header that cannot be read through there may be a next page: this one must not pass for the last.
      if (target === undefined && namesNext.test(header)) {
        throw new QuerentError('source.next_page', { subject: tableText(table) })
      }
      return toTarget(table, first, page, target)
    }
    case 'next_url': {
      const target = cursorOf(page)
      return toTarget(table, first, page, target === undefined ? undefined : textOf(target))
    }
    case 'cursor': {
      const cursor = cursorOf(page)
      return cursor === undefined ? undefined : withParam(first, paging.in, paging.param, cursor)
    }
    case 'body_cursor': {
      const cursor = cursorOf(page)
      return cursor === undefined ? undefined : withParam(first, 'body', paging.cursor_path, cursor)
    }
    case 'row_cursor':
      return afterLastRow(table, paging, first, page)
  }
}

function toTarget(
  table: HttpTable,
  first: RequestTarget,
  { answer }: Page,
  target: string | undefined,
): RequestTarget | undefined {
  if (target === undefined) return undefined
  if (!URL.canParse(target, answer.url.href)) throw new QuerentError('source.next_page', { subject: tableText(table) })
  const next = new URL(target, answer.url)
  next.hash = ''
  return { ...first, url: next }
}

function afterLastRow(
  table: HttpTable,
  paging: Extract<SerialPagination, { type: 'row_cursor' }>,
  first: RequestTarget,
  { rows }: Page,
): RequestTarget | undefined {
  if (rows?.overview.lastRow === undefined) return undefined
  if (paging.more_path !== undefined && rows.overview.captured[0] !== 'true') return undefined
  let value = parseLossless(rows.overview.lastRow)
  for (const key of parseJsonPath(paging.field) ?? [paging.field]) {
    value = typeof value === 'object' && value !== null ? (value as Record<string | number, unknown>)[key] : undefined
  }
  const cursor = toCursor(value)
  if (cursor === undefined) {
    const subject = `${tableText(table)}: the last row has no ${paging.field} to go on from`
    throw new QuerentError('source.next_page', { subject })
  }
  return withParam(first, paging.in, paging.param, cursor)
}

type Cursor = string | JsonNumber

function cursorOf({ rows }: Page): Cursor | undefined {
  const json = rows?.overview.captured[0]
  return json === undefined ? undefined : toCursor(parseLossless(json))
}

/** A cursor as it goes back; undefined for what APIs write when there is none. */
function toCursor(value: unknown): Cursor | undefined {
  if (value instanceof JsonNumber) return value
  if (typeof value === 'number') return new JsonNumber(String(value))
  return typeof value === 'string' && value !== '' ? value : undefined
}

function textOf(cursor: Cursor): string {
  return cursor instanceof JsonNumber ? cursor.text : cursor
}
