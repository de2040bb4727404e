import type { Constant } from '../../model/constant.js'
import type { ComparisonOperator, Filter } from '../../model/filter.js'
import type { TreeNode } from '../../model/tree.js'
import { allOf, anyOf, inFilter, notInFilter, type FilterReading } from './filter-reading.js'
import { expressionClass, referencePosition, typeIdOf } from './expression.js'
import { flagAt, nodeAt, nodesAt, textAt } from './plan-json.js'
import { readConstant } from './read-constant.js'

/** Names the column that a plain reference means; undefined where it is none of the scan's. */
export type ColumnOf = (position: number) => string | undefined

export const comparisonOperators: Readonly<Record<string, ComparisonOperator>> = {
  COMPARE_EQUAL: '=',
  COMPARE_NOTEQUAL: '<>',
  COMPARE_LESSTHAN: '<',
  COMPARE_LESSTHANOREQUALTO: '<=',
  COMPARE_GREATERTHAN: '>',
  COMPARE_GREATERTHANOREQUALTO: '>=',
}

const mirrored = { '=': '=', '<>': '<>', '<': '>', '>': '<', '<=': '>=', '>=': '<=' } as const
const opposite = { '=': '<>', '<>': '=', '<': '>=', '>': '<=', '<=': '>', '>=': '<' } as const
const prefixFunctions = new Set(['prefix', 'starts_with', '^@'])

/** A bound condition as a typed filter with the same rows (P15); undefined where there is none. */
export function readFilter(expression: TreeNode, columnOf: ColumnOf): FilterReading {
  return new FilterReader(columnOf).read(expression)
}

class FilterReader {
  readonly #columnOf: ColumnOf

  constructor(columnOf: ColumnOf) {
    this.#columnOf = columnOf
  }

  read(expression: TreeNode): FilterReading {
    switch (expressionClass(expression)) {
      case 'BOUND_REF':
        return this.#flag(expression, true)
      case 'BOUND_COMPARISON':
        return this.#comparison(expression)
      case 'BOUND_BETWEEN':
        return this.#between(expression)
      case 'BOUND_OPERATOR':
        return this.#operator(expression)
      case 'BOUND_CONJUNCTION': {
        const parts = nodesAt(expression, 'children').map((child) => this.read(child))
        return textAt(expression, 'type') === 'CONJUNCTION_OR' ? anyOf(parts) : allOf(parts)
      }
      case 'BOUND_FUNCTION':
        return this.#pattern(expression)
      default:
        return undefined
    }
  }

  #column(expression: TreeNode | undefined): string | undefined {
    const position = expression === undefined ? undefined : referencePosition(expression)
    return position === undefined ? undefined : this.#columnOf(position)
  }

  #constant(expression: TreeNode | undefined): Constant | undefined {
    if (expression === undefined || expressionClass(expression) !== 'BOUND_CONSTANT') return undefined
    const value = nodeAt(expression, 'value')
    return value === undefined ? undefined : readConstant(value)
  }

  #flag(expression: TreeNode, value: boolean): FilterReading {
    const column = this.#column(expression)
    if (column === undefined || typeIdOf(expression) !== 'BOOLEAN') return undefined
    return { kind: 'compare', column, operator: '=', value: { type: 'BOOLEAN', text: String(value) } }
  }

  #comparison(expression: TreeNode): FilterReading {
    const [left, right] = [nodeAt(expression, 'left'), nodeAt(expression, 'right')]
    const isMirrored = this.#column(left) === undefined
    const column = this.#column(isMirrored ? right : left)
    const value = this.#constant(isMirrored ? left : right)
    if (column === undefined || value === undefined) return undefined
    const type = textAt(expression, 'type')
    if (type === 'COMPARE_NOT_DISTINCT_FROM') return notDistinct(column, value)
    if (type === 'COMPARE_DISTINCT_FROM') return distinct(column, value)
    const operator = comparisonOperators[type]
    if (operator === undefined) return undefined
    return compareFilter(column, isMirrored ? mirrored[operator] : operator, value)
  }

  #between(expression: TreeNode): FilterReading {
    const column = this.#column(nodeAt(expression, 'input'))
    const lower = this.#constant(nodeAt(expression, 'lower'))
    const upper = this.#constant(nodeAt(expression, 'upper'))
    if (column === undefined || lower === undefined || upper === undefined) return undefined
    return allOf([
      compareFilter(column, flagAt(expression, 'lower_inclusive') ? '>=' : '>', lower),
      compareFilter(column, flagAt(expression, 'upper_inclusive') ? '<=' : '<', upper),
    ])
  }

  #operator(expression: TreeNode): FilterReading {
    const [first, ...rest] = nodesAt(expression, 'children')
    if (first === undefined) return undefined
    const type = textAt(expression, 'type')
    if (type === 'OPERATOR_NOT') return this.#flag(first, false) ?? negate(this.read(first))
    const column = this.#column(first)
    if (column === undefined) return undefined
    if (type === 'OPERATOR_IS_NULL') return { kind: 'null', column, negated: false }
    if (type === 'OPERATOR_IS_NOT_NULL') return { kind: 'null', column, negated: true }
    if (type !== 'COMPARE_IN' && type !== 'COMPARE_NOT_IN') return undefined
    const values = rest.map((value) => this.#constant(value))
    if (!values.every((value) => value !== undefined)) return undefined
    return type === 'COMPARE_IN' ? inFilter(column, values) : notInFilter(column, values)
  }

  #pattern(expression: TreeNode): FilterReading {
    const [first, second, ...rest] = nodesAt(expression, 'children')
    const [column, value] = [this.#column(first), this.#constant(second)]
    if (column === undefined || value?.type !== 'VARCHAR' || rest.length > 0) return undefined
    const name = textAt(expression, 'name')
    if (value.text === undefined) return undefined
    if (name === '~~') return { kind: 'like', column, pattern: value.text }
    return prefixFunctions.has(name) ? { kind: 'prefix', column, prefix: value.text } : undefined
  }
}

/** A comparison with NULL is never true. */
export function compareFilter(column: string, operator: ComparisonOperator, value: Constant): FilterReading {
  return value.text === undefined ? 'never' : { kind: 'compare', column, operator, value }
}

function notDistinct(column: string, value: Constant): Filter {
  if (value.text === undefined) return { kind: 'null', column, negated: false }
  return { kind: 'compare', column, operator: '=', value }
}

function distinct(column: string, value: Constant): Filter {
  if (value.text === undefined) return { kind: 'null', column, negated: true }
  return {
    kind: 'or',
    filters: [
      { kind: 'compare', column, operator: '<>', value },
      { kind: 'null', column, negated: false },
    ],
  }
}

/** The opposite of one simple condition; NULL stays neither true nor false. */
function negate(reading: FilterReading): FilterReading {
  if (reading === undefined || reading === 'never') return undefined
  switch (reading.kind) {
    case 'compare':
      return { ...reading, operator: opposite[reading.operator] }
    case 'null':
    case 'in':
      return { ...reading, negated: !reading.negated }
    default:
      return undefined
  }
}
