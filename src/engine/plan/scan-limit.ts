import type { OrderKey } from '../../sources/source.js'
import type { ScanLimit } from './bound-plan.js'
import { conjuncts, referencePosition } from './expression.js'
import { originOf } from './output-origin.js'
import { nodeAt, textAt } from './plan-json.js'
import type { LimitNode, OrderNode, OutputRef, PlanNode } from './plan-node.js'
import type { PlanFilters } from './scan-filters.js'

/**
 * Limits that hold for a scan itself, by the scan's position (P22): only projections and conditions that the scan's
 * filters say in full stand between, and the limit is evaluated once.
 */
export function readScanLimits(root: PlanNode, filters: PlanFilters): ReadonlyMap<number, ScanLimit> {
  const limits = new Map<number, ScanLimit>()
  const visit = (node: PlanNode): void => {
    const found = limitOf(node, filters)
    if (found !== undefined) limits.set(found.scan, found.limit)
    // The recursive side runs again and again, each time with another limit's rows.
    for (const child of node.kind === 'recursion' ? node.children.slice(0, 1) : node.children) visit(child)
  }
  visit(root)
  return limits
}

interface FoundLimit {
  readonly scan: number
  readonly limit: ScanLimit
}

function limitOf(node: PlanNode, filters: PlanFilters): FoundLimit | undefined {
  if (node.kind === 'limit') return plainLimit(node, filters)
  return node.kind === 'order' && node.top !== undefined ? topLimit(node, node.top, filters) : undefined
}

function plainLimit(node: LimitNode, filters: PlanFilters): FoundLimit | undefined {
  const scan = scanBelow(node, filters)
  return scan === undefined || node.rows === undefined ? undefined : { scan, limit: { rows: node.rows } }
}

function topLimit(node: OrderNode, top: NonNullable<OrderNode['top']>, filters: PlanFilters): FoundLimit | undefined {
  const [base] = node.children
  const scan = scanBelow(node, filters)
  const rows = top.limit + top.offset
  if (base === undefined || scan === undefined || !Number.isSafeInteger(rows)) return undefined
  const order: OrderKey[] = []
  for (const key of node.orders) {
    const position = referencePosition(nodeAt(key, 'expression') ?? {})
    const column = position === undefined ? undefined : scanColumn({ node: base, position })
    const [direction, nulls] = [textAt(key, 'type'), textAt(key, 'null_order')]
    if (column === undefined || !knownDirections.has(direction) || !knownNullOrders.has(nulls)) return undefined
    order.push({ column, descending: direction === 'DESCENDING', nullsFirst: nulls === 'NULLS FIRST' })
  }
  return { scan, limit: { rows, order } }
}

const knownDirections = new Set(['ASCENDING', 'DESCENDING'])
const knownNullOrders = new Set(['NULLS FIRST', 'NULLS LAST'])

/** The scan under a node, through nodes that drop no row the scan's filters would keep. */
function scanBelow(node: PlanNode, filters: PlanFilters): number | undefined {
  const [below] = node.children
  if (below?.kind === 'scan') return below.scan
  if (below?.kind === 'projection') return scanBelow(below, filters)
  if (below?.kind !== 'filter') return undefined
  const isExact = below.conditions.flatMap(conjuncts).every((condition) => filters.exact.has(condition))
  return isExact ? scanBelow(below, filters) : undefined
}

function scanColumn(output: OutputRef): string | undefined {
  const origin = originOf(output)
  if (origin.kind === 'column') return origin.column
  const next = origin.kind === 'same' ? origin.from[0] : undefined
  return next === undefined ? undefined : scanColumn(next)
}
