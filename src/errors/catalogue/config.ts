import { define } from './entry.js'

/** The workspace file and the command line. */
export const configErrors = define({
  'config.invalid': { category: 'user', errorType: 'ConfigException', message: '{message}', hint: '{hint}' },
})
