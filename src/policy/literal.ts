import { isTreeNode, type TreeNode } from '../model/tree.js'
import { JsonNumber } from '../util/lossless-json.js'

/** A value written out in the SQL; numbers beyond JavaScript's as text. */
export type Literal = string | number | boolean | null | readonly Literal[] | { readonly [key: string]: Literal }

/** The value of an expression made of constants, lists and structs alone; undefined for everything else. */
export function literalOf(node: TreeNode): Literal | undefined {
  switch (node['class']) {
    case 'CONSTANT':
      return constantOf(node['value'])
    case 'CAST':
      return booleanOf(node)
    case 'FUNCTION':
      return nestedOf(node)
    default:
      return undefined
  }
}

function constantOf(value: unknown): Literal | undefined {
  if (!isTreeNode(value)) return undefined
  if (value['is_null'] === true) return null
  const type = isTreeNode(value['type']) ? value['type']['id'] : undefined
  const plain = value['value']
  if (type === 'DECIMAL') return undefined
  if (plain instanceof JsonNumber) return type === 'DOUBLE' ? Number(plain.text) : plain.text
  return typeof plain === 'string' || typeof plain === 'number' || typeof plain === 'boolean' ? plain : undefined
}

/** `true` is written as a cast of `'t'`. */
function booleanOf(node: TreeNode): boolean | undefined {
  const type = isTreeNode(node['cast_type']) ? node['cast_type']['id'] : undefined
  const child = isTreeNode(node['child']) ? literalOf(node['child']) : undefined
  if (type !== 'BOOLEAN' || typeof child !== 'string') return undefined
  if (/^(?:t|true|1)$/i.test(child)) return true
  return /^(?:f|false|0)$/i.test(child) ? false : undefined
}

function nestedOf(node: TreeNode): Literal | undefined {
  const children = Array.isArray(node['children']) ? node['children'] : []
  const values: Literal[] = []
  for (const child of children) {
    const value = isTreeNode(child) ? literalOf(child) : undefined
    if (value === undefined) return undefined
    values.push(value)
  }
  if (node['function_name'] === 'list_value') return values
  if (node['function_name'] !== 'struct_pack') return undefined
  const entries = children.map(
    (child, index) => [isTreeNode(child) ? child['alias'] : undefined, values[index]] as const,
  )
  return entries.every((entry): entry is [string, Literal] => typeof entry[0] === 'string' && entry[1] !== undefined)
    ? Object.fromEntries(entries)
    : undefined
}
