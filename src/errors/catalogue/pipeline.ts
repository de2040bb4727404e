import { define } from './entry.js'

/** What the pipeline refuses between the check of a statement and its run. */
export const pipelineErrors = define({
  'sql.parameter': {
    category: 'user',
    errorType: 'InvalidInputException',
    message: '{message}',
    hint: 'Give params an object for $name, or an array for ? and $1, with one value for each parameter of the statement.',
  },
  'sql.pivot_unasked': {
    category: 'user',
    errorType: 'BinderException',
    message: 'A PIVOT without an IN list is planned only after its values were asked, and explain asks nothing.',
    hint: 'Write the list: PIVOT … ON column IN (…).',
  },
  'sql.save_write': {
    category: 'user',
    errorType: 'InvalidInputException',
    message: 'saveAs keeps the result of a SELECT; this statement writes.',
    hint: 'Leave saveAs out.',
  },
  'policy.no_write_target': {
    category: 'policy',
    errorType: 'PermissionException',
    message: 'No database of this workspace is open for writing.',
    hint: 'Name a DuckDB database: querent serve sales.duckdb --read-write.',
  },
  'policy.which_database': {
    category: 'user',
    errorType: 'BinderException',
    message: 'Several databases are open for writing, and the statement does not say which one it means.',
    hint: 'Write <database>.<table>, with one of {choices}.',
  },
  'sql.save_name': {
    category: 'user',
    errorType: 'InvalidInputException',
    message: '{name} cannot be the name of a saved table.',
    hint: 'Use letters, digits and underscores, at most 63, not starting with a digit.',
  },
  'sql.row_id': {
    category: 'user',
    errorType: 'BinderException',
    message: 'The statement reads rowid of {table}, which has none.',
    hint: 'Use a column of the table instead; describe_table lists them.',
  },
  'catalog.ambiguous_table': {
    category: 'user',
    errorType: 'CatalogException',
    message: 'More than one table is called {table}.',
    hint: 'Write one of {choices}.',
  },
  'catalog.unavailable': {
    category: 'external',
    errorType: 'SourceException',
    message: 'No source that answers has a table {table}; not available now: {down}.',
    hint: 'Write source.table to name the source, or try again later.',
  },
  'catalog.unknown_source': {
    category: 'user',
    errorType: 'CatalogException',
    message: 'There is no source {source}.',
    hint: '{hint}',
  },
  'catalog.bad_name': {
    category: 'user',
    errorType: 'CatalogException',
    message: '{name} is not a table name.',
    hint: 'Write source.table, with double quotes around a part that is no plain identifier.',
  },
  'state.no_room': {
    category: 'limit',
    errorType: 'LimitException',
    message: 'There is no room for a file of this result.',
    hint: 'Page through the result instead, or keep fewer results.',
  },
  'file.unwritable': {
    category: 'external',
    errorType: 'IOException',
    message: 'Cannot write {path}: {reason}.',
    hint: 'Name a file in a folder that exists and that you may write to.',
  },
  'catalog.bad_cursor': {
    category: 'user',
    errorType: 'InvalidInputException',
    message: 'The cursor is not one of this search.',
    hint: 'Pass nextCursor of the page before, or leave cursor out to begin again.',
  },
  'limit.references': {
    category: 'limit',
    errorType: 'LimitException',
    message: 'The statement names tables {count} times; {max} are taken.',
    hint: 'Read a table once in a WITH clause and use that.',
  },
  'limit.requests': {
    category: 'limit',
    errorType: 'LimitException',
    message: 'The query was stopped at {max} requests, while it read {table}.',
    hint: 'Add a filter that the source applies (describe_table shows which), or raise limits.maxRequests.',
  },
  'limit.estimate': {
    category: 'limit',
    errorType: 'LimitException',
    message: 'The query would make at least {estimate} requests, most of them to {table}; {max} are allowed.',
    hint: 'Ask for fewer values of its parameters, or raise limits.maxRequests.',
  },
  'limit.bytes': {
    category: 'limit',
    errorType: 'LimitException',
    message: 'The query was stopped at {max} bytes of answers, while it read {table}.',
    hint: 'Add a filter that the source applies (describe_table shows which), or raise limits.bytes.',
  },
  'limit.rows': {
    category: 'limit',
    errorType: 'LimitException',
    message: 'The query was stopped at {max} fetched rows, while it read {table}.',
    hint: 'Add a filter that the source applies (describe_table shows which), or raise limits.sourceRows.',
  },
  'limit.fanout': {
    category: 'limit',
    errorType: 'LimitException',
    message: 'The join would ask {table} for more than {max} keys.',
    hint: 'Filter the table that the keys come from, so that fewer remain, or raise limits.maxFanout.',
  },
})
