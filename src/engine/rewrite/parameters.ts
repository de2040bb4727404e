import { QuerentError } from '../../errors/querent-error.js'
import { mapTree, walkTree, type TreeNode } from '../../model/tree.js'

/** Values of a statement's parameters: by name for `$name`, by position for `?` and `$1`. */
export type ParameterValues = Readonly<Record<string, unknown>> | readonly unknown[]

/**
 * Puts the values in the place of the parameters, as typed constants: integers as INTEGER, BIGINT or HUGEINT, other
 * numbers as DOUBLE, strings as VARCHAR, arrays of these as lists. Throws `sql.parameter` where names and values do
 * not match.
 */
export function bindParameters(statement: TreeNode, values: ParameterValues | undefined): TreeNode {
  const named = normalise(values)
  const used = parameterNames(statement)
  const missing = [...used].filter((name) => !named.has(name.toLowerCase()))
  if (missing.length > 0) {
    throw fault(`The statement uses ${missing.map((name) => `$${name}`).join(', ')}, but params gives no value for it.`)
  }
  const lowerUsed = new Set([...used].map((name) => name.toLowerCase()))
  const extra = [...named.keys()].filter((name) => !lowerUsed.has(name))
  if (extra.length > 0) throw fault(`params gives ${extra.join(', ')}, which the statement does not use.`)
  if (used.size === 0) return statement
  const bound = mapTree(nameParameterColumns(statement), (node) => {
    if (node['class'] !== 'PARAMETER') return undefined
    const value = named.get(identifier(node).toLowerCase())
    return { ...constantNode(value), ...keep(node, 'alias'), ...keep(node, 'query_location') }
  })
  return Object.fromEntries(Object.entries(bound).filter(([key]) => key !== 'named_param_map'))
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

function normalise(values: ParameterValues | undefined): ReadonlyMap<string, unknown> {
  if (values === undefined) return new Map()
  const entries: [string, unknown][] = Array.isArray(values)
    ? values.map((value: unknown, index) => [String(index + 1), value])
    : Object.entries(values).map(([name, value]) => [name.replace(/^\$/, '').toLowerCase(), value])
  return new Map(entries)
}

const int32Max = 2n ** 31n - 1n
const int64Max = 2n ** 63n - 1n
const int128Max = 2n ** 127n - 1n

function constantNode(value: unknown): TreeNode {
  switch (typeof value) {
    case 'string':
      return cast(value, 'VARCHAR')
    case 'boolean':
      return cast(String(value), 'BOOLEAN')
    case 'bigint':
      return integerNode(value)
    case 'number':
      if (Number.isSafeInteger(value)) return integerNode(BigInt(value))
      if (!Number.isFinite(value)) throw fault('A number in params is not finite.')
      return cast(String(value), 'DOUBLE')
    case 'object':
      if (value === null)
        return { class: 'CONSTANT', type: 'VALUE_CONSTANT', value: { type: { id: 'NULL' }, is_null: true } }
      if (Array.isArray(value)) return listNode(value.map((item: unknown) => constantNode(item)))
      throw fault('Objects are not taken as values of params.')
    default:
      throw fault(`A value of type ${typeof value} is not taken in params.`)
  }
}

function integerNode(value: bigint): TreeNode {
  const magnitude = value < 0n ? -value - 1n : value
  if (magnitude > int128Max) throw fault('An integer in params has more than 128 bits.')
  return cast(String(value), magnitude <= int32Max ? 'INTEGER' : magnitude <= int64Max ? 'BIGINT' : 'HUGEINT')
}

function cast(text: string, type: string): TreeNode {
  return {
    class: 'CAST',
    type: 'OPERATOR_CAST',
    child: {
      class: 'CONSTANT',
      type: 'VALUE_CONSTANT',
      value: { type: { id: 'VARCHAR' }, is_null: false, value: text },
    },
    cast_type: { id: type },
  }
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

function identifier(node: TreeNode): string {
  return typeof node['identifier'] === 'string' ? node['identifier'] : ''
}

function keep(node: TreeNode, key: string): TreeNode {
  return node[key] === undefined ? {} : { [key]: node[key] }
}

function fault(message: string): QuerentError {
  return new QuerentError('sql.parameter', { message })
}
