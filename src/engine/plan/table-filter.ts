import type { TreeNode } from '../../model/tree.js'
import { allOf, anyOf, inFilter, type FilterReading } from './filter-reading.js'
import { nodeAt, nodesAt, textAt } from './plan-json.js'
import { readConstant } from './read-constant.js'
import { comparisonOperators, compareFilter, readFilter } from './read-filter.js'

/** Implied by another filter, or filled in at run time: says nothing of its own (P11). */
const skipped = new Set(['OPTIONAL_FILTER', 'DYNAMIC_FILTER', 'BLOOM_FILTER'])

/** The conditions that a table filter of one column consists of, skippable ones left out. */
export function tableFilterParts(filter: TreeNode): readonly TreeNode[] {
  if (skipped.has(textAt(filter, 'filter_type'))) return []
  const isAnd = textAt(filter, 'filter_type') === 'CONJUNCTION_AND'
  return isAnd ? nodesAt(filter, 'child_filters').flatMap(tableFilterParts) : [filter]
}

/** One table filter of `column` as a typed filter (P11); undefined where there is none. */
export function readTableFilter(column: string, filter: TreeNode): FilterReading {
  switch (textAt(filter, 'filter_type')) {
    case 'CONSTANT_COMPARISON':
      return readComparison(column, filter)
    case 'IS_NULL':
      return { kind: 'null', column, negated: false }
    case 'IS_NOT_NULL':
      return { kind: 'null', column, negated: true }
    case 'IN_FILTER': {
      const values = nodesAt(filter, 'values').map(readConstant)
      return values.every((value) => value !== undefined) ? inFilter(column, values) : undefined
    }
    case 'CONJUNCTION_AND':
      return allOf(tableFilterParts(filter).map((part) => readTableFilter(column, part)))
    case 'CONJUNCTION_OR':
      return readAlternatives(column, nodesAt(filter, 'child_filters'))
    case 'EXPRESSION_FILTER': {
      const expression = nodeAt(filter, 'expr')
      // Reference 0 is the filter's own column.
      return expression && readFilter(expression, (position) => (position === 0 ? column : undefined))
    }
    default:
      return undefined
  }
}

function readComparison(column: string, filter: TreeNode): FilterReading {
  const operator = comparisonOperators[textAt(filter, 'comparison_type')]
  const constant = nodeAt(filter, 'constant')
  const value = constant && readConstant(constant)
  return operator === undefined || value === undefined ? undefined : compareFilter(column, operator, value)
}

/** A skippable alternative may let any row pass. */
function readAlternatives(column: string, children: readonly TreeNode[]): FilterReading {
  if (children.some((child) => skipped.has(textAt(child, 'filter_type')))) return undefined
  return anyOf(children.map((child) => readTableFilter(column, child)))
}
