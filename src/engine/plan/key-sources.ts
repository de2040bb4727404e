import type { Constant } from '../../model/constant.js'
import type { TreeNode } from '../../model/tree.js'
import type { KeySource } from './bound-plan.js'
import { expressionClass } from './expression.js'
import { originOf, type OutputOrigin } from './output-origin.js'
import { nodeAt } from './plan-json.js'
import type { PlanNode } from './plan-node.js'
import { readConstant } from './read-constant.js'

/**
 * Where the values of these outputs of a node come from, as tuples of one row: scans and constant lists whose values
 * include all that the outputs can hold beside NULL (P28, P29). Undefined where any is computed, where the outputs do
 * not stand in one row of one scan, or where the rows of a recursion's last round give them.
 */
export function keySources(node: PlanNode, positions: readonly number[]): readonly KeySource[] | undefined {
  return new KeySearch().find(node, positions)
}

class KeySearch {
  readonly #seen = new Set<string>()

  find(node: PlanNode, positions: readonly number[]): readonly KeySource[] | undefined {
    const key = `${node.id}:${positions.join(',')}`
    if (this.#seen.has(key)) return []
    this.#seen.add(key)
    if (node.kind === 'constants') return constantRows(node.rows, positions)
    if (node.kind === 'cteReference' && (node.definition?.kind ?? 'recursion') === 'recursion') return undefined
    const origins = positions.map((position) => originOf({ node, position }))
    return scanSource(origins) ?? constantRow(origins) ?? this.#below(origins)
  }

  /** All outputs come unchanged from the same children; a set operation has several, each with tuples of its own. */
  #below(origins: readonly OutputOrigin[]): readonly KeySource[] | undefined {
    const [first] = origins
    if (first?.kind !== 'same') return undefined
    const sources: KeySource[] = []
    for (const [index, { node }] of first.from.entries()) {
      const positions: number[] = []
      for (const origin of origins) {
        const from = origin.kind === 'same' ? origin.from[index] : undefined
        if (from?.node !== node) return undefined
        positions.push(from.position)
      }
      const found = this.find(node, positions)
      if (found === undefined) return undefined
      sources.push(...found)
    }
    return sources
  }
}

function scanSource(origins: readonly OutputOrigin[]): readonly KeySource[] | undefined {
  const columns: string[] = []
  let scan: number | undefined
  for (const origin of origins) {
    if (origin.kind !== 'column') return undefined
    scan = origin.scan
    columns.push(origin.column)
  }
  return scan === undefined ? undefined : [{ kind: 'scan', scan, columns }]
}

/** A row of computed outputs that are all constants, such as `(SELECT 3)`. */
function constantRow(origins: readonly OutputOrigin[]): readonly KeySource[] | undefined {
  const row: Constant[] = []
  for (const origin of origins) {
    const constant = origin.kind === 'computed' ? constantOf(origin.expression) : undefined
    if (constant === undefined) return undefined
    row.push(constant)
  }
  return [{ kind: 'constants', keys: [row] }]
}

function constantRows(
  rows: readonly (readonly TreeNode[])[],
  positions: readonly number[],
): readonly KeySource[] | undefined {
  const keys: Constant[][] = []
  for (const row of rows) {
    const key = positions.map((position) => constantOf(row[position]))
    if (!key.every((part) => part !== undefined)) return undefined
    keys.push(key)
  }
  return [{ kind: 'constants', keys }]
}

function constantOf(expression: TreeNode | undefined): Constant | undefined {
  if (expression === undefined || expressionClass(expression) !== 'BOUND_CONSTANT') return undefined
  const value = nodeAt(expression, 'value')
  return value && readConstant(value)
}
