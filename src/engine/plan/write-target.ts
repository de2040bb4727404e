import type { TreeNode } from '../../model/tree.js'
import type { RelationName } from './bound-plan.js'
import { flagAt, nodeAt, nodesAt, textAt } from './plan-json.js'

const writeOperators = new Set([
  'LOGICAL_INSERT',
  'LOGICAL_UPDATE',
  'LOGICAL_DELETE',
  'LOGICAL_MERGE_INTO',
  'LOGICAL_CREATE_TABLE',
  'LOGICAL_CREATE_VIEW',
  'LOGICAL_CREATE_SCHEMA',
  'LOGICAL_DROP',
  'LOGICAL_ALTER',
])

export function isWriteOperator(operator: string): boolean {
  return writeOperators.has(operator)
}

/** The table or view that a writing operator changes. */
export function writeTarget(json: TreeNode): RelationName | undefined {
  const info = nodeAt(json, 'table_info') ?? nodeAt(json, 'info')
  if (info === undefined) return undefined
  const table = textAt(info, 'table') || textAt(info, 'view_name') || textAt(info, 'name')
  return { catalog: textAt(info, 'catalog'), schema: textAt(info, 'schema'), table }
}

/** With RETURNING the table's columns come out, else the one count. */
export function writeWidth(json: TreeNode): number {
  if (!flagAt(json, 'return_chunk')) return 1
  const columns = nodeAt(nodeAt(json, 'table_info') ?? {}, 'columns')
  return columns === undefined ? 1 : nodesAt(columns, 'columns').length
}
