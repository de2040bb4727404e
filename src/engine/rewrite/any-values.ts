import { isTreeNode, mapTree, type TreeNode } from '../../model/tree.js'
import { referenceNumber } from './reference-tags.js'

/** The `any` values of a reference's columns: lower-case column name to value. */
export type AnyValues = ReadonlyMap<string, string>

export interface AnyValueRewrite {
  readonly tree: TreeNode
  /** Reference number to forced parameter values. */
  readonly forced: ReadonlyMap<number, Readonly<Record<string, string>>>
}

/**
 * An equality with a parameter's `any` value asks for all rows, and no row carries that value: the condition is taken
 * out of WHERE and given to the request instead. Only a plain conjunct of the SELECT that names the table counts.
 */
export function forceAnyValues(
  tree: TreeNode,
  anyValuesOf: (reference: number) => AnyValues | undefined,
): AnyValueRewrite {
  const forced = new Map<number, Record<string, string>>()
  const rewritten = mapTree(tree, (node) => {
    if (node['type'] !== 'SELECT_NODE' || !isTreeNode(node['where_clause']) || !isTreeNode(node['from_table'])) {
      return undefined
    }
    const tables = fromTables(node['from_table'])
    const rest = conjuncts(node['where_clause']).filter((condition) => {
      const match = matchAnyValue(condition, tables, anyValuesOf)
      if (match === undefined) return true
      forced.set(match.reference, { ...forced.get(match.reference), [match.column]: match.value })
      return false
    })
    return { ...node, where_clause: conjunction(rest) }
  })
  return forced.size === 0 ? { tree, forced } : { tree: withoutEmptyWhere(rewritten), forced }
}

interface FromTable {
  readonly reference: number | undefined
  readonly names: readonly string[]
}

/** Tables of a FROM clause, through joins but not into subqueries. */
function fromTables(from: TreeNode): readonly FromTable[] {
  if (from['type'] === 'JOIN') {
    return [from['left'], from['right']].filter(isTreeNode).flatMap((side) => fromTables(side))
  }
  const names = [from['alias'], from['alias'] === undefined ? from['table_name'] : undefined]
  return [
    {
      reference: referenceNumber(from),
      names: names.filter((name) => typeof name === 'string').map((name) => name.toLowerCase()),
    },
  ]
}

function matchAnyValue(
  condition: TreeNode,
  tables: readonly FromTable[],
  anyValuesOf: (reference: number) => AnyValues | undefined,
): { reference: number; column: string; value: string } | undefined {
  if (condition['type'] !== 'COMPARE_EQUAL') return undefined
  const sides = [condition['left'], condition['right']].filter(isTreeNode)
  const column = sides.find((side) => side['class'] === 'COLUMN_REF')
  const value = sides.map(textOf).find((text) => text !== undefined)
  const names = column?.['column_names']
  if (!Array.isArray(names) || value === undefined) return undefined
  const [name, qualifier] = [...(names as readonly string[])].reverse().map((part) => part.toLowerCase())
  const table = qualifier === undefined ? tables : tables.filter((candidate) => candidate.names.includes(qualifier))
  const [only] = table
  if (table.length !== 1 || only?.reference === undefined || name === undefined) return undefined
  return anyValuesOf(only.reference)?.get(name) === value
    ? { reference: only.reference, column: name, value }
    : undefined
}

/** The text of a string constant, also as a bound parameter carries it. */
function textOf(node: TreeNode): string | undefined {
  const constant = node['class'] === 'CAST' && isTreeNode(node['child']) ? node['child'] : node
  const value = constant['value']
  return constant['class'] === 'CONSTANT' && isTreeNode(value) && typeof value['value'] === 'string'
    ? value['value']
    : undefined
}

function conjuncts(condition: TreeNode): readonly TreeNode[] {
  if (condition['type'] !== 'CONJUNCTION_AND' || !Array.isArray(condition['children'])) return [condition]
  return (condition['children'] as readonly TreeNode[]).flatMap((child) => conjuncts(child))
}

function conjunction(conditions: readonly TreeNode[]): TreeNode | undefined {
  if (conditions.length <= 1) return conditions[0]
  return { class: 'CONJUNCTION', type: 'CONJUNCTION_AND', children: conditions }
}

function withoutEmptyWhere(tree: TreeNode): TreeNode {
  return mapTree(tree, (node) =>
    'where_clause' in node && node['where_clause'] === undefined
      ? Object.fromEntries(Object.entries(node).filter(([key]) => key !== 'where_clause'))
      : undefined,
  )
}
