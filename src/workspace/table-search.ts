import type { Catalog } from '../engine/catalog/catalog.js'
import { QuerentError } from '../errors/querent-error.js'
import type { Table, TableSummary } from '../model/table.js'
import type { Source } from '../sources/source.js'
import type { TablePage, TableSearch } from './workspace.js'

const defaultLimit = 50
const maxLimit = 1_000

/** A page of the catalog, ranked by words. */
export async function searchTables(
  search: TableSearch,
  options: { readonly catalog: Catalog; readonly sources: ReadonlyMap<string, Source>; readonly signal: AbortSignal },
): Promise<TablePage> {
  const namesOnly = search.detail === 'names' && search.query === undefined
  const { catalog, signal } = options
  const index = await (namesOnly ? catalog.index(signal) : catalog.searchIndex(signal))
  const { source } = search
  if (source !== undefined && !options.sources.has(source.toLowerCase())) {
    const names = [...options.sources.values()].map((one) => one.name).join(', ')
    throw new QuerentError('catalog.unknown_source', { source, hint: `The sources are ${names}.` })
  }
  const found = await index.find(search.query, source)
  const offset = offsetOf(search.cursor)
  const limit = Math.min(search.limit ?? defaultLimit, maxLimit)
  const page = found.slice(offset, offset + limit)
  const next = offset + page.length
  return {
    tables: await detailed(page, search.detail ?? 'summary', options),
    total: found.length,
    ...(next < found.length ? { nextCursor: cursorOf(next) } : {}),
    unavailable: index.unavailable,
  }
}

async function detailed(
  page: readonly TableSummary[],
  detail: 'names' | 'summary' | 'full',
  { sources, signal }: { readonly sources: ReadonlyMap<string, Source>; readonly signal: AbortSignal },
): Promise<readonly (TableSummary | Table)[]> {
  if (detail === 'names') return page.map(({ name }) => ({ name }))
  if (detail === 'summary') return page
  return Promise.all(
    page.map(async (summary) => {
      const source = sources.get(summary.name.source.toLowerCase())
      const described = await source?.describeTables([summary.name], { signal }).catch(() => undefined)
      signal.throwIfAborted()
      return described?.[0] ?? summary
    }),
  )
}

function cursorOf(offset: number): string {
  return Buffer.from(`o${offset}`).toString('base64url')
}

function offsetOf(cursor: string | undefined): number {
  if (cursor === undefined) return 0
  const text = Buffer.from(cursor, 'base64url').toString('utf8')
  const match = /^o(\d{1,9})$/.exec(text)
  if (match === null) throw new QuerentError('catalog.bad_cursor')
  return Number(match[1])
}
