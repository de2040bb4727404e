import { define } from './entry.js'

/** Results, scratch tables and the audit log. */
export const stateErrors = define({
  'state.not_found': {
    category: 'user',
    errorType: 'CatalogException',
    message: 'There is no {thing} {id}.',
    hint: 'It may have expired. Run the query again.',
  },
})
