import type { Filter } from '../../model/filter.js'

const integerTypes = new Set([
  'TINYINT',
  'SMALLINT',
  'INTEGER',
  'BIGINT',
  'HUGEINT',
  'UTINYINT',
  'USMALLINT',
  'UINTEGER',
  'UBIGINT',
  'UHUGEINT',
])

interface Bounds {
  low: bigint | undefined
  high: bigint | undefined
}

/**
 * A conjunction in which the closed range of an integer column has become the IN list that it stands for: DuckDB leaves
 * `n IN (1, 2, 3)` as `n >= 1 AND n <= 3` (P12). The filters as they are where the range is open or has more than
 * `max` values.
 */
export function expandIntegerRange(filters: readonly Filter[], column: string, max: number): readonly Filter[] {
  const bounds: Bounds = { low: undefined, high: undefined }
  let type = ''
  const others = filters.filter((filter) => {
    if (filter.kind !== 'compare' || filter.column !== column || !integerTypes.has(filter.value.type)) return true
    const isBound = tighten(bounds, filter.operator, BigInt(filter.value.text ?? 0))
    if (isBound) type = filter.value.type
    return !isBound
  })
  const { low, high } = bounds
  if (low === undefined || high === undefined || high < low || high - low >= BigInt(max)) return filters
  const values = Array.from({ length: Number(high - low) + 1 }, (_, offset) => ({
    type,
    text: (low + BigInt(offset)).toString(),
  }))
  return [...others, { kind: 'in', column, negated: false, values }]
}

/** Whether the comparison is a bound; equality and inequality are none. */
function tighten(bounds: Bounds, operator: string, value: bigint): boolean {
  switch (operator) {
    case '>':
    case '>=': {
      const low = operator === '>' ? value + 1n : value
      if (bounds.low === undefined || low > bounds.low) bounds.low = low
      return true
    }
    case '<':
    case '<=': {
      const high = operator === '<' ? value - 1n : value
      if (bounds.high === undefined || high < bounds.high) bounds.high = high
      return true
    }
    default:
      return false
  }
}
