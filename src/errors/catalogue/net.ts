import { define } from './entry.js'

/** The network and what came over it. */
export const netErrors = define({
  'net.blocked_address': {
    category: 'policy',
    errorType: 'PermissionException',
    message: '{host} is not a public address and is not named by the workspace.',
    hint: 'Add the host to allowed_hosts of the source if it may be reached.',
  },
})
