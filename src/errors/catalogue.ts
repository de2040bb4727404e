import type { ErrorCategory, ErrorType } from './category.js'

/** Values put into a message. Never a secret. */
export type ErrorParams = Readonly<Record<string, string | number | boolean | undefined>>

export interface CatalogueEntry {
  readonly category: ErrorCategory
  readonly errorType: ErrorType
  readonly message: string
  /** The next step, with the valid choices. */
  readonly hint?: string
}

function define<Codes extends string>(entries: Record<Codes, CatalogueEntry>): Record<Codes, CatalogueEntry> {
  return entries
}

/** Every error Querent can answer. docs/errors.md is generated from this table. Grouped by the room that raises it. */
export const catalogue = define({
  // sql: the statement
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

  // internal
  'internal.unexpected': {
    category: 'internal',
    errorType: 'InternalException',
    message: 'Querent failed unexpectedly: {message}',
    hint: 'This is a fault of Querent, not of the statement. Please report it.',
  },
})

export type ErrorCode = keyof typeof catalogue
