import { define } from './entry.js'

/** Sources and what they answer. */
export const sourceErrors = define({
  'source.required_filter': {
    category: 'user',
    errorType: 'BinderException',
    message: '{table} needs a condition on {columns}.',
    hint: '{hint}',
  },
})
