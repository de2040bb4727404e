import type { TreeNode } from '../../model/tree.js'

/** `DESCRIBE <statement>`: names and types of a statement's columns, without reading a row. */
export function describeStatement(statement: TreeNode): TreeNode {
  const node = {
    type: 'SELECT_NODE',
    cte_map: {},
    select_list: [{ class: 'STAR', type: 'STAR', exclude_list: [] }],
    from_table: { type: 'SHOW_REF', query: statement['node'], show_type: 'DESCRIBE' },
    aggregate_handling: 'STANDARD_HANDLING',
  }
  return { ...statement, node }
}
