import { define } from './entry.js'

/** Names that are not there, or are not unique. */
export const catalogErrors = define({
  'catalog.unknown_table': {
    category: 'user',
    errorType: 'CatalogException',
    message: 'There is no table {table}.',
    hint: '{hint}',
  },
})
