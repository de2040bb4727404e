import { QuerentError } from '../../errors/querent-error.js'
import { displayIdentifier } from '../../util/sql-text.js'
import type { HttpTable } from './http-table.js'
import type { HttpParam } from './http-param.js'
import { tableText } from './parameter-errors.js'

/** Position of the first request whose conditions are all given. Throws `source.required_filter` where none is. */
export function chooseRequest(table: HttpTable, given: readonly HttpParam[]): number {
  const names = new Set(given.map(({ wireName }) => wireName))
  const index = table.requests.findIndex(({ whenFilters }) => whenFilters.every((name) => names.has(name)))
  if (index >= 0) return index
  const ways = table.requests.map(({ whenFilters }) => whenFilters.map(displayIdentifier).join(' and '))
  throw new QuerentError('source.required_filter', {
    table: tableText(table),
    columns: ways.join(', or '),
    hint: 'Give it with = or IN and constants, or by an equality with a column of a joined table.',
  })
}

/** Whether a request has a place for each of these names that the parameter's values are sent under. */
export function hasPlaces(param: HttpParam, request: number, names: readonly string[]): boolean {
  return names.every((name) => param.places[request]?.has(name) === true)
}
