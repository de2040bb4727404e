import { define } from './entry.js'

/** What the policy refuses. */
export const policyErrors = define({
  'policy.statement': {
    category: 'policy',
    errorType: 'PermissionException',
    message: '{statement} is not allowed.',
    hint: '{hint}',
  },
  'policy.function': {
    category: 'policy',
    errorType: 'PermissionException',
    message: 'The function {function} is not allowed.',
    hint: '{hint}',
  },
  'policy.table_function': {
    category: 'policy',
    errorType: 'PermissionException',
    message: '{function} is not allowed in FROM.',
    hint: '{hint}',
  },
  'policy.file_argument': {
    category: 'policy',
    errorType: 'PermissionException',
    message: '{function} takes {problem}.',
    hint: '{hint}',
  },
  'policy.reference': {
    category: 'policy',
    errorType: 'PermissionException',
    message: '{reference} is not available.',
    hint: '{hint}',
  },
  'policy.construct': {
    category: 'policy',
    errorType: 'PermissionException',
    message: 'This form of SQL is not allowed: {construct}.',
    hint: 'Write the query with other SQL.',
  },
  'policy.write': {
    category: 'policy',
    errorType: 'PermissionException',
    message: 'This statement is not allowed: {problem}.',
    hint: '{hint}',
  },
  'policy.limit': {
    category: 'user',
    errorType: 'InvalidInputException',
    message: '{name} cannot be {value}.',
    hint: 'Give a whole number from 1 to {max}, or leave it out.',
  },
})
