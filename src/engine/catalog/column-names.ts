import type { TableSummary } from '../../model/table.js'
import type { Source } from '../../sources/source.js'
import { CatalogIndex } from './catalog-index.js'

const maxDescribed = 500
const atOnce = 4
const budgetMs = 3_000

/** The listing with the columns of tables that had to be described for it, as far as that is quick. */
export async function withColumnNames(
  index: CatalogIndex,
  sources: ReadonlyMap<string, Source>,
  signal: AbortSignal,
): Promise<CatalogIndex> {
  const unknown = index.tables.filter((table) => table.columnNames === undefined).slice(0, maxDescribed)
  if (unknown.length === 0) return index
  const quick = AbortSignal.any([signal, AbortSignal.timeout(budgetMs)])
  const described = new Map<TableSummary, TableSummary>()
  const waiting = unknown.values()
  const describeNext = async (): Promise<void> => {
    for (const summary of waiting) {
      if (quick.aborted) return
      const columnNames = await columnNamesOf(summary, sources, quick)
      if (columnNames !== undefined) described.set(summary, { ...summary, columnNames })
    }
  }
  await Promise.all(Array.from({ length: atOnce }, describeNext))
  signal.throwIfAborted()
  return new CatalogIndex(
    index.tables.map((table) => described.get(table) ?? table),
    index.unavailable,
    index.notes,
  )
}

async function columnNamesOf(
  { name }: TableSummary,
  sources: ReadonlyMap<string, Source>,
  signal: AbortSignal,
): Promise<readonly string[] | undefined> {
  try {
    const described = await sources.get(name.source.toLowerCase())?.describeTables([name], { signal })
    const columns = described?.[0]?.columns ?? []
    return columns.length === 0 ? undefined : columns.map((column) => column.name)
  } catch {
    // A table that cannot be described is still found by its name; describing it says why.
    return undefined
  }
}
