import { define } from './entry.js'

/** Files and databases on disk. */
export const fileErrors = define({
  'file.unreadable': {
    category: 'external',
    errorType: 'IOException',
    message: 'Cannot read {path}: {reason}.',
    hint: '{hint}',
  },
})
