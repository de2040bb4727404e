import { QuerentError } from '../../errors/querent-error.js'
import { displayIdentifier, quoteLiteral } from '../../util/sql-text.js'
import type { HttpTable } from './http-table.js'
import type { HttpParam } from './http-param.js'

/** A scan whose required parameters have no value, with a statement to repair it by. */
export function requiredFilter(table: HttpTable, missing: readonly HttpParam[]): QuerentError {
  const all = table.params.filter(({ required }) => required)
  const takesValues = missing.every(({ operators }) => operators.has('=') || operators.has('in'))
  const conditions = all.map((param) => `${displayIdentifier(param.name)} = ${exampleValue(param)}`).join(' AND ')
  const from = `${displayIdentifier(table.name.source)}.${displayIdentifier(table.name.table)}`
  return new QuerentError('source.required_filter', {
    table: tableText(table),
    columns: missing.map(({ name }) => name).join(' and '),
    hint:
      (takesValues ? '' : `Operators: ${missing.flatMap(({ operators }) => [...operators]).join(', ')}. `) +
      `Give it with = or IN and constants, or by an equality with a column of a joined table, for example: ` +
      `SELECT * FROM ${from} WHERE ${conditions}`,
  })
}

export function defaultConflict(table: HttpTable, param: HttpParam): QuerentError {
  const name = displayIdentifier(param.name)
  const standard = quoteLiteral(param.defaultValue?.wire ?? '')
  const choices = [`${name} = ${standard} (the default)`, `${name} = 'another value'`, `${name} IN (…)`]
  if (param.anyValue !== undefined) choices.push(`${name} = ${quoteLiteral(param.anyValue.wire)} (all rows)`)
  const hint = `The source takes only = and IN for it. Use ${choices.join(', ')}, or put no condition on it.`
  const params = { table: tableText(table), column: param.name, value: standard, hint }
  return new QuerentError('source.default_conflict', params)
}

/** A condition that would be compared with nothing, because the answer has no such column. */
export function conditionRefused(table: HttpTable, param: HttpParam): QuerentError {
  return new QuerentError('source.unsupported_condition', { table: tableText(table), column: param.name })
}

export function tableText(table: HttpTable): string {
  return `${table.name.source}.${table.name.table}`
}

function exampleValue({ type }: HttpParam): string {
  if (type === 'BOOLEAN') return 'true'
  if (type === 'DATE') return "'2024-01-31'"
  if (type.startsWith('TIMESTAMP')) return "'2024-01-31 12:00:00'"
  return type === 'VARCHAR' || type === 'UUID' || type === 'JSON' ? "'…'" : '1'
}
