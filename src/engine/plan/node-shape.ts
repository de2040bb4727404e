import type { TreeNode } from '../../model/tree.js'
import { joinFacts, joinWidth, positionMap } from './join-facts.js'
import { indexAt, indexesAt, listAt, nodeAt, nodesAt, textAt } from './plan-json.js'
import type { LimitNode, NodeBase, OrderNode, PlanNode } from './plan-node.js'
import { isWriteOperator, writeTarget, writeWidth } from './write-target.js'

type Facts<Node extends PlanNode> = Node extends PlanNode ? Omit<Node, keyof NodeBase> : never
type Width = number | undefined

/** What an operator is, apart from its place in the plan, and how its width follows from its children's. */
export interface NodeShape {
  readonly facts: Facts<PlanNode>
  width(children: readonly Width[]): Width
}

/** Operators whose meaning does not depend on what stands around them; undefined for all others. */
export function nodeShape(operator: string, json: TreeNode): NodeShape | undefined {
  const join = joinFacts(operator, json)
  if (join !== undefined) return { facts: join, width: (children) => joinWidth(join, children) }
  if (isWriteOperator(operator)) {
    return { facts: { kind: 'write', target: writeTarget(json) }, width: () => writeWidth(json) }
  }
  return shapes[operator]?.(json)
}

const firstWidth = (children: readonly Width[]): Width => children[0]

const shapes: Readonly<Record<string, (json: TreeNode) => NodeShape>> = {
  LOGICAL_FILTER: (json) => {
    const map = positionMap(json, 'projection_map')
    const facts = { kind: 'filter', map, conditions: nodesAt(json, 'expressions') } as const
    return { facts, width: (children) => map?.length ?? children[0] }
  },
  LOGICAL_ORDER_BY: (json) => orderShape(json, undefined),
  LOGICAL_TOP_N: (json) => orderShape(json, { limit: indexAt(json, 'limit'), offset: indexAt(json, 'offset') }),
  LOGICAL_LIMIT: (json) => ({ facts: { kind: 'limit', ...limitFacts(json) }, width: firstWidth }),
  LOGICAL_SAMPLE: () => ({ facts: { kind: 'sample' }, width: firstWidth }),
  LOGICAL_DISTINCT: (json) => {
    const isOn = textAt(json, 'distinct_type') !== 'DISTINCT'
    const orders = nodesAt(nodeAt(json, 'order_by') ?? {}, 'orders')
    return { facts: { kind: 'distinct', isOn, targets: nodesAt(json, 'distinct_targets'), orders }, width: firstWidth }
  },
  LOGICAL_PROJECTION: (json) => {
    const expressions = nodesAt(json, 'expressions')
    return { facts: { kind: 'projection', expressions }, width: () => expressions.length }
  },
  LOGICAL_AGGREGATE_AND_GROUP_BY: aggregateShape,
  LOGICAL_WINDOW: (json) => extensionShape('window', json),
  LOGICAL_UNNEST: (json) => extensionShape('unnest', json),
  LOGICAL_UNION: (json) => setShape('union', json),
  LOGICAL_EXCEPT: (json) => setShape('except', json),
  LOGICAL_INTERSECT: (json) => setShape('intersect', json),
  LOGICAL_MATERIALIZED_CTE: () => ({ facts: { kind: 'cte' }, width: (children) => children[1] }),
  LOGICAL_RECURSIVE_CTE: () => ({ facts: { kind: 'recursion' }, width: firstWidth }),
  LOGICAL_EXPRESSION_GET: (json) => {
    const rows = listAt(json, 'expressions').map((row) => nodesAt({ row }, 'row'))
    return { facts: { kind: 'constants', rows }, width: () => listAt(json, 'expr_types').length }
  },
  LOGICAL_DUMMY_SCAN: () => ({ facts: { kind: 'empty' }, width: () => 1 }),
  LOGICAL_EMPTY_RESULT: (json) => emptyShape(listAt(json, 'return_types').length),
  LOGICAL_CHUNK_GET: (json) => emptyShape(listAt(json, 'chunk_types').length || listAt(json, 'types').length),
  LOGICAL_PIVOT: (json) => {
    const types = listAt(nodeAt(json, 'bound_pivot') ?? {}, 'types').length || listAt(json, 'types').length
    return { facts: { kind: 'pivot' }, width: () => (types > 0 ? types : undefined) }
  },
}

function orderShape(json: TreeNode, top: OrderNode['top']): NodeShape {
  const map = positionMap(json, 'projections') ?? positionMap(json, 'projection_map')
  return {
    facts: { kind: 'order', map, orders: nodesAt(json, 'orders'), top },
    width: (children) => map?.length ?? children[0],
  }
}

function limitFacts(json: TreeNode): Pick<LimitNode, 'rows' | 'expressions'> {
  const parts = [nodeAt(json, 'limit_val') ?? {}, nodeAt(json, 'offset_val') ?? {}] as const
  const expressions = parts.map((part) => nodeAt(part, 'expression')).filter((node) => node !== undefined)
  const isCount = parts.every((part) => ['CONSTANT_VALUE', 'UNSET', ''].includes(textAt(part, 'type')))
  const isLimited = textAt(parts[0], 'type') === 'CONSTANT_VALUE'
  const rows = indexAt(parts[0], 'constant_integer') + indexAt(parts[1], 'constant_integer')
  return { rows: isCount && isLimited && Number.isSafeInteger(rows) ? rows : undefined, expressions }
}

function aggregateShape(json: TreeNode): NodeShape {
  const [groups, aggregates] = [nodesAt(json, 'groups'), nodesAt(json, 'expressions')]
  const functions = listAt(json, 'grouping_functions').length
  const groupingSets = listAt(json, 'grouping_sets').map((set) => indexesAt({ set }, 'set'))
  return {
    facts: { kind: 'aggregate', groups, aggregates, groupingSets, hasGroupingFunctions: functions > 0 },
    width: () => groups.length + aggregates.length + functions,
  }
}

function extensionShape(kind: 'window' | 'unnest', json: TreeNode): NodeShape {
  const expressions = nodesAt(json, 'expressions')
  return {
    facts: { kind, expressions },
    width: ([below]) => (below === undefined ? undefined : below + expressions.length),
  }
}

function setShape(operation: 'union' | 'except' | 'intersect', json: TreeNode): NodeShape {
  const count = indexAt(json, 'column_count')
  return { facts: { kind: 'set', operation }, width: ([first]) => (count > 0 ? count : first) }
}

function emptyShape(width: number): NodeShape {
  return { facts: { kind: 'empty' }, width: () => width }
}
