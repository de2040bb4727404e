import type { Constant } from '../../model/constant.js'
import { mapTree, walkTree, type TreeNode } from '../../model/tree.js'
import { tokenize } from '../../policy/lexer.js'
import { constantSql } from '../plan/filter-sql.js'
import { typedParameters, type ParameterValues, type TypedValue } from './parameter-values.js'

/** Puts typed constants in the place of the parameters. Throws `sql.parameter`; see `typedParameters`. */
export function bindParameters(
  statement: TreeNode,
  values: ParameterValues | undefined,
  options: { readonly ignoreExtra: boolean },
): TreeNode {
  const used = parameterNames(statement)
  const typed = typedParameters(used, values, options)
  if (used.size === 0) return statement
  const bound = mapTree(nameParameterColumns(statement), (node) => {
    const value = node['class'] === 'PARAMETER' ? typed.get(identifier(node).toLowerCase()) : undefined
    return value && { ...valueNode(value), ...keep(node, 'alias'), ...keep(node, 'query_location') }
  })
  return Object.fromEntries(Object.entries(bound).filter(([key]) => key !== 'named_param_map'))
}

/**
 * The same for a writing statement, which has no tree: the parameters of its checked text are replaced token by token.
 * @param used identifiers in the order of their first use; `?` counts up from 1.
 */
export function parameterSql(sql: string, used: readonly string[], values: ParameterValues | undefined): string {
  const typed = typedParameters(used, values, { ignoreExtra: false })
  const parts: string[] = []
  let end = 0
  let count = 0
  for (const token of tokenize(sql)) {
    if (token.kind !== 'parameter') continue
    const name = token.value === '?' ? String(++count) : token.value.slice(1)
    const value = typed.get(name.toLowerCase())
    parts.push(sql.slice(end, token.start), value === undefined ? token.value : valueSql(value))
    end = token.end
  }
  return parts.join('') + sql.slice(end)
}

function parameterNames(statement: TreeNode): ReadonlySet<string> {
  const names = new Set<string>()
  walkTree(statement, (node) => {
    if (node['class'] === 'PARAMETER') names.add(identifier(node))
  })
  return names
}

/** `select $name` keeps `$name` as its column's name. */
function nameParameterColumns(statement: TreeNode): TreeNode {
  return mapTree(statement, (node) => {
    const list = node['select_list']
    if (!Array.isArray(list)) return undefined
    const named = (list as readonly TreeNode[]).map((item) =>
      item['class'] === 'PARAMETER' && item['alias'] === undefined ? { ...item, alias: `$${identifier(item)}` } : item,
    )
    return { ...node, select_list: named }
  })
}

function isList(value: TypedValue): value is readonly TypedValue[] {
  return Array.isArray(value)
}

function valueNode(value: TypedValue): TreeNode {
  return isList(value) ? listNode(value.map(valueNode)) : constantNode(value)
}

function constantNode({ type, text }: Constant): TreeNode {
  if (text === undefined) return constant({ type: { id: 'NULL' }, is_null: true })
  const child = constant({ type: { id: 'VARCHAR' }, is_null: false, value: text })
  return { class: 'CAST', type: 'OPERATOR_CAST', child, cast_type: { id: type } }
}

function constant(value: TreeNode): TreeNode {
  return { class: 'CONSTANT', type: 'VALUE_CONSTANT', value }
}

function listNode(children: readonly TreeNode[]): TreeNode {
  return {
    class: 'FUNCTION',
    type: 'FUNCTION',
    function_name: 'list_value',
    schema: 'main',
    children,
    order_bys: { type: 'ORDER_MODIFIER' },
  }
}

function valueSql(value: TypedValue): string {
  if (isList(value)) return `[${value.map(valueSql).join(', ')}]`
  return value.text === undefined ? 'NULL' : constantSql(value)
}

function identifier(node: TreeNode): string {
  return typeof node['identifier'] === 'string' ? node['identifier'] : ''
}

function keep(node: TreeNode, key: string): TreeNode {
  return node[key] === undefined ? {} : { [key]: node[key] }
}
