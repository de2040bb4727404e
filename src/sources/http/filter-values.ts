import type { Constant } from '../../model/constant.js'
import type { Filter } from '../../model/filter.js'

/** What a conjunction says about one column. */
export interface ColumnConditions {
  /** The only values that rows can have, NULL never among them; undefined: not limited to known values. */
  readonly values: readonly Constant[] | undefined
  /** Filters that say no more than `values`. */
  readonly covered: readonly Filter[]
  /** All others that read the column. */
  readonly others: readonly Filter[]
  /** Size of a closed integer range that is larger than `maxRange`, and so is in `others`. */
  readonly wideRange: bigint | undefined
}

export interface ConditionOptions {
  readonly isInteger: boolean
  /** Most values of a closed range `>= a AND <= b` to list. DuckDB writes `IN (1, 2, 3)` as such a range. */
  readonly maxRange: number
}

export function conditionsOn(column: string, filters: readonly Filter[], options: ConditionOptions): ColumnConditions {
  const reading = filters.filter((filter) => columnsOf(filter).includes(column))
  const covered: Filter[] = []
  let values: readonly Constant[] | undefined
  for (const filter of reading) {
    const allowed = valuesOf(filter)
    if (allowed === undefined) continue
    covered.push(filter)
    values = intersect(values, allowed)
  }
  let wideRange: bigint | undefined
  if (values === undefined && options.isInteger) {
    const range = closedRange(reading)
    if (range !== undefined && range.size <= BigInt(options.maxRange)) {
      values = listRange(range)
      covered.push(...range.bounds)
    } else wideRange = range?.size
  }
  return { values, covered, others: reading.filter((filter) => !covered.includes(filter)), wideRange }
}

export function columnsOf(filter: Filter): readonly string[] {
  return filter.kind === 'and' || filter.kind === 'or' ? filter.filters.flatMap(columnsOf) : [filter.column]
}

/** Values that a filter over one column allows, where it is `=`, IN, or an OR or AND of these. */
function valuesOf(filter: Filter): readonly Constant[] | undefined {
  switch (filter.kind) {
    case 'compare':
      return filter.operator === '=' ? distinct([filter.value]) : undefined
    case 'in':
      return filter.negated ? undefined : distinct(filter.values)
    case 'or':
    case 'and': {
      if (new Set(columnsOf(filter)).size !== 1) return undefined
      const lists = filter.filters.map(valuesOf)
      if (!lists.every((list) => list !== undefined)) return undefined
      if (filter.kind === 'or') return distinct(lists.flat())
      return lists.reduce<readonly Constant[] | undefined>((all, list) => intersect(all, list), undefined)
    }
    case 'null':
    case 'like':
    case 'prefix':
      return undefined
  }
}

function distinct(values: readonly Constant[]): readonly Constant[] {
  return [...new Map(values.filter(({ text }) => text !== undefined).map((value) => [value.text, value])).values()]
}

function intersect(known: readonly Constant[] | undefined, more: readonly Constant[]): readonly Constant[] {
  if (known === undefined) return more
  const texts = new Set(more.map(({ text }) => text))
  return known.filter(({ text }) => texts.has(text))
}

interface IntegerRange {
  readonly type: string
  readonly low: bigint
  readonly size: bigint
  readonly bounds: readonly Filter[]
}

function closedRange(filters: readonly Filter[]): IntegerRange | undefined {
  let low: bigint | undefined
  let high: bigint | undefined
  let type = 'BIGINT'
  const bounds: Filter[] = []
  for (const filter of filters) {
    if (filter.kind !== 'compare' || !/^-?\d+$/.test(filter.value.text ?? '')) continue
    const value = BigInt(filter.value.text ?? '')
    if (filter.operator === '>=' || filter.operator === '>') {
      const bound = filter.operator === '>' ? value + 1n : value
      low = low === undefined || bound > low ? bound : low
    } else if (filter.operator === '<=' || filter.operator === '<') {
      const bound = filter.operator === '<' ? value - 1n : value
      high = high === undefined || bound < high ? bound : high
    } else continue
    type = filter.value.type
    bounds.push(filter)
  }
  if (low === undefined || high === undefined) return undefined
  return { type, low, size: high < low ? 0n : high - low + 1n, bounds }
}

function listRange({ type, low, size }: IntegerRange): readonly Constant[] {
  return Array.from({ length: Number(size) }, (_, index) => ({ type, text: String(low + BigInt(index)) }))
}
