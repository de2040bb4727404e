import type { RelationName } from './bound-plan.js'
import { buildPlanTree, type PlanTree } from './build-plan.js'
import { expressionClass, referencePosition, withoutWidening } from './expression.js'
import { keySources } from './key-sources.js'
import { allOutputs, planUses, type NodeUse, type UseKind } from './node-uses.js'
import { nodeAt, textAt } from './plan-json.js'
import type { OutputRef, PlanNode } from './plan-node.js'
import { reachFrom } from './reach.js'
import { parsePlan } from './read-plan.js'
import type { TreeNode } from '../../model/tree.js'

/** A column of a stored table; `column` is undefined for the table's row id. */
export interface ColumnOrigin {
  readonly relation: RelationName
  readonly column: string | undefined
}

/** How a statement uses columns beside showing them. `onEqual`: only compared for equality with a column of another table. */
export type LineageUse = Exclude<UseKind, 'keys'> | 'onEqual'

export interface OutputLineage {
  /** Per output column: the columns of which its value is made, wholly or in part. */
  readonly outputs: readonly (readonly ColumnOrigin[])[]
  readonly uses: ReadonlyMap<LineageUse, readonly ColumnOrigin[]>
  /** False: there are operators that the reader does not know, and every column that is scanned may be shown or used. */
  readonly isComplete: boolean
}

/**
 * Lineage of a plan that was made with `optimize := false`. Errs to naming too many columns, never too few. Throws
 * `internal.unexpected` for text that is not one statement's plan.
 */
export function outputLineage(planJson: string): OutputLineage {
  const tree = buildPlanTree(parsePlan(planJson))
  const byKind = new Map<LineageUse, OutputRef[]>()
  for (const use of planUses(tree.root)) {
    if (use.kind === 'keys') continue
    const kind = isEqualityOfTables(use) ? 'onEqual' : use.kind
    byKind.set(kind, [...(byKind.get(kind) ?? []), ...use.inputs])
  }
  const uses = [...byKind].map(([kind, inputs]) => [kind, originsOf(inputs, tree)] as const)
  return {
    outputs: allOutputs(tree.root).map((output) => originsOf([output], tree)),
    uses: new Map(uses.filter(([, origins]) => origins.length > 0)),
    isComplete: tree.unknownOperators.length === 0,
  }
}

function originsOf(inputs: readonly OutputRef[], tree: PlanTree): readonly ColumnOrigin[] {
  const { columns, rowIds } = reachFrom(inputs)
  return tree.scans.flatMap(({ scan, relation, names }) => {
    const reached = columns.get(scan)
    const found: ColumnOrigin[] = names
      .filter((name) => reached?.has(name) === true)
      .map((column) => ({ relation, column }))
    return rowIds.has(scan) ? [...found, { relation, column: undefined }] : found
  })
}

/** `ref = ref` where both sides are columns of tables, of different scans: an equality with a constant would probe values. */
function isEqualityOfTables(use: NodeUse): boolean {
  const [left, right] = use.node.children
  if (left === undefined) return false
  if (use.kind === 'where' && use.expression !== undefined && expressionClass(use.expression) === 'BOUND_COMPARISON') {
    return (
      isEquality(textAt(use.expression, 'type')) &&
      areTables(sideOf(use.expression, 'left', left), sideOf(use.expression, 'right', left))
    )
  }
  if (use.kind !== 'on' || use.condition?.kind !== 'compare' || right === undefined) return false
  const { condition } = use
  return (
    isEquality(condition.comparison) &&
    areTables({ node: left, key: condition.left }, { node: right, key: condition.right })
  )
}

interface EqualitySide {
  readonly node: PlanNode
  readonly key: TreeNode | undefined
}

function sideOf(expression: TreeNode, side: 'left' | 'right', node: PlanNode): EqualitySide {
  return { node, key: nodeAt(expression, side) }
}

function isEquality(comparison: string): boolean {
  return comparison === 'COMPARE_EQUAL' || comparison === 'COMPARE_NOT_DISTINCT_FROM'
}

function areTables(left: EqualitySide, right: EqualitySide): boolean {
  const [leftScans, rightScans] = [sourceScans(left), sourceScans(right)]
  if (leftScans === undefined || rightScans === undefined) return false
  return leftScans.length > 0 && rightScans.length > 0 && !leftScans.some((scan) => rightScans.includes(scan))
}

/** The scans that a plain reference's values come from; undefined where any part is computed or a constant. */
function sourceScans({ node, key }: EqualitySide): readonly number[] | undefined {
  const position = key === undefined ? undefined : referencePosition(withoutWidening(key))
  const sources = position === undefined ? undefined : keySources(node, [position])
  const scans = sources?.map((source) => (source.kind === 'scan' ? source.scan : undefined))
  return scans?.every((scan) => scan !== undefined) === true ? scans : undefined
}
