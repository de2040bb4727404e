import { define } from './entry.js'

/** The engine worker, and what DuckDB reports. */
export const engineErrors = define({
  'engine.restarted': {
    category: 'internal',
    errorType: 'InternalException',
    message: 'The engine was restarted while this query ran: {reason}.',
    hint: 'Run the query again.',
  },
  'engine.unavailable': {
    category: 'internal',
    errorType: 'InternalException',
    message: 'The engine does not start: {reason}.',
    hint: 'Check that @duckdb/node-api is installed for this platform and that the state folder can be written; then run the query again.',
  },
  'engine.init_sql': {
    category: 'user',
    errorType: 'ConfigException',
    message: 'The statements of --init-sql failed: {reason}.',
    hint: 'Mend them, or leave --init-sql out.',
  },
  'engine.closed': {
    category: 'internal',
    errorType: 'InternalException',
    message: 'The engine is closed.',
  },
  'engine.interrupted': {
    category: 'timeout',
    errorType: 'CancelledException',
    message: 'The query was stopped.',
  },
  'engine.timed_out': {
    category: 'timeout',
    errorType: 'TimeoutException',
    message: 'Reading a description of the data took longer than {timeoutMs} ms.',
    hint: 'Declare the columns in the workspace file, or name fewer files.',
  },
  'engine.out_of_memory': {
    category: 'limit',
    errorType: 'OutOfMemoryException',
    message: 'The query needs more memory than it may use: {reason}.',
    hint: 'Filter earlier, aggregate, select fewer columns, or avoid very large lists and strings; the operator may raise limits.memory.',
  },
  'engine.disk_full': {
    category: 'external',
    errorType: 'IOException',
    message: 'There is not enough disk space: {message}',
    hint: 'Filter earlier so that less has to be sorted or kept, or free space for the state folder.',
  },
  'engine.too_complex': {
    category: 'limit',
    errorType: 'LimitException',
    message: 'An expression of the statement is nested more than {max} levels deep.',
    hint: 'Split long chains of operators: use a list function such as list_sum, IN with a list, or a join with VALUES.',
  },
  'engine.catalog': { category: 'user', errorType: 'CatalogException', message: '{message}', hint: '{hint}' },
  'engine.refused': {
    category: 'policy',
    errorType: 'PermissionException',
    message: 'The engine refused it: {message}',
    hint: 'A query can open only what the workspace declares. A file that was taken away meanwhile ends so too: run the query again.',
  },
  'engine.missing_extension': {
    category: 'user',
    errorType: 'BinderException',
    message: 'This needs a DuckDB extension that is not part of Querent: {message}',
    hint: 'Extensions are never loaded by a query. Use core functions, or a source of the fitting kind.',
  },
  'engine.transaction': {
    category: 'external',
    errorType: 'ConstraintException',
    message: 'The change was not made: {message}',
    hint: 'Another change of the same rows came first. Run the statement again.',
  },
  'engine.io': { category: 'external', errorType: 'IOException', message: '{message}', hint: '{hint}' },
  'engine.database_locked': {
    category: 'external',
    errorType: 'IOException',
    message: 'The database file {database} is in use by {holder}.',
    hint: 'Close the other program or wait until it has finished, then run the query again.',
  },
  'engine.bad_database': {
    category: 'external',
    errorType: 'IOException',
    message: 'The database file {database} cannot be opened: {message}',
    hint: 'Check that it exists and is a DuckDB database written by this or an older version of DuckDB.',
  },
  'engine.invalid_json': {
    category: 'external',
    errorType: 'SourceException',
    message: 'The answer for {table} is not valid JSON (text {text}): {message}',
    hint: 'The API may have answered an error page. Try the request by hand.',
  },
  'engine.shape_mismatch': {
    category: 'external',
    errorType: 'SourceException',
    message:
      'The answer for {table} does not hold rows at {path} (text {text}): found {found}, expected an array of objects or one object.',
    hint: 'Set response.path of the table to where the rows are.',
  },
  'engine.value_mismatch': {
    category: 'external',
    errorType: 'SourceException',
    message: 'Column {column} of {table} is declared {type}, but the answer holds {value}.',
    hint: 'Declare the column with a type that holds this value, such as VARCHAR or JSON.',
  },
  'engine.column_sql': {
    category: 'user',
    errorType: 'BinderException',
    message: 'The SQL of column {column} of {table} cannot be used: {message}',
    hint: "Mend sql of the column in the workspace file: one expression over row, the raw row as JSON, such as row->>'$.user.login'.",
  },
  'engine.result_too_large': {
    category: 'limit',
    errorType: 'LimitException',
    message: 'The result has more than {max} {unit}, so it was not kept.',
    hint: 'Filter or aggregate so that the result gets smaller; the operator may raise limits.result.',
  },
  'engine.result_missing': {
    category: 'user',
    errorType: 'CatalogException',
    message: 'The kept result is not there any more.',
    hint: 'Run the query again.',
  },
  'engine.internal': {
    category: 'internal',
    errorType: 'InternalException',
    message: 'DuckDB failed on this statement: {message}',
    hint: 'This is a fault of the engine. Writing the statement differently, with simpler joins or subqueries, may help.',
  },
})
