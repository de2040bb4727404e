import { childNodes, isTreeNode, type TreeNode } from '../../model/tree.js'
import { flagAt, indexAt, nodeAt, nodesAt, textAt } from './plan-json.js'

/** Positions of the inputs that an expression refers to. */
export interface ExpressionInputs {
  readonly positions: readonly number[]
  /** Refers to inputs in a way that has no position; any of them may be meant (P17). */
  readonly isOpaque: boolean
}

/** Never walked into: types, constants, and function data, whose references are local to a lambda (P17). */
const opaqueKeys = new Set(['return_type', 'value', 'type_info', 'function_data'])

export function expressionClass(expression: TreeNode): string {
  return textAt(expression, 'expression_class')
}

function isReference(expression: TreeNode): boolean {
  return expressionClass(expression) === 'BOUND_REF'
}

/** The position of a plain reference; undefined for all other expressions. */
export function referencePosition(expression: TreeNode): number | undefined {
  return isReference(expression) ? indexAt(expression, 'index') : undefined
}

export function expressionInputs(expressions: readonly TreeNode[]): ExpressionInputs {
  const positions = new Set<number>()
  let isOpaque = false
  for (const expression of expressions) {
    walkExpression(expression, (part) => {
      if (isReference(part)) positions.add(indexAt(part, 'index'))
      if (expressionClass(part) === 'BOUND_COLUMN_REF') isOpaque = true
    })
  }
  return { positions: [...positions], isOpaque }
}

/** Calls `visit` for the expression and its parts, parents first. */
export function walkExpression(expression: TreeNode, visit: (part: TreeNode) => void): void {
  visit(expression)
  for (const [key, value] of Object.entries(expression)) {
    if (opaqueKeys.has(key)) continue
    for (const child of childNodes({ value })) walkExpression(child, visit)
  }
}

/** A copy whose references are moved by `offset`. */
export function shiftReferences(expression: TreeNode, offset: number): TreeNode {
  if (isReference(expression)) return { ...expression, index: indexAt(expression, 'index') + offset }
  const copy: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(expression)) {
    copy[key] = opaqueKeys.has(key) ? value : shiftValue(value, offset)
  }
  return copy
}

function shiftValue(value: unknown, offset: number): unknown {
  if (Array.isArray(value)) return value.map((item) => shiftValue(item, offset))
  return isTreeNode(value) ? shiftReferences(value, offset) : value
}

/** The parts of a conjunction, nested ones flattened; any other expression is its own only part. */
export function conjuncts(expression: TreeNode): readonly TreeNode[] {
  const isAnd = expressionClass(expression) === 'BOUND_CONJUNCTION' && textAt(expression, 'type') === 'CONJUNCTION_AND'
  return isAnd ? nodesAt(expression, 'children').flatMap(conjuncts) : [expression]
}

const integerBits: Readonly<Record<string, number>> = {
  TINYINT: 8,
  SMALLINT: 16,
  INTEGER: 32,
  BIGINT: 64,
  HUGEINT: 128,
  UTINYINT: 8,
  USMALLINT: 16,
  UINTEGER: 32,
  UBIGINT: 64,
}

/** The expression under casts that widen an integer: they change neither equality nor the printed value (P28). */
export function withoutWidening(expression: TreeNode): TreeNode {
  const child = nodeAt(expression, 'child')
  if (expressionClass(expression) !== 'BOUND_CAST' || child === undefined || flagAt(expression, 'try_cast')) {
    return expression
  }
  return isWidening(typeIdOf(child), typeIdOf(expression)) ? withoutWidening(child) : expression
}

/** The id of the type that an expression gives, such as `BIGINT`; empty where the plan does not say. */
export function typeIdOf(expression: TreeNode): string {
  return textAt(nodeAt(expression, 'return_type') ?? {}, 'id')
}

function isWidening(from: string, to: string): boolean {
  const [fromBits, toBits] = [integerBits[from], integerBits[to]]
  if (fromBits === undefined || toBits === undefined || fromBits >= toBits) return false
  return from.startsWith('U') || !to.startsWith('U')
}
