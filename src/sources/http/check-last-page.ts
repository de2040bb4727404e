import { QuerentError } from '../../errors/querent-error.js'
import { scanJson, type JsonMember } from '../../net/json-scan.js'
import { parseLossless } from '../../util/lossless-json.js'
import { nearest } from '../../util/nearest.js'
import { sanitizeText } from '../../util/sanitize-text.js'
import type { Page, PageRequest } from './ask-page.js'
import { formatJsonPath } from './json-path.js'
import { pagingPaths } from './next-page.js'
import type { SerialPagination } from './pagination-config.js'
import { tableText } from './parameter-errors.js'

const nextKey =
  /next.*(?:cursor|page|token|link|url|offset|start|id)|^next$|continuation|^page_?token$|start(?:ing)?_?after/i
const moreKey = /^(?:has_?more|has_?next(?:_?page)?|more|more_?results|next_?page_?exists|is_?truncated)$/i
const maxNested = 10_000

/** Remembers whether the page says where the next one is, or that there is none. */
export function notePaging(paging: SerialPagination, { table, asker }: PageRequest, page: Page): void {
  if (paging.type === 'none' || paging.type === 'row_cursor' || page.rows === undefined) return
  const isThere =
    paging.type === 'link_header'
      ? page.answer.headers['link'] !== undefined
      : page.rows.overview.captured[0] !== undefined
  asker.cursors.note(table.name.table, isThere)
}

/**
 * Throws `source.cursor_missing` for a page that passes for the last where nothing that the workspace file names was in
 * any answer of this table, while the answer says by another key that there is more.
 */
export async function checkLastPage(paging: SerialPagination, request: PageRequest, page: Page): Promise<void> {
  const { table, asker } = request
  if (paging.type === 'none' || paging.type === 'row_cursor' || page.rows === undefined) return
  if (asker.cursors.hasSeen(table.name.table) || page.rows.overview.rowCount === 0) return
  const configured = pagingPaths(paging)[0] ?? []
  const evidence = await findEvidence(page.rows.document, configured)
  if (evidence === undefined) return
  throw new QuerentError('source.cursor_missing', {
    subject: tableText(table),
    evidence: sanitizeText(evidence, 100),
    expected: paging.type === 'link_header' ? 'a Link header' : formatJsonPath(configured),
  })
}

/** The path of a value that leads to a next page, or says that there is one. */
async function findEvidence(text: string, configured: readonly string[]): Promise<string | undefined> {
  if (!text.trimStart().startsWith('{')) return undefined
  const root = await membersOf(text)
  const nested: (readonly [readonly string[], JsonMember])[] = root.map((member) => [[], member])
  for (const [key, value] of root) {
    if (!value.startsWith('{') || value.length > maxNested) continue
    for (const member of await membersOf(value)) nested.push([[key], member])
  }
  for (const [path, [key, value]] of nested) {
    if (leadsOn(key, value, configured.at(-1))) return formatJsonPath([...path, key])
  }
  return undefined
}

async function membersOf(text: string): Promise<readonly JsonMember[]> {
  return (await scanJson(Buffer.from(text), { rowsPath: [], members: true })).members
}

function leadsOn(key: string, json: string, configured: string | undefined): boolean {
  if (json.length > maxNested || /^[[{]/.test(json) || /prev/i.test(key)) return false
  const value = parseLossless(json)
  if (moreKey.test(key)) return value === true
  const isCursor = nextKey.test(key) || (configured !== undefined && isNear(key, configured))
  return isCursor && typeof value === 'string' && value !== ''
}

function isNear(key: string, configured: string): boolean {
  return key !== configured && configured.length > 3 && nearest(configured, [key]).length > 0
}
