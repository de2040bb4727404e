import { isTreeNode, type TreeNode } from '../../model/tree.js'
import { JsonNumber } from '../../util/lossless-json.js'

/**
 * Readers of DuckDB's plan JSON. It omits properties that hold their default (P43), so an absent number is 0, an absent
 * text is empty and an absent list has no entries.
 */
export function textAt(node: TreeNode, key: string): string {
  const value = node[key]
  return typeof value === 'string' ? value : ''
}

export function flagAt(node: TreeNode, key: string): boolean {
  return node[key] === true
}

/** A position or count. A number that is too large for a double, such as a virtual column's index, becomes infinity. */
export function indexAt(node: TreeNode, key: string): number {
  return toIndex(node[key])
}

function toIndex(value: unknown): number {
  if (value instanceof JsonNumber) return Number.POSITIVE_INFINITY
  return typeof value === 'number' ? value : 0
}

export function listAt(node: TreeNode, key: string): readonly unknown[] {
  const value = node[key]
  return Array.isArray(value) ? (value as unknown[]) : []
}

export function indexesAt(node: TreeNode, key: string): readonly number[] {
  return listAt(node, key).map(toIndex)
}

export function nodeAt(node: TreeNode, key: string): TreeNode | undefined {
  const value = node[key]
  return isTreeNode(value) ? value : undefined
}

export function nodesAt(node: TreeNode, key: string): readonly TreeNode[] {
  return listAt(node, key).filter(isTreeNode)
}
