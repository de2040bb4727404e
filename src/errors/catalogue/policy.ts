import { define } from './entry.js'

/** What the policy refuses. */
export const policyErrors = define({
  'policy.statement': {
    category: 'policy',
    errorType: 'PermissionException',
    message: '{statement} is not allowed: this workspace takes read-only SQL.',
    hint: 'Write one SELECT statement.',
  },
})
