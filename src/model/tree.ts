/** A node of DuckDB's parse tree, as `json_serialize_sql` prints it. Numbers beyond doubles are kept as text; see util/lossless-json. */
export interface TreeNode {
  readonly [key: string]: unknown
}

export function isTreeNode(value: unknown): value is TreeNode {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Children of a node in document order: nested nodes and nodes inside arrays. */
export function childNodes(node: TreeNode): readonly TreeNode[] {
  const children: TreeNode[] = []
  for (const value of Object.values(node)) collectNodes(value, children)
  return children
}

function collectNodes(value: unknown, into: TreeNode[]): void {
  if (Array.isArray(value)) for (const item of value) collectNodes(item, into)
  else if (isTreeNode(value)) into.push(value)
}

/** Calls `visit` for the node and everything below it, parents first. */
export function walkTree(node: TreeNode, visit: (node: TreeNode) => void): void {
  visit(node)
  for (const child of childNodes(node)) walkTree(child, visit)
}

/** A copy in which `replace` has been asked for each node, children first; an answer of undefined keeps the node. */
export function mapTree(node: TreeNode, replace: (node: TreeNode) => TreeNode | undefined): TreeNode {
  const copy: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(node)) copy[key] = mapValue(value, replace)
  return replace(copy) ?? copy
}

function mapValue(value: unknown, replace: (node: TreeNode) => TreeNode | undefined): unknown {
  if (Array.isArray(value)) return value.map((item) => mapValue(item, replace))
  return isTreeNode(value) && Object.getPrototypeOf(value) === Object.prototype ? mapTree(value, replace) : value
}
