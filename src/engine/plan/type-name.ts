import type { TreeNode } from '../../model/tree.js'
import { indexAt, listAt, nodeAt, nodesAt, textAt } from './plan-json.js'

/** DuckDB's SQL name of a type in plan JSON, such as `DECIMAL(18,3)` or `STRUCT(a INTEGER)[]`. */
export function typeName(type: TreeNode): string {
  const id = textAt(type, 'id')
  const info = nodeAt(type, 'type_info') ?? {}
  switch (id) {
    case 'DECIMAL':
      return `DECIMAL(${indexAt(info, 'width')},${indexAt(info, 'scale')})`
    case 'LIST':
      return `${childName(info, 'child_type')}[]`
    case 'ARRAY':
      return `${childName(info, 'child_type')}[${indexAt(info, 'size')}]`
    case 'STRUCT':
    case 'UNION':
      return `${id}(${fields(info).join(', ')})`
    case 'MAP':
      return mapName(info)
    case 'ENUM':
      return `ENUM(${listAt(info, 'values').map(quoteText).join(', ')})`
    case 'VARCHAR':
      return textAt(info, 'alias') === 'JSON' ? 'JSON' : 'VARCHAR'
    default:
      return id
  }
}

function childName(info: TreeNode, key: string): string {
  return typeName(nodeAt(info, key) ?? {})
}

function fields(info: TreeNode): readonly string[] {
  return nodesAt(info, 'child_types')
    .filter((field) => !(textAt(field, 'first') === '' && childName(field, 'second') === 'UTINYINT'))
    .map((field) => `${quoteName(textAt(field, 'first'))} ${childName(field, 'second')}`.trim())
}

/** A map is a list of key and value. */
function mapName(info: TreeNode): string {
  const entry = nodeAt(nodeAt(info, 'child_type') ?? {}, 'type_info') ?? {}
  const names = nodesAt(entry, 'child_types').map((field) => childName(field, 'second'))
  return `MAP(${names.join(', ')})`
}

function quoteName(name: string): string {
  return /^[a-z_][a-z0-9_]*$/.test(name) || name === '' ? name : `"${name.replaceAll('"', '""')}"`
}

function quoteText(value: unknown): string {
  return `'${String(value).replaceAll("'", "''")}'`
}
