import { define } from './entry.js'

/** Limits of the workspace. */
export const limitErrors = define({
  'limit.timeout': {
    category: 'timeout',
    errorType: 'TimeoutException',
    message: 'The query took longer than {timeoutMs} ms and was stopped.',
    hint: 'Narrow the query with a filter, or raise limits.timeout in the workspace file.',
  },
  'limit.cancelled': {
    category: 'timeout',
    errorType: 'CancelledException',
    message: 'The query was cancelled.',
  },
})
