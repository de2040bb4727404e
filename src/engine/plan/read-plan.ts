import { QuerentError } from '../../errors/querent-error.js'
import type { Filter } from '../../model/filter.js'
import { isTreeNode, type TreeNode } from '../../model/tree.js'
import { parseLossless } from '../../util/lossless-json.js'
import { readBindCandidates } from './bind-candidates.js'
import { relationKey } from './relation-key.js'
import type { BindCandidate, BoundPlan, PlannedScan } from './bound-plan.js'
import { buildPlanTree, type PlanTree } from './build-plan.js'
import { rejectsNull } from './filter-reading.js'
import { planOutput } from './plan-output.js'
import { nodesAt } from './plan-json.js'
import type { PlanNode, ScanNode } from './plan-node.js'
import { readScanColumns } from './scan-columns.js'
import { readScanFilters } from './scan-filters.js'
import { readScanLimits } from './scan-limit.js'

/**
 * Reads what `json_serialize_plan` printed for one statement over empty tables. Pure. Operators and expressions that it
 * does not know widen what a scan must deliver; they are never an error. Throws `internal.unexpected` for text that is
 * not one statement's plan.
 */
export function readPlan(planJson: string): BoundPlan {
  const plan = parsePlan(planJson)
  const tree = buildPlanTree(plan)
  const write = findWrite(tree.root)
  return {
    root: tree.root.operator,
    output: planOutput(plan),
    scans: readScans(tree),
    ...(write === undefined ? {} : { write }),
    unknownOperators: tree.unknownOperators,
  }
}

/** The only entry of `plans`. */
function parsePlan(planJson: string): TreeNode {
  const answer = parseLossless(planJson)
  const [plan, ...more] = isTreeNode(answer) ? nodesAt(answer, 'plans') : []
  if (plan !== undefined && more.length === 0) return plan
  throw new QuerentError('internal.unexpected', { message: 'the text is not the plan of one statement' })
}

function readScans(tree: PlanTree): readonly PlannedScan[] {
  const filters = readScanFilters(tree)
  const columns = readScanColumns(tree, filters)
  const limits = readScanLimits(tree.root, filters)
  const binds = readBindCandidates(tree)
  const lonely = lonelyRelations(tree.scans)
  return tree.scans.map((scan, id) => {
    const ownFilters = filters.scans[id] ?? { filters: [], residual: [], never: false }
    const ownColumns = columns[id] ?? { columns: scan.names, readsRowId: false, otherConditions: [] }
    const bind = (binds[id] ?? []).map((candidate) => withoutNullKeys(candidate, ownFilters.filters))
    const limit = limits.get(id)
    const isLimited = bind.length === 0 && ownFilters.residual.length === 0 && lonely.has(relationKey(scan.relation))
    return {
      id,
      relation: scan.relation,
      ...ownColumns,
      ...ownFilters,
      ...(limit === undefined || !isLimited ? {} : { limit }),
      bind,
      recursive: isRepeated(scan),
    }
  })
}

/** Where the scan's own filters drop NULL, rows with NULL need not be fetched for a null-safe join either. */
function withoutNullKeys(candidate: BindCandidate, filters: readonly Filter[]): BindCandidate {
  const nullSafe = candidate.columns.map(
    (column, index) => candidate.nullSafe[index] === true && !filters.some((filter) => rejectsNull(filter, column)),
  )
  return { ...candidate, nullSafe }
}

/** Relations with one scan. Another scan would find the rows that a limit left out missing (P22, P30). */
function lonelyRelations(scans: readonly ScanNode[]): ReadonlySet<string> {
  const seen = new Set<string>()
  const lonely = new Set<string>()
  for (const { relation } of scans) {
    const key = relationKey(relation)
    if (seen.has(key)) lonely.delete(key)
    else lonely.add(key)
    seen.add(key)
  }
  return lonely
}

function isRepeated(node: PlanNode): boolean {
  const { parent } = node
  if (parent === undefined) return false
  return (parent.kind === 'recursion' && parent.children[1] === node) || isRepeated(parent)
}

/** With RETURNING the writing operator stands below the root. */
function findWrite(node: PlanNode): BoundPlan['write'] {
  if (node.kind === 'write') return { operator: node.operator, target: node.target }
  for (const child of node.children) {
    const write = findWrite(child)
    if (write !== undefined) return write
  }
  return undefined
}
