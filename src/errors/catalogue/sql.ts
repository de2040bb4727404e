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
  'sql.multiple_statements': {
    category: 'user',
    errorType: 'ParserException',
    message: 'There are several statements; one is taken at a time.',
    hint: 'Send each statement as a query of its own, or join them with UNION ALL or WITH.',
  },
  'sql.statement_refused': {
    category: 'policy',
    errorType: 'PermissionException',
    message: '{statement} is not a statement that reads.',
    hint: 'Write one SELECT statement (WITH, VALUES, FROM, DESCRIBE, SUMMARIZE and PIVOT are SELECTs too).',
  },
  'sql.too_deep': {
    category: 'limit',
    errorType: 'LimitException',
    message: 'The SQL nests more than {max} levels deep.',
    hint: 'Use IN lists, VALUES lists or a join instead of long chains of operators, parentheses or UNION.',
  },
  'sql.pivot_list': {
    category: 'user',
    errorType: 'ParserException',
    message: 'The IN list of a PIVOT cannot be a query or a type.',
    hint: 'Leave IN out to pivot on all values, or write the values: IN (1, 2).',
  },
  'sql.pivot_values': {
    category: 'limit',
    errorType: 'LimitException',
    message: 'The PIVOT would make {count} columns; at most {max} are made.',
    hint: 'Name the values that matter: ON column IN (1, 2), or use GROUP BY.',
  },
  'sql.binder': { category: 'user', errorType: 'BinderException', message: '{message}', hint: '{hint}' },
  'sql.conversion': { category: 'user', errorType: 'ConversionException', message: '{message}', hint: '{hint}' },
  'sql.constraint': { category: 'user', errorType: 'ConstraintException', message: '{message}', hint: '{hint}' },
  'sql.invalid_input': { category: 'user', errorType: 'InvalidInputException', message: '{message}', hint: '{hint}' },
})
