import type { TreeNode } from '../../model/tree.js'
import type { PlanTree } from './build-plan.js'
import { referencePosition } from './expression.js'
import { nodesAt } from './plan-json.js'
import { originOf } from './output-origin.js'
import type { AggregateNode, ExtensionNode, JoinNode, PlanNode } from './plan-node.js'

/** A scan whose rows may be restricted by keys, and the columns that the keys are of. */
export interface KeyTarget {
  readonly scan: number
  readonly columns: readonly string[]
}

export interface KeyTargetOptions {
  readonly tree: PlanTree
  /** The join above drops rows with NULL in one of the outputs, so rows that turn NULL below it cannot matter. */
  readonly rejectsNull: boolean
}

/**
 * Scans below a node that may leave out rows in which these outputs equal no key, without changing what a join on these
 * outputs sees (P25). Empty where something between would give other rows for fewer inputs.
 */
export function keyTargets(
  node: PlanNode,
  positions: readonly number[],
  options: KeyTargetOptions,
): readonly KeyTarget[] {
  if (node.kind === 'set') {
    const children = node.operation === 'except' ? node.children.slice(0, 1) : node.children
    return children.flatMap((child) => keyTargets(child, positions, options))
  }
  const origins = positions.map((position) => originOf({ node, position }))
  if (node.kind === 'scan') {
    const columns = origins.map((origin) => (origin.kind === 'column' ? origin.column : undefined))
    return columns.every((column) => column !== undefined) ? [{ scan: node.scan, columns }] : []
  }
  const next = origins.map((origin) =>
    origin.kind === 'same' && origin.from.length === 1 ? origin.from[0] : undefined,
  )
  const below = next[0]?.node
  if (below === undefined || !letsKeysPass(node, below, positions, options)) return []
  const inputs = next.map((output) => (output?.node === below ? output.position : undefined))
  return inputs.every((position) => position !== undefined) ? keyTargets(below, inputs, options) : []
}

function letsKeysPass(
  node: PlanNode,
  below: PlanNode,
  positions: readonly number[],
  options: KeyTargetOptions,
): boolean {
  switch (node.kind) {
    case 'filter':
    case 'projection':
    case 'unnest':
    case 'cte':
      return true
    case 'order':
      return node.top === undefined
    case 'distinct':
      return !node.isOn || positions.every((position) => refersTo(node.targets, position))
    case 'aggregate':
      return isGroupedBy(node, positions)
    case 'window':
      return isPartitionedBy(node, positions)
    case 'join':
      return joinLetsKeysPass(node, below, options.rejectsNull)
    case 'cteReference':
      return below.kind !== 'recursion' && options.tree.references.get(node.cte)?.length === 1
    default:
      return false
  }
}

function refersTo(expressions: readonly TreeNode[], position: number): boolean {
  return expressions.some((expression) => referencePosition(expression) === position)
}

function isGroupedBy(node: AggregateNode, positions: readonly number[]): boolean {
  if (node.hasGroupingFunctions) return false
  return positions.every(
    (position) => position < node.groups.length && node.groupingSets.every((set) => set.includes(position)),
  )
}

function isPartitionedBy(node: ExtensionNode, positions: readonly number[]): boolean {
  const partitions = node.expressions.map((window) => nodesAt(window, 'partitions'))
  return positions.every((position) => partitions.every((partition) => refersTo(partition, position)))
}

const keepsLeft = new Set(['INNER', 'LEFT', 'SEMI', 'ANTI', 'MARK', 'SINGLE'])
const keepsRight = new Set(['INNER', 'RIGHT'])
const nullsLeft = new Set(['RIGHT', 'OUTER', 'FULL'])
const nullsRight = new Set(['LEFT', 'OUTER', 'FULL', 'SINGLE'])

/** The side that a join fills with NULL passes only where NULL is rejected above (P26). */
function joinLetsKeysPass(join: JoinNode, below: PlanNode, rejectsNull: boolean): boolean {
  if (join.style === 'asof' || join.style === 'positional') return false
  const [keeps, nulls] = below === join.children[0] ? [keepsLeft, nullsLeft] : [keepsRight, nullsRight]
  return keeps.has(join.joinType) || (rejectsNull && nulls.has(join.joinType))
}
