import { define } from './entry.js'

/** Faults of the statement. */
export const sqlErrors = define({
  'sql.empty': {
    category: 'user',
    errorType: 'ParserException',
    message: 'The SQL is empty.',
    hint: 'Write one SELECT statement.',
  },
  'sql.syntax': { category: 'user', errorType: 'ParserException', message: '{message}', hint: '{hint}' },
  'sql.too_long': {
    category: 'limit',
    errorType: 'LimitException',
    message: 'The SQL has {length} characters; at most {max} are taken.',
    hint: 'Shorten the statement: join a table or a VALUES list instead of listing values one by one.',
  },
  'sql.binder': { category: 'user', errorType: 'BinderException', message: '{message}', hint: '{hint}' },
  'sql.conversion': { category: 'user', errorType: 'ConversionException', message: '{message}', hint: '{hint}' },
  'sql.constraint': { category: 'user', errorType: 'ConstraintException', message: '{message}', hint: '{hint}' },
  'sql.invalid_input': { category: 'user', errorType: 'InvalidInputException', message: '{message}', hint: '{hint}' },
})
