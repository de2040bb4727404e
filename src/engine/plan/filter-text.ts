import type { Constant } from '../../model/constant.js'
import type { Filter } from '../../model/filter.js'
import { displayIdentifier, quoteLiteral } from '../../util/sql-text.js'

/** A condition for people to read, without the casts that SQL would need. */
export function filterText(filter: Filter): string {
  switch (filter.kind) {
    case 'compare':
      return `${displayIdentifier(filter.column)} ${filter.operator} ${valueText(filter.value)}`
    case 'in':
      return `${displayIdentifier(filter.column)} ${filter.negated ? 'NOT ' : ''}IN (${filter.values.map(valueText).join(', ')})`
    case 'null':
      return `${displayIdentifier(filter.column)} IS ${filter.negated ? 'NOT ' : ''}NULL`
    case 'like':
      return `${displayIdentifier(filter.column)} LIKE ${quoteLiteral(filter.pattern)}`
    case 'prefix':
      return `${displayIdentifier(filter.column)} LIKE ${quoteLiteral(`${filter.prefix}%`)}`
    case 'or':
      return `(${filter.filters.map(filterText).join(' OR ')})`
    case 'and':
      return `(${filter.filters.map(filterText).join(' AND ')})`
  }
}

const bareTypes = /^(U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|FLOAT|DOUBLE|DECIMAL.*|BOOLEAN)$/

function valueText({ type, text }: Constant): string {
  if (text === undefined) return 'NULL'
  return bareTypes.test(type) ? text : quoteLiteral(text)
}
