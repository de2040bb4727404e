import { isTreeNode, walkTree, type TreeNode } from '../model/tree.js'

/**
 * What a PIVOT on no values is: the distinct groups of its source, which SQL cannot write as a PIVOT. Its groups are
 * those of GROUP BY, or all columns that neither its ON nor its USING names.
 */
export function groupsOfPivot(pivot: TreeNode): TreeNode {
  const groups = Array.isArray(pivot['groups']) ? pivot['groups'].filter((name) => typeof name === 'string') : []
  const node = {
    type: 'SELECT_NODE',
    cte_map: {},
    aggregate_handling: 'STANDARD_HANDLING',
    modifiers: [{ type: 'DISTINCT_MODIFIER' }],
    select_list: groups.length > 0 ? groups.map((name) => columnNamed(name)) : [columnsExcept(namesIn(pivot))],
    from_table: pivot['source'],
  }
  const { alias, column_name_alias } = pivot
  return {
    type: 'SUBQUERY',
    subquery: { node },
    ...(alias === undefined ? {} : { alias }),
    ...(column_name_alias === undefined ? {} : { column_name_alias }),
  }
}

/** Names of columns in ON and USING, in lower case. */
function namesIn(pivot: TreeNode): readonly string[] {
  const names = new Set<string>()
  for (const part of [pivot['pivots'], pivot['aggregates']]) {
    for (const node of Array.isArray(part) ? part.filter(isTreeNode) : []) {
      walkTree(node, (inner) => {
        const parts: unknown = inner['class'] === 'COLUMN_REF' ? inner['column_names'] : undefined
        const name: unknown = Array.isArray(parts) ? parts.at(-1) : undefined
        if (typeof name === 'string') names.add(name.toLowerCase())
      })
    }
  }
  return [...names]
}

/** `COLUMNS(name -> lower(name) NOT IN (…))`: a name that is no column does no harm. */
function columnsExcept(names: readonly string[]): TreeNode {
  const star = { class: 'STAR', type: 'STAR', exclude_list: [] }
  if (names.length === 0) return star
  const listed = names.map((name) => ({
    class: 'CONSTANT',
    type: 'VALUE_CONSTANT',
    value: { type: { id: 'VARCHAR' }, is_null: false, value: name },
  }))
  const test = {
    class: 'OPERATOR',
    type: 'COMPARE_NOT_IN',
    children: [call('lower', [columnNamed('name')]), ...listed],
  }
  const lambda = { class: 'LAMBDA', type: 'LAMBDA', lhs: columnNamed('name'), expr: test }
  return { ...star, columns: true, expr: call('list_filter', [star, lambda]) }
}

function columnNamed(name: string): TreeNode {
  return { class: 'COLUMN_REF', type: 'COLUMN_REF', column_names: [name] }
}

function call(name: string, children: readonly TreeNode[]): TreeNode {
  return {
    class: 'FUNCTION',
    type: 'FUNCTION',
    function_name: name,
    children,
    order_bys: { type: 'ORDER_MODIFIER' },
  }
}
