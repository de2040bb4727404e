import { define } from './entry.js'

/** The engine worker. */
export const engineErrors = define({
  'engine.restarted': {
    category: 'internal',
    errorType: 'InternalException',
    message: 'The engine was restarted while this query ran: {reason}.',
    hint: 'Run the query again.',
  },
})
