import { isTreeNode, type TreeNode } from '../../model/tree.js'

/** What stands in for a reference; undefined keeps it. */
export type ReplaceReference = (reference: TreeNode) => TreeNode | undefined

/**
 * A copy of the tree in which each reference to a table or table function has been shown to `replace`, in document
 * order. References to common table expressions are left alone: an unqualified name means the innermost WITH that
 * defines it before it is used.
 */
export function mapReferences(tree: TreeNode, replace: ReplaceReference): TreeNode {
  return new ReferenceMapper(replace).node(tree, new Set())
}

type Scope = ReadonlySet<string>

class ReferenceMapper {
  constructor(private readonly replace: ReplaceReference) {}

  node(node: TreeNode, outer: Scope): TreeNode {
    if (Object.getPrototypeOf(node) !== Object.prototype) return node
    const copy: Record<string, unknown> = {}
    let scope = outer
    if (isTreeNode(node['cte_map'])) {
      const withClause = this.withClause(node['cte_map'], outer)
      copy['cte_map'] = withClause.copy
      scope = withClause.scope
    }
    if (node['type'] === 'RECURSIVE_CTE_NODE') scope = new Set([...scope, lower(node['cte_name'])])
    for (const [key, value] of Object.entries(node)) {
      copy[key] = key === 'cte_map' && key in copy ? copy[key] : this.value(value, scope)
    }
    return this.isReference(node, scope) ? (this.replace(copy) ?? copy) : copy
  }

  private value(value: unknown, scope: Scope): unknown {
    if (Array.isArray(value)) return value.map((item) => this.value(item, scope))
    return isTreeNode(value) ? this.node(value, scope) : value
  }

  private withClause(cteMap: TreeNode, outer: Scope): { copy: TreeNode; scope: Scope } {
    const entries = Array.isArray(cteMap['map']) ? cteMap['map'].filter(isTreeNode) : []
    const scope = new Set(outer)
    const map = entries.map((entry) => {
      const copy = this.node(entry, scope)
      scope.add(lower(entry['key']))
      return copy
    })
    return { copy: map.length === 0 ? cteMap : { ...cteMap, map }, scope }
  }

  private isReference(node: TreeNode, scope: Scope): boolean {
    if (node['class'] !== undefined) return false
    if (node['type'] === 'TABLE_FUNCTION') return true
    if (node['type'] !== 'BASE_TABLE') return false
    const qualified = node['schema_name'] !== undefined || node['catalog_name'] !== undefined
    return qualified || !scope.has(lower(node['table_name']))
  }
}

/** The dotted parts of a BASE_TABLE, as written. */
export function referenceParts(reference: TreeNode): readonly string[] {
  return [reference['catalog_name'], reference['schema_name'], reference['table_name']].filter(
    (part): part is string => typeof part === 'string' && part !== '',
  )
}

function lower(name: unknown): string {
  return typeof name === 'string' ? name.toLowerCase() : ''
}
