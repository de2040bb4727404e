import type { Constant } from '../../src/model/constant.js'
import type { Filter } from '../../src/model/filter.js'

/** A column with values that occur in it, as DuckDB prints them; null for NULL. */
export interface SampledColumn {
  readonly name: string
  readonly type: string
  readonly values: readonly (string | null)[]
}

const ordered = /^(?:U?(?:TINY|SMALL|BIG|HUGE)INT|U?INTEGER|DOUBLE|FLOAT|DATE|TIMESTAMP|VARCHAR|BOOLEAN|DECIMAL\(.*\))$/

/** Every kind of filter over the columns' own values, and some that no row satisfies. */
export function contractFilters(columns: readonly SampledColumn[]): readonly (readonly Filter[])[] {
  const single = columns.flatMap(filtersOf)
  const [first] = single
  const last = single.at(-1)
  if (first === undefined || last === undefined) return []
  const combined: readonly Filter[] = [
    { kind: 'or', filters: [first, last] },
    { kind: 'and', filters: [first, last] },
    { kind: 'or', filters: [{ kind: 'and', filters: [first, last] }, last] },
  ]
  return [...[...single, ...combined].map((filter) => [filter]), [first, last]]
}

function filtersOf(column: SampledColumn): readonly Filter[] {
  const { name, type } = column
  const nulls: readonly Filter[] = [
    { kind: 'null', column: name, negated: false },
    { kind: 'null', column: name, negated: true },
  ]
  if (!ordered.test(type)) return nulls
  const texts = [...new Set(column.values)].filter((text) => text !== null).slice(0, 3)
  const constants = texts.map((text): Constant => ({ type, text }))
  const comparisons = constants.flatMap((value) =>
    (['=', '<>', '<', '<=', '>', '>='] as const).map((operator): Filter => ({
      kind: 'compare',
      column: name,
      operator,
      value,
    })),
  )
  const withNull: readonly Constant[] = [...constants, { type, text: undefined }]
  const lists = [constants, withNull, []].flatMap((values): readonly Filter[] => [
    { kind: 'in', column: name, negated: false, values },
    { kind: 'in', column: name, negated: true, values },
  ])
  return [...nulls, ...comparisons, ...lists, ...(type === 'VARCHAR' ? textFilters(name, texts) : [])]
}

function textFilters(column: string, texts: readonly string[]): readonly Filter[] {
  return texts.flatMap((text): readonly Filter[] => [
    { kind: 'prefix', column, prefix: text.slice(0, 2) },
    { kind: 'prefix', column, prefix: `${text}\u{10ffff}` },
    { kind: 'like', column, pattern: `%${text.slice(-1)}` },
    { kind: 'like', column, pattern: '_%' },
    { kind: 'compare', column, operator: '=', value: { type: 'VARCHAR', text: text.toUpperCase() } },
    { kind: 'compare', column, operator: '=', value: { type: 'VARCHAR', text: `${text}' OR 1=1 --` } },
  ])
}
