import { define } from './entry.js'

/** Faults of Querent itself. */
export const internalErrors = define({
  'internal.unexpected': {
    category: 'internal',
    errorType: 'InternalException',
    message: 'Querent failed unexpectedly: {message}',
    hint: 'This is a fault of Querent, not of the statement. Please report it.',
  },
})
