import { define } from './entry.js'

/** The MCP and HTTP doors. */
export const serverErrors = define({
  'server.busy': {
    category: 'limit',
    errorType: 'LimitException',
    message: 'Too many queries are waiting.',
    hint: 'Try again in {retryAfterMs} ms.',
  },
})
