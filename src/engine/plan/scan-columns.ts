import type { TreeNode } from '../../model/tree.js'
import type { PlanTree } from './build-plan.js'
import { expressionClass, typeIdOf, walkExpression } from './expression.js'
import { allOutputs, inputsOf, planUses, type NodeUse } from './node-uses.js'
import { nodeAt, nodesAt } from './plan-json.js'
import type { OutputRef, PlanNode, ScanNode } from './plan-node.js'
import { reachFrom } from './reach.js'
import type { PlanFilters } from './scan-filters.js'

export interface ScanColumns {
  /** Columns that the statement reads, in table order. */
  readonly columns: readonly string[]
  readonly readsRowId: boolean
  /** Columns under a condition that is not a filter of the scan. */
  readonly otherConditions: readonly string[]
}

/** Columns that any expression, or the answer, can see: the plan's own lists name more (P3). By position of the scan. */
export function readScanColumns(tree: PlanTree, filters: PlanFilters): readonly ScanColumns[] {
  const uses = planUses(tree.root)
  const isUnknown = tree.unknownOperators.length > 0
  const everything = isUnknown ? tree.scans.flatMap(allOutputs) : allOutputs(tree.root)
  const read = reachFrom([...everything, ...uses.flatMap((use) => use.inputs)])
  const conditions = reachFrom([
    ...(isUnknown ? everything : []),
    ...uses.filter((use) => isCondition(use, filters)).flatMap((use) => use.inputs),
    ...read.expressions.flatMap(({ expression, base }) => predicateInputs(expression, base)),
    ...uses.flatMap(usePredicateInputs),
  ])
  return tree.scans.map((scan) => {
    const filtered = scan.tableFilters.map(({ columnIndex }) => scan.names[columnIndex])
    const residual = filters.scans[scan.scan]?.residual.flatMap((condition) => condition.columns) ?? []
    return {
      columns: inTableOrder(scan, [...(read.columns.get(scan.scan) ?? []), ...filtered]),
      readsRowId: read.rowIds.has(scan.scan),
      otherConditions: inTableOrder(scan, [...(conditions.columns.get(scan.scan) ?? []), ...residual]),
    }
  })
}

function inTableOrder(scan: ScanNode, columns: readonly (string | undefined)[]): readonly string[] {
  const wanted = new Set(columns)
  return scan.names.filter((name) => wanted.has(name))
}

function isCondition(use: NodeUse, filters: PlanFilters): boolean {
  if (use.kind === 'on') return true
  return use.kind === 'where' && use.expression !== undefined && !filters.exact.has(use.expression)
}

/** Conditions inside the expressions of aggregates, windows and groups, such as `count(*) FILTER (WHERE …)`. */
function usePredicateInputs(use: NodeUse): readonly OutputRef[] {
  const [base] = use.node.children
  if (use.expression === undefined || base === undefined || use.kind === 'where') return []
  return predicateInputs(use.expression, base)
}

const predicateClasses = new Set(['BOUND_COMPARISON', 'BOUND_BETWEEN'])

/** Inputs of the parts of an expression that tell rows apart: comparisons, tests, WHEN. */
function predicateInputs(expression: TreeNode, base: PlanNode): readonly OutputRef[] {
  const inputs: OutputRef[] = []
  walkExpression(expression, (part) => {
    const whens = nodesAt(part, 'case_checks').map((check) => nodeAt(check, 'when_expr'))
    for (const when of whens) if (when !== undefined) inputs.push(...inputsOf(when, base))
    if (isPredicate(part)) inputs.push(...inputsOf(part, base))
  })
  return inputs
}

function isPredicate(expression: TreeNode): boolean {
  const kind = expressionClass(expression)
  if (predicateClasses.has(kind)) return true
  return (kind === 'BOUND_OPERATOR' || kind === 'BOUND_FUNCTION') && typeIdOf(expression) === 'BOOLEAN'
}
