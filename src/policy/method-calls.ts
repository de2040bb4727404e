import { mapTree, type TreeNode } from '../model/tree.js'

/**
 * Spells `column.f(x)` as `f(column, x)`. DuckDB reads the first as a function in the schema `column` and takes it for
 * a method only where there is no such function: an attached database with a macro of that name would win.
 */
export function spellMethodCalls(tree: TreeNode): TreeNode {
  return mapTree(tree, (node) => {
    if (!isMethodCall(node)) return undefined
    const { schema, catalog, ...call } = node
    const names = [catalog, schema].filter((name) => typeof name === 'string' && name !== '')
    const column = {
      class: 'COLUMN_REF',
      type: 'COLUMN_REF',
      column_names: names,
      query_location: node['query_location'],
    }
    const children: readonly unknown[] = Array.isArray(node['children']) ? node['children'] : []
    return { ...call, children: [column, ...children] }
  })
}

/** The parser itself puts some functions into `main`. */
export function isMethodCall(node: TreeNode): boolean {
  if (node['class'] !== 'FUNCTION' && node['class'] !== 'WINDOW') return false
  const schema = node['schema']
  const catalog = node['catalog']
  if (typeof catalog === 'string' && catalog !== '') return true
  return typeof schema === 'string' && schema !== '' && schema.toLowerCase() !== 'main'
}
