import type { TreeNode } from '../../model/tree.js'
import {
  conjuncts,
  expressionClass,
  expressionInputs,
  referencePosition,
  shiftReferences,
  typeIdOf,
  withoutWidening,
} from './expression.js'
import { nodeAt, textAt } from './plan-json.js'
import type { JoinNode } from './plan-node.js'

/** An equality of a join between plain outputs of its children. */
export interface KeyPair {
  readonly left: number
  readonly right: number
  /** `IS NOT DISTINCT FROM`. */
  readonly nullSafe: boolean
}

/** The equalities of a join whose keys may be handed on as text (P28). */
export function keyPairs(join: JoinNode): readonly KeyPair[] {
  const pairs: KeyPair[] = []
  for (const condition of join.conditions) {
    if (condition.kind === 'compare') add(pairs, condition.left, condition.right, condition.comparison)
    else if (join.style === 'any') for (const part of conjuncts(condition.expression)) addAcross(pairs, part, join)
  }
  return pairs
}

function add(pairs: KeyPair[], left: TreeNode, right: TreeNode, comparison: string): void {
  if (comparison !== 'COMPARE_EQUAL' && comparison !== 'COMPARE_NOT_DISTINCT_FROM') return
  const [leftKey, rightKey] = [keyPosition(left), keyPosition(right)]
  if (leftKey === undefined || rightKey === undefined) return
  pairs.push({ left: leftKey, right: rightKey, nullSafe: comparison !== 'COMPARE_EQUAL' })
}

/** A comparison over both children's columns, as joins on arbitrary conditions have it. */
function addAcross(pairs: KeyPair[], condition: TreeNode, join: JoinNode): void {
  const width = join.children[0]?.width
  const [first, second] = [nodeAt(condition, 'left'), nodeAt(condition, 'right')]
  if (expressionClass(condition) !== 'BOUND_COMPARISON' || first === undefined || second === undefined) return
  if (width === undefined) return
  const isLeft = (side: TreeNode): boolean => expressionInputs([side]).positions.every((position) => position < width)
  const isRight = (side: TreeNode): boolean => expressionInputs([side]).positions.every((position) => position >= width)
  const comparison = textAt(condition, 'type')
  if (isLeft(first) && isRight(second)) add(pairs, first, shiftReferences(second, -width), comparison)
  else if (isLeft(second) && isRight(first)) add(pairs, second, shiftReferences(first, -width), comparison)
}

/** Types of which equal values, and only they, print as the same text. */
const keyTypes = new Set([
  'BOOLEAN',
  'TINYINT',
  'SMALLINT',
  'INTEGER',
  'BIGINT',
  'HUGEINT',
  'UTINYINT',
  'USMALLINT',
  'UINTEGER',
  'UBIGINT',
  'UHUGEINT',
  'DECIMAL',
  'VARCHAR',
  'BLOB',
  'DATE',
  'TIME',
  'TIMESTAMP',
  'TIMESTAMP_S',
  'TIMESTAMP_MS',
  'TIMESTAMP_NS',
  'TIMESTAMP WITH TIME ZONE',
  'UUID',
  'ENUM',
])

function keyPosition(expression: TreeNode): number | undefined {
  const key = withoutWidening(expression)
  const typeInfo = nodeAt(nodeAt(key, 'return_type') ?? {}, 'type_info')
  if (!keyTypes.has(typeIdOf(key)) || textAt(typeInfo ?? {}, 'collation') !== '') return undefined
  return referencePosition(key)
}
