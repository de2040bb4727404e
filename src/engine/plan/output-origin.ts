import type { TreeNode } from '../../model/tree.js'
import { referencePosition } from './expression.js'
import type { JoinNode, OutputRef, PlanNode } from './plan-node.js'

/** Where one output column of a node comes from, one step down. */
export type OutputOrigin =
  /** The same value stands in these outputs; several for set operations and recursion. */
  | { readonly kind: 'same'; readonly from: readonly OutputRef[] }
  /** Computed from outputs of `base`. */
  | { readonly kind: 'computed'; readonly expression: TreeNode; readonly base: PlanNode }
  /** Whether a MARK join's condition found a match. */
  | { readonly kind: 'mark'; readonly join: JoinNode }
  /** The scan's own column. */
  | { readonly kind: 'column'; readonly scan: number; readonly column: string }
  | { readonly kind: 'rowid'; readonly scan: number }
  /** Made here, from a constant list or out of nothing. */
  | { readonly kind: 'leaf' }
  /** Made from all outputs of the children in a way that the reader does not follow. */
  | { readonly kind: 'unknown' }

export function originOf({ node, position }: OutputRef): OutputOrigin {
  const [first, second] = node.children
  switch (node.kind) {
    case 'scan': {
      const output = node.outputs[position] ?? 'nothing'
      if (output === 'nothing') return { kind: 'leaf' }
      if (output === 'rowid') return { kind: 'rowid', scan: node.scan }
      return { kind: 'column', scan: node.scan, column: output.column }
    }
    case 'filter':
    case 'order':
      return same(first, node.map === undefined ? position : node.map[position])
    case 'limit':
    case 'distinct':
    case 'sample':
      return same(first, position)
    case 'projection':
      return computed(node.expressions[position], first)
    case 'aggregate':
      return computed([...node.groups, ...node.aggregates][position], first)
    case 'window':
    case 'unnest': {
      const own = first?.width
      if (own === undefined) return { kind: 'unknown' }
      return position < own ? same(first, position) : computed(node.expressions[position - own], first)
    }
    case 'join':
      return joinOrigin(node, position)
    case 'set':
    case 'recursion':
      return { kind: 'same', from: node.children.map((child) => ({ node: child, position })) }
    case 'cte':
      return same(second, position)
    case 'cteReference':
      return same(node.definition, position)
    case 'keys':
      return computed(node.join?.keyColumns[position], node.join?.children[node.join.keySide])
    case 'function':
      return position < node.ownWidth ? { kind: 'unknown' } : same(first, node.passed[position - node.ownWidth])
    case 'constants':
    case 'empty':
      return { kind: 'leaf' }
    case 'pivot':
    case 'write':
    case 'unknown':
      return { kind: 'unknown' }
  }
}

function same(node: PlanNode | undefined, position: number | undefined): OutputOrigin {
  return node === undefined || position === undefined
    ? { kind: 'unknown' }
    : { kind: 'same', from: [{ node, position }] }
}

/** A plain reference is the same value; an output without expression, such as GROUPING(), is made of nothing. */
function computed(expression: TreeNode | undefined, base: PlanNode | undefined): OutputOrigin {
  if (expression === undefined || base === undefined) return { kind: 'leaf' }
  const position = referencePosition(expression)
  return position === undefined ? { kind: 'computed', expression, base } : same(base, position)
}

function joinOrigin(join: JoinNode, position: number): OutputOrigin {
  const [left, right] = join.children
  if (join.joinType === 'RIGHT_SEMI' || join.joinType === 'RIGHT_ANTI') return mapped(right, join.rightMap, position)
  const leftWidth = join.leftMap?.length ?? left?.width
  if (leftWidth === undefined) return { kind: 'unknown' }
  if (position < leftWidth) return mapped(left, join.leftMap, position)
  if (join.joinType === 'MARK') return { kind: 'mark', join }
  return mapped(right, join.rightMap, position - leftWidth)
}

function mapped(child: PlanNode | undefined, map: readonly number[] | undefined, position: number): OutputOrigin {
  return same(child, map === undefined ? position : map[position])
}
