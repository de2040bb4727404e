import { mapTree, type TreeNode } from '../../model/tree.js'
import { referenceNumber, withoutTag } from './reference-tags.js'

/** Where a reference's rows will be: a relation of the query's own catalog. */
export interface RelationName {
  readonly catalog: string
  readonly schema: string
  readonly name: string
}

/**
 * Puts full paths in the place of tagged references; references without a relation stay as they are. A relation's
 * schema and name are what the user wrote, so that `source.table.column` still binds; three-part prefixes of columns
 * become two-part ones.
 */
export function nameRelations(tree: TreeNode, relations: ReadonlyMap<number, RelationName>): TreeNode {
  const prefixes = new Map<string, readonly string[]>()
  const named = mapTree(tree, (node) => {
    const number = referenceNumber(node)
    if (number === undefined) return undefined
    const relation = relations.get(number)
    if (relation === undefined) return withoutTag(node)
    const written = [node['catalog_name'], node['schema_name'], node['table_name']]
    if (written.every((part) => typeof part === 'string')) {
      prefixes.set(prefixKey(written), [relation.schema, relation.name])
    }
    return baseTable(node, relation)
  })
  return prefixes.size === 0 ? named : shortenPrefixes(named, prefixes)
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

function shortenPrefixes(tree: TreeNode, prefixes: ReadonlyMap<string, readonly string[]>): TreeNode {
  return mapTree(tree, (node) => {
    const names: unknown = node['column_names']
    if (node['class'] !== 'COLUMN_REF' || !Array.isArray(names) || names.length < 4) return undefined
    const prefix = prefixes.get(prefixKey(names.slice(0, 3)))
    return prefix === undefined ? undefined : { ...node, column_names: [...prefix, ...(names.slice(3) as string[])] }
  })
}

function prefixKey(parts: readonly unknown[]): string {
  return JSON.stringify(parts.map((part) => String(part).toLowerCase()))
}
