import { isTreeNode, walkTree, type TreeNode } from '../../model/tree.js'

/**
 * Texts of constants that the statement compares columns with by `=`: column name to text. A table of unknown shape is
 * learned by one request with those of its parameters that are among them.
 */
export function equalityTexts(tree: TreeNode): Readonly<Record<string, string>> {
  const texts: Record<string, string> = {}
  walkTree(tree, (node) => {
    if (node['type'] !== 'COMPARE_EQUAL') return
    const sides = [node['left'], node['right']].filter(isTreeNode)
    const names = sides.find((side) => side['class'] === 'COLUMN_REF')?.['column_names']
    const text = sides.map(constantText).find((candidate) => candidate !== undefined)
    const name: unknown = Array.isArray(names) ? names.at(-1) : undefined
    if (typeof name === 'string' && text !== undefined) texts[name] ??= text
  })
  return texts
}

function constantText(node: TreeNode): string | undefined {
  const constant = node['class'] === 'CAST' && isTreeNode(node['child']) ? node['child'] : node
  const value = constant['value']
  if (constant['class'] !== 'CONSTANT' || !isTreeNode(value)) return undefined
  const text = value['value']
  return typeof text === 'string' || typeof text === 'number' ? String(text) : undefined
}
