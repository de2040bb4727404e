import { QuerentError } from '../../errors/querent-error.js'
import type { Filter } from '../../model/filter.js'
import type { ScanRequest } from '../source.js'
import type { FileSafety } from './file-config.js'

/** Refuses a scan without the conditions that the workspace asks for. Error: source.required_filter. */
export function assertRequiredFilters(safety: FileSafety | undefined, request: ScanRequest): void {
  if (safety === undefined) return
  const given = new Set(
    [...request.filters.flatMap(columnsUnder), ...(request.keyColumns ?? [])].map((name) => name.toLowerCase()),
  )
  const missing = (safety.require_filters_on ?? []).filter((name) => !given.has(name.toLowerCase()))
  if (missing.length > 0) throw missingFilter(request, missing.join(' and '), missing[0] ?? '')
  if (safety.require_at_least_one_filter === true && given.size === 0) {
    throw missingFilter(request, 'at least one of its columns', request.table.columns[0]?.name ?? '')
  }
}

/** Columns that the filter restricts in every case: those in all branches of an OR. */
function columnsUnder(filter: Filter): readonly string[] {
  if (filter.kind === 'and') return filter.filters.flatMap(columnsUnder)
  if (filter.kind !== 'or') return [filter.column]
  const [first = [], ...rest] = filter.filters.map(columnsUnder)
  return first.filter((name) => rest.every((others) => others.includes(name)))
}

function missingFilter(request: ScanRequest, columns: string, example: string): QuerentError {
  const { source, table } = request.table.name
  const hint = `Compare with constants, such as WHERE ${example} = …; a condition inside a function does not count.`
  return new QuerentError('source.required_filter', { table: `${source}.${table}`, columns, hint })
}
