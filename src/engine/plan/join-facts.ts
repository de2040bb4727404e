import type { TreeNode } from '../../model/tree.js'
import { flagAt, indexesAt, nodeAt, nodesAt, textAt } from './plan-json.js'
import type { JoinCondition, JoinNode, NodeBase } from './plan-node.js'

export type JoinFacts = Omit<JoinNode, keyof NodeBase>

const styles: Readonly<Record<string, JoinNode['style']>> = {
  LOGICAL_COMPARISON_JOIN: 'comparison',
  LOGICAL_ANY_JOIN: 'any',
  LOGICAL_ASOF_JOIN: 'asof',
  LOGICAL_DELIM_JOIN: 'delim',
  LOGICAL_CROSS_PRODUCT: 'cross',
  LOGICAL_POSITIONAL_JOIN: 'positional',
}

/** What a join operator says of itself; undefined for other operators. */
export function joinFacts(operator: string, json: TreeNode): JoinFacts | undefined {
  const style = styles[operator]
  if (style === undefined) return undefined
  return {
    kind: 'join',
    style,
    joinType: style === 'cross' ? 'INNER' : textAt(json, 'join_type'),
    leftMap: positionMap(json, 'left_projection_map'),
    rightMap: positionMap(json, 'right_projection_map'),
    conditions: conditionsOf(json),
    keySide: flagAt(json, 'delim_flipped') ? 1 : 0,
    keyColumns: nodesAt(json, 'duplicate_eliminated_columns'),
  }
}

/** An empty map stands for all positions. */
export function positionMap(json: TreeNode, key: string): readonly number[] | undefined {
  const map = indexesAt(json, key)
  return map.length > 0 ? map : undefined
}

function conditionsOf(json: TreeNode): readonly JoinCondition[] {
  const extra = [nodeAt(json, 'condition'), nodeAt(json, 'predicate')].filter((node) => node !== undefined)
  return [...nodesAt(json, 'conditions'), ...extra].map((condition) => {
    const [left, right] = [nodeAt(condition, 'left'), nodeAt(condition, 'right')]
    if (textAt(condition, 'expression_class') !== '' || left === undefined || right === undefined) {
      return { kind: 'expression', expression: condition }
    }
    return { kind: 'compare', left, right, comparison: textAt(condition, 'comparison') }
  })
}

/** Output columns of a join over children of these widths. */
export function joinWidth(join: JoinFacts, children: readonly (number | undefined)[]): number | undefined {
  const left = join.leftMap?.length ?? children[0]
  const right = join.rightMap?.length ?? children[1]
  switch (join.joinType) {
    case 'SEMI':
    case 'ANTI':
      return left
    case 'MARK':
      return left === undefined ? undefined : left + 1
    case 'RIGHT_SEMI':
    case 'RIGHT_ANTI':
      return right
    default:
      return left === undefined || right === undefined ? undefined : left + right
  }
}
