import type { Safety } from '../../config/safety.js'
import { QuerentError } from '../../errors/querent-error.js'
import type { ScanRequest } from '../source.js'
import { columnsOf } from './filter-values.js'

/** Rules of the source and the table together: the stricter holds. */
export interface ScanRules {
  readonly requireFiltersOn: readonly string[]
  readonly requireAtLeastOneFilter: boolean
  readonly maxRows: number | undefined
  readonly maxPages: number
  readonly timeoutMs: number | undefined
}

export function mergeRules(rules: readonly Safety[], limits: { readonly maxPages: number }): ScanRules {
  return {
    requireFiltersOn: rules.flatMap(({ requireFiltersOn }) => requireFiltersOn),
    requireAtLeastOneFilter: rules.some(({ requireAtLeastOneFilter }) => requireAtLeastOneFilter),
    maxRows: least(rules.map(({ maxRows }) => maxRows)),
    maxPages: least([limits.maxPages, ...rules.map(({ maxPages }) => maxPages)]) ?? limits.maxPages,
    timeoutMs: least(rules.map(({ timeoutMs }) => timeoutMs)),
  }
}

/** Refuses a scan without the conditions that the rules ask for. A condition that is a join counts where it binds keys. */
export function checkRules(rules: ScanRules, request: ScanRequest, tableText: string): void {
  const filtered = new Set([...request.filters.flatMap(columnsOf), ...(request.keyColumns ?? [])].map(lower))
  for (const column of Object.keys(request.forced ?? {})) filtered.add(lower(column))
  const known = new Set(request.table.columns.map(({ name }) => lower(name)))
  const missing = rules.requireFiltersOn.filter((column) => known.has(lower(column)) && !filtered.has(lower(column)))
  if (missing.length > 0) {
    const requirement = `a condition on ${missing.join(' and ')}`
    throw new QuerentError('source.filter_policy', { table: tableText, requirement, hint: 'Add it to WHERE.' })
  }
  if (rules.requireAtLeastOneFilter && filtered.size === 0) {
    const columns = request.table.columns.map(({ name }) => name).slice(0, 20)
    const hint = `Add a condition to WHERE; columns: ${columns.join(', ')}.`
    throw new QuerentError('source.filter_policy', { table: tableText, requirement: 'at least one condition', hint })
  }
}

function least(values: readonly (number | undefined)[]): number | undefined {
  const given = values.filter((value) => value !== undefined)
  return given.length === 0 ? undefined : Math.min(...given)
}

function lower(name: string): string {
  return name.toLowerCase()
}
