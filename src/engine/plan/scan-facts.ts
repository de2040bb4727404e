import { isTreeNode, type TreeNode } from '../../model/tree.js'
import { JsonNumber } from '../../util/lossless-json.js'
import type { RelationName } from './bound-plan.js'
import { indexAt, indexesAt, listAt, nodeAt, nodesAt, textAt } from './plan-json.js'
import type { ScanNode, ScanOutput } from './plan-node.js'
import { typeName } from './type-name.js'

export type ScanFacts = Pick<ScanNode, 'relation' | 'names' | 'types' | 'outputs' | 'tableFilters'>

/** DuckDB's column index of the row's identifier, 2^64-1; other virtual columns carry no value (P10). */
const rowIdText = '18446744073709551615'

/** A LOGICAL_GET's table; undefined for table functions. */
export function scanFacts(json: TreeNode): ScanFacts | undefined {
  const relation = scannedRelation(json)
  if (relation === undefined) return undefined
  const names = listAt(json, 'names').map(String)
  const columns = nodesAt(json, 'column_indexes').map((column) => scanOutput(column, names))
  const projected = indexesAt(json, 'projection_ids')
  const outputs = projected.length > 0 ? projected.map((position) => columns[position] ?? 'nothing') : columns
  const filters = nodesAt(nodeAt(json, 'table_filters') ?? {}, 'filters')
  return {
    relation,
    names,
    types: nodesAt(json, 'returned_types').map(typeName),
    outputs,
    tableFilters: filters.map((entry) => ({
      columnIndex: indexAt(entry, 'key'),
      filter: nodeAt(entry, 'value') ?? {},
    })),
  }
}

function scannedRelation(json: TreeNode): RelationName | undefined {
  const data = nodeAt(json, 'function_data')
  if (textAt(json, 'name') !== 'seq_scan' || data === undefined || textAt(data, 'table') === '') return undefined
  return { catalog: textAt(data, 'catalog'), schema: textAt(data, 'schema'), table: textAt(data, 'table') }
}

function scanOutput(column: TreeNode, names: readonly string[]): ScanOutput {
  const index = column['index']
  if (index instanceof JsonNumber) return index.text === rowIdText ? 'rowid' : 'nothing'
  const name = names[indexAt(column, 'index')]
  return name === undefined ? 'nothing' : { column: name }
}

/** Width of a LOGICAL_GET's own columns, before those that it passes on from a child. */
export function functionWidth(json: TreeNode): number {
  const projected = listAt(json, 'projection_ids').length
  return projected > 0 ? projected : listAt(json, 'column_indexes').filter(isTreeNode).length
}
