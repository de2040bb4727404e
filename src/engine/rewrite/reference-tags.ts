import type { TreeNode } from '../../model/tree.js'
import { mapReferences } from './table-references.js'

const tag = 'querent_reference'

/** A copy in which each reference carries its number, and the references by number. */
export function tagReferences(tree: TreeNode): { readonly tree: TreeNode; readonly references: readonly TreeNode[] } {
  const references: TreeNode[] = []
  const tagged = mapReferences(tree, (reference) => {
    const numbered = { ...reference, [tag]: references.length }
    references.push(numbered)
    return numbered
  })
  return { tree: tagged, references }
}

/** The number of a tagged reference; undefined for any other node. */
export function referenceNumber(node: TreeNode): number | undefined {
  const number = node[tag]
  return typeof number === 'number' ? number : undefined
}

/** The node as DuckDB knows it. */
export function withoutTag(node: TreeNode): TreeNode {
  return Object.fromEntries(Object.entries(node).filter(([key]) => key !== tag))
}
