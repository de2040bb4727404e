import type { Constant } from '../../model/constant.js'
import type { Filter } from '../../model/filter.js'
import { quoteIdentifier, quoteLiteral } from '../../util/sql-text.js'

/** A condition as SQL over a relation with the filter's column names. */
export function filterSql(filter: Filter): string {
  switch (filter.kind) {
    case 'compare':
      return `${quoteIdentifier(filter.column)} ${filter.operator} ${constantSql(filter.value)}`
    case 'in':
      return inSql(filter.column, filter.negated, filter.values)
    case 'null':
      return `${quoteIdentifier(filter.column)} IS ${filter.negated ? 'NOT ' : ''}NULL`
    case 'like':
      return `${quoteIdentifier(filter.column)} LIKE ${quoteLiteral(filter.pattern)}`
    case 'prefix':
      return `starts_with(${quoteIdentifier(filter.column)}, ${quoteLiteral(filter.prefix)})`
    case 'or':
      return group(filter.filters, ' OR ', 'false')
    case 'and':
      return group(filter.filters, ' AND ', 'true')
  }
}

/** A conjunction as SQL; `true` where there is none. */
export function filtersSql(filters: readonly Filter[]): string {
  return group(filters, ' AND ', 'true')
}

export function constantSql(constant: Constant): string {
  const type = constant.type
  if (constant.text === undefined) return `CAST(NULL AS ${type})`
  if (type === 'VARCHAR') return textSql(constant.text)
  return `CAST(${textSql(constant.text)} AS ${type})`
}

function inSql(column: string, negated: boolean, values: readonly Constant[]): string {
  if (values.length === 0) return negated ? 'true' : 'false'
  return `${quoteIdentifier(column)} ${negated ? 'NOT ' : ''}IN (${values.map(constantSql).join(', ')})`
}

function group(filters: readonly Filter[], separator: string, empty: string): string {
  return filters.length === 0 ? empty : `(${filters.map(filterSql).join(separator)})`
}

/** DuckDB's strings may hold NUL, its literals may not. */
function textSql(text: string): string {
  if (!text.includes('\0')) return quoteLiteral(text)
  return `(${text.split('\0').map(quoteLiteral).join(' || chr(0) || ')})`
}
