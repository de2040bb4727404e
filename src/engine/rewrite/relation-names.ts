import { mapTree, type TreeNode } from '../../model/tree.js'
import { referenceNumber, withoutTag } from './reference-tags.js'
import { referenceParts } from './table-references.js'

/** Where a reference's rows will be: a relation of the query's own catalog. */
export interface RelationName {
  readonly catalog: string
  readonly schema: string
  readonly name: string
}

/**
 * Puts full paths in the place of tagged references; references without a relation stay as they are. A relation's
 * schema and name are what the user wrote wherever DuckDB takes them, so that `source.table.column` still binds; other
 * prefixes of columns are replaced.
 */
export function nameRelations(tree: TreeNode, relations: ReadonlyMap<number, RelationName>): TreeNode {
  const prefixes = new Map<string, readonly string[]>()
  const named = mapTree(tree, (node) => {
    const number = referenceNumber(node)
    if (number === undefined) return undefined
    const relation = relations.get(number)
    if (relation === undefined) return withoutTag(node)
    const written = referenceParts(node)
    const path = [relation.schema, relation.name]
    if (written.length > 1 && prefixKey(written) !== prefixKey(path)) prefixes.set(prefixKey(written), path)
    return baseTable(node, relation)
  })
  return prefixes.size === 0 ? named : replacePrefixes(named, prefixes)
}

function baseTable(reference: TreeNode, relation: RelationName): TreeNode {
  const alias = typeof reference['alias'] === 'string' && reference['alias'] !== '' ? { alias: reference['alias'] } : {}
  const kept = ['query_location', 'column_name_alias', 'sample'] as const
  return {
    type: 'BASE_TABLE',
    ...alias,
    ...Object.fromEntries(kept.flatMap((key) => (reference[key] === undefined ? [] : [[key, reference[key]]]))),
    catalog_name: relation.catalog,
    schema_name: relation.schema,
    table_name: relation.name,
  }
}

function replacePrefixes(tree: TreeNode, prefixes: ReadonlyMap<string, readonly string[]>): TreeNode {
  return mapTree(tree, (node) => {
    const names: unknown = node['column_names']
    if (node['class'] !== 'COLUMN_REF' || !Array.isArray(names)) return undefined
    for (const length of [3, 2]) {
      const prefix = names.length > length ? prefixes.get(prefixKey(names.slice(0, length))) : undefined
      if (prefix !== undefined) return { ...node, column_names: [...prefix, ...(names.slice(length) as string[])] }
    }
    return undefined
  })
}

function prefixKey(parts: readonly unknown[]): string {
  return JSON.stringify(parts.map((part) => String(part).toLowerCase()))
}
