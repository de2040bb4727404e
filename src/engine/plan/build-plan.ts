import type { TreeNode } from '../../model/tree.js'
import { nodeShape, type NodeShape } from './node-shape.js'
import { indexAt, indexesAt, listAt, nodesAt, textAt } from './plan-json.js'
import type { CteReferenceNode, JoinNode, PlanNode, ScanNode } from './plan-node.js'
import { functionWidth, scanFacts } from './scan-facts.js'

/** A plan's operators with their scans and references resolved. */
export interface PlanTree {
  readonly root: PlanNode
  readonly scans: readonly ScanNode[]
  /** References to each CTE, by DuckDB's number of it. */
  readonly references: ReadonlyMap<number, readonly CteReferenceNode[]>
  readonly unknownOperators: readonly string[]
}

/** Turns one entry of `plans` into typed nodes. An operator that is not known becomes a node of kind `unknown`. */
export function buildPlanTree(plan: TreeNode): PlanTree {
  const builder = new PlanBuilder()
  const root = builder.build(plan, { parent: undefined, join: undefined })
  const { scans, references, unknownOperators } = builder
  return { root, scans, references, unknownOperators: [...unknownOperators] }
}

interface Place {
  readonly parent: PlanNode | undefined
  /** The nearest enclosing DELIM_JOIN whose keys this node may read. */
  readonly join: JoinNode | undefined
}

class PlanBuilder {
  readonly scans: ScanNode[] = []
  readonly references = new Map<number, CteReferenceNode[]>()
  readonly unknownOperators = new Set<string>()
  readonly #definitions = new Map<number, PlanNode>()
  #nodes = 0

  build(json: TreeNode, place: Place): PlanNode {
    const operator = textAt(json, 'type')
    const shape = this.#shape(operator, json, place)
    const base = { id: this.#nodes++, operator, parent: place.parent, children: [], width: undefined }
    const node: PlanNode = { ...base, ...shape.facts }
    if (node.kind === 'scan') this.scans.push(node)
    if (node.kind === 'cteReference') this.#addReference(node)
    this.#addChildren(node, json, place)
    node.width = shape.width(node.children.map((child) => child.width))
    return node
  }

  #shape(operator: string, json: TreeNode, place: Place): NodeShape {
    switch (operator) {
      case 'LOGICAL_GET':
        return this.#getShape(json)
      case 'LOGICAL_CTE_REF': {
        const cte = indexAt(json, 'cte_index')
        const facts = { kind: 'cteReference', cte, definition: this.#definitions.get(cte) } as const
        return { facts, width: () => listAt(json, 'chunk_types').length }
      }
      case 'LOGICAL_DELIM_GET':
        return { facts: { kind: 'keys', join: place.join }, width: () => listAt(json, 'chunk_types').length }
      default:
        return nodeShape(operator, json) ?? this.#unknownShape(operator)
    }
  }

  #getShape(json: TreeNode): NodeShape {
    const scan = scanFacts(json)
    if (scan !== undefined && nodesAt(json, 'children').length === 0) {
      return { facts: { kind: 'scan', scan: this.scans.length, ...scan }, width: () => scan.outputs.length }
    }
    const [ownWidth, passed] = [functionWidth(json), indexesAt(json, 'projected_input')]
    return { facts: { kind: 'function', ownWidth, passed }, width: () => ownWidth + passed.length }
  }

  #unknownShape(operator: string): NodeShape {
    this.unknownOperators.add(operator)
    return { facts: { kind: 'unknown' }, width: () => undefined }
  }

  #addReference(node: CteReferenceNode): void {
    const known = this.references.get(node.cte)
    if (known === undefined) this.references.set(node.cte, [node])
    else known.push(node)
  }

  /** Definitions of CTEs come before their uses, and a recursive CTE is known to its own second child. */
  #addChildren(node: PlanNode, json: TreeNode, place: Place): void {
    for (const [index, child] of nodesAt(json, 'children').entries()) {
      const isFarSide = node.kind === 'join' && node.style === 'delim' && index !== node.keySide
      const built = this.build(child, { parent: node, join: isFarSide ? node : place.join })
      node.children.push(built)
      if (index > 0) continue
      if (node.kind === 'cte') this.#definitions.set(indexAt(json, 'table_index'), built)
      if (node.kind === 'recursion') {
        node.width = built.width
        this.#definitions.set(indexAt(json, 'table_index'), node)
      }
    }
  }
}
