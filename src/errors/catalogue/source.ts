import { define } from './entry.js'

/** Sources and what they answer. `{subject}` is the table and the number of the request. */
export const sourceErrors = define({
  'source.required_filter': {
    category: 'user',
    errorType: 'BinderException',
    message: '{table} needs a condition on {columns}.',
    hint: '{hint}',
  },
  'source.filter_policy': {
    category: 'user',
    errorType: 'BinderException',
    message: '{table} may only be read with {requirement}.',
    hint: '{hint}',
  },
  'source.default_conflict': {
    category: 'user',
    errorType: 'BinderException',
    message: '{table}.{column} is a parameter with the default {value}, which does not fit the condition put on it.',
    hint: '{hint}',
  },
  'source.unsupported_condition': {
    category: 'user',
    errorType: 'BinderException',
    message: '{table}.{column} is a parameter that the rows do not carry: it takes only = and IN with constants.',
    hint: 'Use {column} = value or {column} IN (…), or put no condition on it.',
  },
  'source.bad_parameter': {
    category: 'user',
    errorType: 'InvalidInputException',
    message: 'The value of {column} cannot be sent to {table}: {reason}.',
    hint: 'Use another value.',
  },
  'source.fan_out': {
    category: 'limit',
    errorType: 'LimitException',
    message: '{table} would need {requests} requests for the values of {columns}; at most {max} are allowed.',
    hint: 'Use fewer values.',
  },
  'source.page_limit': {
    category: 'limit',
    errorType: 'LimitException',
    message: '{table} has more than {max} pages of rows for this query.',
    hint: '{hint}',
  },
  'source.row_limit': {
    category: 'limit',
    errorType: 'LimitException',
    message: '{table} has more than {max} rows for this query.',
    hint: '{hint}',
  },
  'source.timeout': {
    category: 'timeout',
    errorType: 'TimeoutException',
    message: 'Reading {table} took longer than {timeoutMs} ms.',
    hint: '{hint}',
  },
  'source.page_loop': {
    category: 'external',
    errorType: 'SourceException',
    message: '{subject}: the next page was asked for before; the pages go round in a circle.',
    hint: 'The source pages wrongly, or pagination in the workspace file does not fit it.',
  },
  'source.next_page': {
    category: 'external',
    errorType: 'SourceException',
    message: '{subject}: the link to the next page is not an address.',
    hint: 'The source pages wrongly; nothing was kept, because it would be a part only.',
  },
  'source.cursor_missing': {
    category: 'external',
    errorType: 'SourceException',
    message:
      '{subject}: the answer says by {evidence} that there may be more rows, but {expected} was in no answer so far.',
    hint: 'Nothing was kept, because it would be a part only. Set pagination of the table to how the API pages; type: none takes one page as all.',
  },
  'source.uneven_pages': {
    category: 'external',
    errorType: 'SourceException',
    message: '{table}: page {page} is empty, but a later one has rows.',
    hint: 'The rows may have changed meanwhile: try again. Otherwise pagination in the workspace file does not fit the API.',
  },
  'source.rows_missing': {
    category: 'external',
    errorType: 'SourceException',
    message: '{table} says that there are {total} rows, but gave {rows}.',
    hint: 'Nothing was kept, because it would be a part only. Narrow the query: some APIs page through a first part only.',
  },
  'source.bad_request': {
    category: 'external',
    errorType: 'SourceException',
    message: '{subject}: the source refused the request with status {status}.{detail}',
    hint: 'Check the values of {parameters}.',
  },
  'source.unauthorized': {
    category: 'external',
    errorType: 'SourceException',
    message: '{subject}: status {status}, not authenticated.{detail}',
    hint: 'Check token or auth of the source in the workspace file; the credentials may be missing or expired.',
  },
  'source.token_refused': {
    category: 'external',
    errorType: 'SourceException',
    message: '{subject}: the token endpoint gave no token (status {status}).{detail}',
    hint: 'Check token_url, client_id, client_secret and scope in auth of the source; nothing was asked without a token.',
  },
  'source.forbidden': {
    category: 'external',
    errorType: 'SourceException',
    message: '{subject}: status {status}, access denied.{detail}',
    hint: 'The credentials of the source do not allow this, or the values of {parameters} name something they may not see.',
  },
  'source.not_found': {
    category: 'external',
    errorType: 'SourceException',
    message: '{subject}: status {status}, not found.{detail}',
    hint: 'Check the values of {parameters}. allow_404_empty: true in the response of the table makes this an empty result.',
  },
  'source.rate_limited': {
    category: 'external',
    errorType: 'SourceException',
    message: '{subject}: status {status}, too many requests{wait}.{detail}',
    hint: 'Wait, then try again with a query that needs fewer requests.',
  },
  'source.quota_used_up': {
    category: 'external',
    errorType: 'SourceException',
    message: '{subject}: the source takes requests again in {seconds} s; its quota is used up.',
    hint: 'Wait, then try again with a query that needs fewer requests.',
  },
  'source.server_error': {
    category: 'external',
    errorType: 'SourceException',
    message: '{subject}: the source failed with status {status}.{detail}',
    hint: 'The fault is on the side of the source. Try again later.',
  },
  'source.unexpected_status': {
    category: 'external',
    errorType: 'SourceException',
    message: '{subject}: status {status} is not an answer with all rows.{detail}',
    hint: 'Status 202 and 206 stand for an answer that is not whole. Try again later, or check endpoint.',
  },
  'source.not_json': {
    category: 'external',
    errorType: 'SourceException',
    message: '{subject}: the answer is {contentType}, not JSON.',
    hint: 'Check base_url and endpoint; a login page or a proxy may have answered.',
  },
  'source.invalid_json': {
    category: 'external',
    errorType: 'SourceException',
    message: '{subject}: the answer is not valid JSON ({reason}).',
    hint: 'Nothing of the answer was used. Try again, or report it to the source.',
  },
  'source.error_answer': {
    category: 'external',
    errorType: 'SourceException',
    message: '{subject}: status {status} with an error inside.{detail}',
    hint: 'Check the values of {parameters}.',
  },
  'source.unexpected_shape': {
    category: 'external',
    errorType: 'SourceException',
    message: '{subject}: the answer has no rows at {path} ({reason}).',
    hint: 'Set response.path of the table to where the rows are.{keys}',
  },
  'source.unknown_shape': {
    category: 'external',
    errorType: 'SourceException',
    message: '{subject}: the answer has no rows to learn the columns of {table} from.',
    hint: 'Use other parameter values, or write response.schema in the workspace file.',
  },
})
