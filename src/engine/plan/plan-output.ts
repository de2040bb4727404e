import type { TreeNode } from '../../model/tree.js'
import type { OutputColumn } from './bound-plan.js'
import { indexAt, listAt, nodeAt, nodesAt, textAt } from './plan-json.js'
import { typeName } from './type-name.js'

const passesOn = new Set([
  'LOGICAL_FILTER',
  'LOGICAL_ORDER_BY',
  'LOGICAL_TOP_N',
  'LOGICAL_LIMIT',
  'LOGICAL_DISTINCT',
  'LOGICAL_SAMPLE',
  'LOGICAL_UNION',
  'LOGICAL_EXCEPT',
  'LOGICAL_INTERSECT',
])

/** Names and types of the root's columns; empty where the plan does not carry them. */
export function planOutput(plan: TreeNode): readonly OutputColumn[] {
  const type = textAt(plan, 'type')
  const children = nodesAt(plan, 'children')
  if (type === 'LOGICAL_PROJECTION') return nodesAt(plan, 'expressions').map(expressionOutput)
  if (type === 'LOGICAL_GET') return scanOutput(plan)
  if (type === 'LOGICAL_MATERIALIZED_CTE') return children[1] === undefined ? [] : planOutput(children[1])
  const [child] = children
  return passesOn.has(type) && child !== undefined ? planOutput(child) : []
}

function expressionOutput(expression: TreeNode): OutputColumn {
  const constant = nodeAt(expression, 'value')
  const type = nodeAt(expression, 'return_type') ?? (constant && nodeAt(constant, 'type'))
  return { name: textAt(expression, 'alias') || undefined, type: type && typeName(type) }
}

function scanOutput(scan: TreeNode): readonly OutputColumn[] {
  const [names, types] = [listAt(scan, 'names'), nodesAt(scan, 'returned_types')]
  return nodesAt(scan, 'column_indexes').map((column) => {
    const index = indexAt(column, 'index')
    const [name, type] = [names[index], types[index]]
    return { name: typeof name === 'string' ? name : undefined, type: type && typeName(type) }
  })
}
