import { define } from './entry.js'

/** The MCP and HTTP doors. */
export const serverErrors = define({
  'server.busy': {
    category: 'limit',
    errorType: 'LimitException',
    message: 'Too many queries are waiting.',
    hint: 'Try again in {retryAfterMs} ms.',
  },
  'server.invalid_arguments': {
    category: 'user',
    errorType: 'InvalidInputException',
    message: '{subject} cannot take these arguments: {problem}.',
    hint: '{subject} takes {valid}.',
  },
  'server.answer_too_large': {
    category: 'limit',
    errorType: 'LimitException',
    message: '{thing} has {bytes} bytes; one message carries at most {max}.',
    hint: 'Read it in pages with fetch_result {offset, limit}, or narrow the query.',
  },
  'server.token_required': {
    category: 'user',
    errorType: 'ConfigException',
    message: 'Serving on {host} would let every machine that reaches it run queries.',
    hint: 'Name at least one token under server.tokens in the workspace file, or listen on 127.0.0.1.',
  },
  'server.listen_failed': {
    category: 'external',
    errorType: 'IOException',
    message: 'Cannot listen on {host}:{port}: {reason}.',
    hint: 'Choose another port with --http [host:]port.',
  },
  'server.unauthorized': {
    category: 'policy',
    errorType: 'PermissionException',
    message: 'This server needs a bearer token.',
    hint: 'Send Authorization: Bearer <token> with a token of the workspace.',
  },
  'server.host_not_allowed': {
    category: 'policy',
    errorType: 'PermissionException',
    message: 'The Host header does not name this server.',
    hint: 'Use the name or address that the server listens on, or list the name under server.allowed_hosts in the workspace file.',
  },
  'server.origin_not_allowed': {
    category: 'policy',
    errorType: 'PermissionException',
    message: 'Requests of this web origin are not allowed.',
    hint: 'List the origin under server.allowed_origins in the workspace file.',
  },
  'server.no_such_path': {
    category: 'user',
    errorType: 'InvalidInputException',
    message: 'There is nothing at this path.',
    hint: 'The paths are {paths}.',
  },
  'server.method_not_allowed': {
    category: 'user',
    errorType: 'InvalidInputException',
    message: '{method} is not possible here.',
    hint: 'Use {allowed}.',
  },
  'server.body_too_large': {
    category: 'limit',
    errorType: 'LimitException',
    message: 'The request body is larger than {max} bytes.',
    hint: 'Send less: join a table instead of listing values in the SQL.',
  },
  'server.content_type': {
    category: 'user',
    errorType: 'InvalidInputException',
    message: 'The request body is not application/json.',
    hint: 'Send a JSON object with Content-Type: application/json.',
  },
  'server.invalid_json': {
    category: 'user',
    errorType: 'InvalidInputException',
    message: 'The request body is not valid JSON.',
    hint: 'Send one JSON object.',
  },
})
