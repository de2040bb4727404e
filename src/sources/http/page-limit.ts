import { QuerentError } from '../../errors/querent-error.js'
import type { HttpTable } from './http-table.js'
import { tableText } from './parameter-errors.js'

/** More pages than allowed: an error, because the rows so far are a part only. */
export function pageLimit(table: HttpTable): QuerentError {
  const names = table.params.filter(({ filterable }) => filterable).map(({ name }) => name)
  const filters = names.length === 0 ? 'Use a narrower endpoint' : `Add a condition on ${names.join(', ')}`
  return new QuerentError('source.page_limit', {
    table: tableText(table),
    max: table.rules.maxPages,
    hint: `No rows were kept, because they would be a part only. ${filters}, or raise max_pages in safety of the table.`,
  })
}
