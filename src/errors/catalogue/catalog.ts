import { define } from './entry.js'

/** Names that are not there, or are not unique. */
export const catalogErrors = define({
  'catalog.unknown_table': {
    category: 'user',
    errorType: 'CatalogException',
    message: 'There is no table {table}.',
    hint: '{hint}',
  },
  'catalog.broken_view': {
    category: 'external',
    errorType: 'CatalogException',
    message: 'The view {table} cannot be read: {reason}',
    hint: 'Mend the view in its database, or read its tables instead.',
  },
})
