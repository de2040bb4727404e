import type { SourceLimits } from '../source-context.js'
import type { ScanPlan, ScanRequest } from '../source.js'
import { previewRequest } from './build-request.js'
import type { HttpTable } from './http-table.js'
import { tableText } from './parameter-errors.js'
import { planParameters } from './plan-parameters.js'
import { checkRules } from './scan-rules.js'
import type { ScanDetail } from './scan-table.js'

const maxPreviews = 3

/** Decides which requests a scan makes. Pure; throws where the scan must be refused. */
export function planScan(table: HttpTable, request: ScanRequest, limits: SourceLimits): ScanPlan {
  checkRules(table.rules, request, tableText(table))
  const parameters = planParameters(table, request, limits.maxRequests)
  const { assignments, keys, matched } = parameters
  const residual = request.filters.filter((filter) => !parameters.exact.has(filter))
  const mayLimit = residual.length === 0 && request.order === undefined && keys.length === 0 && matched.length === 0
  const limit = mayLimit ? request.limit : undefined
  const pages = Math.min(limits.maxRequests, assignments.length * table.rules.maxPages)
  const detail: ScanDetail = { assignments, keys, matched, limit }
  return {
    table: table.name,
    residual,
    pushed: request.filters.filter((filter) => parameters.sent.has(filter)),
    ...(limit === undefined ? {} : { limit }),
    requests: {
      estimate: assignments.length,
      max: keys.length > 0 && assignments.length > 0 ? limits.maxRequests : pages,
    },
    ...(keys.length > 0 ? { keysPerRequest: 1 } : {}),
    preview: preview(
      table,
      assignments,
      keys.map(({ param }) => param),
    ),
    notes: notes(table, parameters.notes, assignments.length),
    shape: { rowsPath: table.rowsPath, columns: shapeColumns(table, request.columns, matched) },
    detail,
  }
}

function shapeColumns(
  table: HttpTable,
  read: readonly string[],
  matched: readonly string[],
): { name: string; type: string; path: readonly (string | number)[] }[] {
  return table.columns.flatMap(({ name, type, path }) =>
    path !== undefined && (read.includes(name) || matched.includes(name)) ? [{ name, type, path }] : [],
  )
}

function preview(table: HttpTable, assignments: ScanDetail['assignments'], keys: readonly string[]): readonly string[] {
  const shown = assignments.slice(0, maxPreviews).map((assignment) => previewRequest(table, assignment, keys))
  const rest = assignments.length - shown.length
  return rest > 0 ? [...shown, `… and ${rest} more`] : shown
}

function notes(table: HttpTable, parameters: readonly string[], requests: number): readonly string[] {
  if (requests === 0) return ['no request: no row can satisfy the conditions']
  const paging = `up to ${table.rules.maxPages} pages for each request`
  return table.pagination.type === 'none' ? parameters : [...parameters, paging]
}
