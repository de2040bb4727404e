import { childNodes, isTreeNode, mapTree, walkTree, type TreeNode } from '../../model/tree.js'

/**
 * Columns without a name that hold a subquery: DuckDB names them after their text, and the text of the tree that runs
 * has the query's own catalog in it. Each comes with the location in the statement that tells it from the others.
 */
export function unnamedSubqueries(statement: TreeNode): ReadonlyMap<number, UnnamedColumn> {
  const found = new Map<number, UnnamedColumn>()
  walkTree(statement, (node) => {
    for (const item of selectList(node)) {
      const location = locationOf(item)
      if (location !== undefined && !hasName(item) && needsName(item))
        found.set(location, { item, select: alone(node, item) })
    }
  })
  return found
}

export interface UnnamedColumn {
  readonly item: TreeNode
  /** A SELECT of the column alone; its text is `SELECT ` and the column's name. */
  readonly select: TreeNode
}

/** Gives the columns at these locations their names. */
export function nameColumns(statement: TreeNode, names: ReadonlyMap<number, string>): TreeNode {
  if (names.size === 0) return statement
  return mapTree(statement, (node) => {
    const items = selectList(node)
    const named = items.map((item) => {
      const name = names.get(locationOf(item) ?? -1)
      return name === undefined || hasName(item) || !needsName(item) ? item : { ...item, alias: name }
    })
    return items.length === 0 ? undefined : { ...node, select_list: named }
  })
}

function selectList(node: TreeNode): readonly TreeNode[] {
  const list = node['type'] === 'SELECT_NODE' ? node['select_list'] : undefined
  return Array.isArray(list) ? list.filter(isTreeNode) : []
}

function locationOf(item: TreeNode): number | undefined {
  const location = item['query_location']
  return typeof location === 'number' ? location : undefined
}

function hasName(item: TreeNode): boolean {
  return typeof item['alias'] === 'string' && item['alias'] !== ''
}

/** A star stands for several columns, which keep their own names. */
function needsName(item: TreeNode): boolean {
  return contains(item, 'SUBQUERY') && !contains(item, 'STAR')
}

/** Whether the expression itself has a node of the class, not what is inside its subqueries. */
function contains(node: TreeNode, nodeClass: string): boolean {
  if (node['class'] === nodeClass) return true
  return node['class'] !== 'SUBQUERY' && childNodes(node).some((child) => contains(child, nodeClass))
}

const otherClauses = ['where_clause', 'group_expressions', 'group_sets', 'having', 'sample', 'qualify']

function alone(select: TreeNode, item: TreeNode): TreeNode {
  const kept = Object.entries(select).filter(([key]) => !otherClauses.includes(key))
  return {
    ...Object.fromEntries(kept),
    select_list: [item],
    from_table: { type: 'EMPTY' },
    modifiers: [],
    aggregate_handling: 'STANDARD_HANDLING',
    cte_map: { map: [] },
  }
}
