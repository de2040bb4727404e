import { mapTree, type TreeNode } from '../../model/tree.js'

const tablesByName: Readonly<Record<string, string>> = {
  '"tables"': 'show_tables',
  tables: 'show_tables',
  __show_tables_expanded: 'show_all_tables',
}

/** SHOW TABLES and SHOW ALL TABLES become references to tables of Querent's own catalog. */
export function rewriteShowStatements(tree: TreeNode): TreeNode {
  return mapTree(tree, (node) => {
    if (node['type'] !== 'SHOW_REF' || typeof node['table_name'] !== 'string') return undefined
    const table = tablesByName[node['table_name']]
    return table === undefined
      ? undefined
      : { type: 'BASE_TABLE', schema_name: 'information_schema', table_name: table }
  })
}
