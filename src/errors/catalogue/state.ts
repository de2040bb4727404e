import { define } from './entry.js'

/** Results, scratch tables, the audit log and the folder they lie in. */
export const stateErrors = define({
  'state.not_found': {
    category: 'user',
    errorType: 'CatalogException',
    message: 'There is no {thing} {id}.',
    hint: 'It may have expired. Run the query again.',
  },
  'state.audit_unwritable': {
    category: 'external',
    errorType: 'IOException',
    message: 'The audit log cannot be written: {reason}.',
    hint: 'Queries run again once the log can be written: free space or mend its permissions. With audit.required: false they run without a record.',
  },
  'state.audit_unreadable': {
    category: 'external',
    errorType: 'IOException',
    message: 'The audit log cannot be read: {reason}.',
    hint: 'Mend the permissions of the log, or name another one with audit.path.',
  },
  'state.unsafe_folder': {
    category: 'external',
    errorType: 'PermissionException',
    message: 'The state folder is not safe to use: {reason}.',
    hint: 'Set QUERENT_STATE_DIR to a folder that belongs to you and that nobody else can write.',
  },
  'state.unwritable': {
    category: 'external',
    errorType: 'IOException',
    message: 'The state folder cannot be written: {reason}.',
    hint: 'Free space or mend its permissions, or set QUERENT_STATE_DIR to another folder.',
  },
})
