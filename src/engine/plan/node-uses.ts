import type { TreeNode } from '../../model/tree.js'
import { conjuncts, expressionInputs } from './expression.js'
import { nodeAt } from './plan-json.js'
import type { JoinCondition, JoinNode, OutputRef, PlanNode } from './plan-node.js'

/** What a node does with outputs of its children beside passing them on. */
export type UseKind =
  | 'where'
  | 'on'
  | 'group'
  | 'order'
  | 'distinct'
  | 'window'
  | 'aggregate'
  | 'setOperation'
  | 'limit'
  | 'recursion'
  | 'keys'
  | 'argument'
  | 'write'
  | 'unknown'

export interface NodeUse {
  readonly kind: UseKind
  readonly node: PlanNode
  /** Outputs of the node's children that are looked at. */
  readonly inputs: readonly OutputRef[]
  /** The expression that looks, where there is one. */
  readonly expression?: TreeNode
  /** For `on`: the join's condition. */
  readonly condition?: JoinCondition
}

/** All outputs of a node; none where its width is not known (its own children are then used whole). */
export function allOutputs(node: PlanNode): readonly OutputRef[] {
  return Array.from({ length: node.width ?? 0 }, (_, position) => ({ node, position }))
}

/** Outputs of `base` that an expression refers to. */
export function inputsOf(expression: TreeNode, base: PlanNode): readonly OutputRef[] {
  const { positions, isOpaque } = expressionInputs([expression])
  return isOpaque ? allOutputs(base) : positions.map((position) => ({ node: base, position }))
}

/** Outputs of both children that an expression over a whole join refers to. */
function joinInputsOf(expression: TreeNode, join: JoinNode): readonly OutputRef[] {
  const [left, right] = join.children
  const leftWidth = left?.width
  const { positions, isOpaque } = expressionInputs([expression])
  if (left === undefined || right === undefined) return []
  if (isOpaque || leftWidth === undefined) return [...allOutputs(left), ...allOutputs(right)]
  return positions.map((position) =>
    position < leftWidth ? { node: left, position } : { node: right, position: position - leftWidth },
  )
}

export function conditionInputs(condition: JoinCondition, join: JoinNode): readonly OutputRef[] {
  if (condition.kind === 'expression') return joinInputsOf(condition.expression, join)
  const [left, right] = join.children
  if (left === undefined || right === undefined) return []
  return [...inputsOf(condition.left, left), ...inputsOf(condition.right, right)]
}

/** Every use in the plan, parents first. */
export function planUses(root: PlanNode): readonly NodeUse[] {
  return [...nodeUses(root), ...root.children.flatMap(planUses)]
}

function nodeUses(node: PlanNode): readonly NodeUse[] {
  const [first] = node.children
  const over = (kind: UseKind, expressions: readonly TreeNode[]): readonly NodeUse[] =>
    first === undefined
      ? []
      : expressions.map((expression) => ({ kind, node, expression, inputs: inputsOf(expression, first) }))
  const whole = (kind: UseKind): readonly NodeUse[] =>
    node.children.map((child) => ({ kind, node, inputs: allOutputs(child) }))
  switch (node.kind) {
    case 'filter':
      return over('where', node.conditions.flatMap(conjuncts))
    case 'order':
      return over('order', orderExpressions(node.orders))
    case 'limit':
      return over('limit', node.expressions)
    case 'distinct':
      return [
        ...(node.isOn ? [] : whole('distinct')),
        ...over('distinct', node.targets),
        ...over('order', orderExpressions(node.orders)),
      ]
    case 'aggregate':
      return [...over('group', node.groups), ...over('aggregate', node.aggregates)]
    case 'window':
      return over('window', node.expressions)
    case 'unnest':
      return over('argument', node.expressions)
    case 'join':
      return joinUses(node)
    case 'set':
      return node.operation === 'union' ? [] : whole('setOperation')
    case 'recursion':
      return whole('recursion')
    case 'function':
      return whole('argument')
    case 'pivot':
      return whole('aggregate')
    case 'write':
      return whole('write')
    case 'unknown':
      return whole('unknown')
    default:
      return []
  }
}

function orderExpressions(orders: readonly TreeNode[]): readonly TreeNode[] {
  return orders.map((order) => nodeAt(order, 'expression')).filter((expression) => expression !== undefined)
}

function joinUses(join: JoinNode): readonly NodeUse[] {
  const keyBase = join.children[join.keySide]
  const conditions = join.conditions.map((condition) => ({
    kind: 'on' as const,
    node: join,
    condition,
    inputs: conditionInputs(condition, join),
  }))
  if (keyBase === undefined) return conditions
  const keys = join.keyColumns.map((expression) => ({
    kind: 'keys' as const,
    node: join,
    expression,
    inputs: inputsOf(expression, keyBase),
  }))
  return [...conditions, ...keys]
}
