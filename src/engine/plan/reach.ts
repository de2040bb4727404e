import { originOf } from './output-origin.js'
import { allOutputs, conditionInputs, inputsOf } from './node-uses.js'
import type { OutputRef } from './plan-node.js'
import type { TreeNode } from '../../model/tree.js'
import type { PlanNode } from './plan-node.js'

export interface Reached {
  /** Column names by scan, and whether its row id is among them. */
  readonly columns: ReadonlyMap<number, ReadonlySet<string>>
  readonly rowIds: ReadonlySet<number>
  /** Expressions that the values pass through. */
  readonly expressions: readonly { readonly expression: TreeNode; readonly base: PlanNode }[]
}

/** The columns of scans from which the values of these outputs are made, wholly or in part. */
export function reachFrom(starts: Iterable<OutputRef>): Reached {
  const walk = new ReachWalk()
  for (const start of starts) walk.visit(start)
  return walk
}

class ReachWalk implements Reached {
  readonly columns = new Map<number, Set<string>>()
  readonly rowIds = new Set<number>()
  readonly expressions: { expression: TreeNode; base: PlanNode }[] = []
  readonly #seen = new Map<PlanNode, Set<number>>()

  visit(start: OutputRef): void {
    const open = [start]
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (this.#isNew(next)) open.push(...this.#step(next))
    }
  }

  #isNew({ node, position }: OutputRef): boolean {
    const positions = this.#seen.get(node)
    if (positions?.has(position) === true) return false
    if (positions === undefined) this.#seen.set(node, new Set([position]))
    else positions.add(position)
    return true
  }

  #step(output: OutputRef): readonly OutputRef[] {
    const origin = originOf(output)
    switch (origin.kind) {
      case 'same':
        return origin.from
      case 'computed':
        this.expressions.push(origin)
        return inputsOf(origin.expression, origin.base)
      case 'mark':
        return origin.join.conditions.flatMap((condition) => conditionInputs(condition, origin.join))
      case 'column':
        this.#addColumn(origin.scan, origin.column)
        return []
      case 'rowid':
        this.rowIds.add(origin.scan)
        return []
      case 'leaf':
        return output.node.kind === 'constants' ? constantInputs(output.node) : []
      case 'unknown':
        return output.node.children.flatMap(allOutputs)
    }
  }

  #addColumn(scan: number, column: string): void {
    const columns = this.columns.get(scan)
    if (columns === undefined) this.columns.set(scan, new Set([column]))
    else columns.add(column)
  }
}

/** The values of a list may be computed from an outer row. */
function constantInputs(node: Extract<PlanNode, { kind: 'constants' }>): readonly OutputRef[] {
  const [base] = node.children
  return base === undefined ? [] : node.rows.flat().flatMap((expression) => inputsOf(expression, base))
}
