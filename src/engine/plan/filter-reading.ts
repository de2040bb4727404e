import type { Constant } from '../../model/constant.js'
import type { Filter } from '../../model/filter.js'

/** What a condition turned out to be: a filter, `never` true, or undefined where no filter says the same. */
export type FilterReading = Filter | 'never' | undefined

/** NULL in the list matches nothing, so it is left out (P14). */
export function inFilter(column: string, values: readonly Constant[]): FilterReading {
  const known = values.filter((value) => value.text !== undefined)
  return known.length === 0 ? 'never' : { kind: 'in', column, negated: false, values: known }
}

/** With NULL in the list the condition is never true (P14). */
export function notInFilter(column: string, values: readonly Constant[]): FilterReading {
  return values.some((value) => value.text === undefined) ? 'never' : { kind: 'in', column, negated: true, values }
}

export function allOf(parts: readonly FilterReading[]): FilterReading {
  if (parts.includes('never')) return 'never'
  const filters = parts.filter((part) => part !== 'never')
  if (!filters.every((part) => part !== undefined)) return undefined
  return filters.length === 1 ? filters[0] : { kind: 'and', filters }
}

/** An OR; equalities of one column become one IN. */
export function anyOf(parts: readonly FilterReading[]): FilterReading {
  const filters = parts.filter((part) => part !== 'never')
  if (filters.length === 0) return 'never'
  if (!filters.every((part) => part !== undefined)) return undefined
  if (filters.length === 1) return filters[0]
  const keys = filters.map(keyValues)
  const column = keys[0]?.column
  if (column !== undefined && keys.every((key) => key?.column === column)) {
    return inFilter(column, distinctConstants(keys.flatMap((key) => key?.values ?? [])))
  }
  return { kind: 'or', filters }
}

/** The values that an equality or IN allows; undefined for all other filters. */
export function keyValues(
  filter: Filter,
): { readonly column: string; readonly values: readonly Constant[] } | undefined {
  if (filter.kind === 'in' && !filter.negated) return { column: filter.column, values: filter.values }
  if (filter.kind === 'compare' && filter.operator === '=') return { column: filter.column, values: [filter.value] }
  return undefined
}

export function distinctConstants(values: readonly Constant[]): readonly Constant[] {
  return [...new Map(values.map((value) => [`${value.type} ${value.text ?? ''}`, value])).values()]
}

/** Whether rows with NULL in the column fail the filter. */
export function rejectsNull(filter: Filter, column: string): boolean {
  switch (filter.kind) {
    case 'and':
      return filter.filters.some((part) => rejectsNull(part, column))
    case 'or':
      return filter.filters.every((part) => rejectsNull(part, column))
    case 'null':
      return filter.negated && filter.column === column
    default:
      return filter.column === column
  }
}
