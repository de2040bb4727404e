import { QuerentError } from '../errors/querent-error.js'
import { childNodes, isTreeNode, type TreeNode } from '../model/tree.js'
import { parseLossless } from '../util/lossless-json.js'
import { checkTree } from './check-tree.js'

/**
 * Why the text of a column's SQL cannot be used; undefined where it can. It is checked as a caller's statement is, and must be
 * one expression that reads nothing but the row.
 *
 * @param serialized what `json_serialize_sql` printed of `SELECT (<the text>)`
 */
export function rowExpressionFault(serialized: string): string | undefined {
  const tree = parseLossless(serialized)
  if (!isTreeNode(tree)) return 'it is not one expression'
  if (tree['error'] === true) {
    return typeof tree['error_message'] === 'string' ? tree['error_message'] : 'it is not SQL'
  }
  try {
    const { parameters } = checkTree(tree)
    if (parameters.length > 0) return 'it holds a parameter, for which there is no value'
  } catch (error) {
    if (error instanceof QuerentError) return error.message
    throw error
  }
  return isOneExpression(tree) ? undefined : 'it must be one expression over row, without a subquery'
}

/** Exactly one item is selected from nothing; a subquery would read other tables. */
function isOneExpression(document: TreeNode): boolean {
  const statements = document['statements']
  const [statement] = Array.isArray(statements) ? (statements as readonly unknown[]) : []
  const node = isTreeNode(statement) ? statement['node'] : undefined
  if (!isTreeNode(node) || node['type'] !== 'SELECT_NODE') return false
  const items: unknown = node['select_list']
  const from = node['from_table']
  const others = ['where_clause', 'having', 'qualify', 'sample'].some((key) => isTreeNode(node[key]))
  const isFromNothing = !isTreeNode(from) || from['type'] === 'EMPTY'
  return Array.isArray(items) && items.length === 1 && isFromNothing && !others && !holdsSubquery(node)
}

function holdsSubquery(node: TreeNode): boolean {
  return node['class'] === 'SUBQUERY' || node['class'] === 'STAR' || childNodes(node).some(holdsSubquery)
}
