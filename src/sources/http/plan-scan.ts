import type { JsonColumn } from '../../model/batch.js'
import type { SourceLimits } from '../source-context.js'
import type { ScanPlan, ScanRequest } from '../source.js'
import { previewRequest } from './build-request.js'
import type { HttpTable } from './http-table.js'
import { tableText } from './parameter-errors.js'
import type { CursorMemory } from './cursor-memory.js'
import { planParameters, type KeyParam } from './plan-parameters.js'
import { checkRules } from './scan-rules.js'
import { keysPerRequest, type ScanDetail } from './scan-table.js'

const maxPreviews = 3

/** Decides which requests a scan makes. Pure; throws where the scan must be refused. */
export function planScan(
  table: HttpTable,
  request: ScanRequest,
  limits: SourceLimits,
  cursors: CursorMemory,
): ScanPlan {
  checkRules(table.rules, request, tableText(table))
  const parameters = planParameters(table, request, limits.maxRequests)
  const { assignments, keys, matched } = parameters
  const residual = request.filters.filter((filter) => !parameters.exact.has(filter))
  // Rows that are dropped as repeats must not count.
  const mayLimit =
    residual.length === 0 &&
    request.order === undefined &&
    keys.length === 0 &&
    matched.length === 0 &&
    table.key.length === 0
  const limit = mayLimit ? request.limit : undefined
  const pages = Math.min(limits.maxRequests, assignments.length * table.rules.maxPages)
  const detail: ScanDetail = { request: parameters.request, assignments, keys, matched, limit }
  return {
    table: table.name,
    residual,
    pushed: request.filters.filter((filter) => parameters.sent.has(filter)),
    ...(limit === undefined ? {} : { limit }),
    requests: {
      estimate: assignments.length,
      max: keys.length > 0 && assignments.length > 0 ? limits.maxRequests : pages,
    },
    ...(keys.length > 0 ? { keysPerRequest: keysTogether(table, keys) } : {}),
    preview: preview(table, detail),
    notes: notes(table, parameters.notes, assignments.length, cursors),
    shape: {
      rowsPath: table.shapePath,
      columns: shapeColumns(table, request.columns, matched),
    },
    detail,
  }
}

function shapeColumns(table: HttpTable, read: readonly string[], matched: readonly string[]): readonly JsonColumn[] {
  return table.columns.flatMap(({ name, type, path, sql }) =>
    path !== undefined && (read.includes(name) || matched.includes(name))
      ? [{ name, type, path, ...(sql === undefined ? {} : { sql }) }]
      : [],
  )
}

function keysTogether(table: HttpTable, keys: readonly KeyParam[]): number {
  const params = table.params.filter(({ name }) => keys.some(({ param }) => param === name))
  return Math.max(1, ...params.map(keysPerRequest))
}

function preview(table: HttpTable, { request, assignments, keys }: ScanDetail): readonly string[] {
  const names = keys.map(({ param }) => param)
  const shown = assignments.slice(0, maxPreviews).map((assignment) => previewRequest(table, request, assignment, names))
  const rest = assignments.length - shown.length
  return rest > 0 ? [...shown, `… and ${rest} more`] : shown
}

function notes(
  table: HttpTable,
  parameters: readonly string[],
  requests: number,
  cursors: CursorMemory,
): readonly string[] {
  if (requests === 0) return ['no request: no row can satisfy the conditions']
  const { pagination } = table
  if (pagination.type === 'none') return parameters
  const paging = `up to ${table.rules.maxPages} pages for each request`
  if (!('next_path' in pagination) || !cursors.isDoubtful(table.name.table)) return [...parameters, paging]
  const doubt = `no answer had ${pagination.next_path} so far: if there is more than one page, next_path is wrong`
  return [...parameters, paging, doubt]
}
