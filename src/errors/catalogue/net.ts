import { define } from './entry.js'

/** The network and what came over it. `{subject}` is the source or table and the number of the request. */
export const netErrors = define({
  'net.blocked_address': {
    category: 'policy',
    errorType: 'PermissionException',
    message: '{subject}: {host} is not a public address and is not named by the workspace.',
    hint: 'Add the host to allowed_hosts of the source if it may be reached.',
  },
  'net.host_refused': {
    category: 'policy',
    errorType: 'PermissionException',
    message: '{subject}: the answer led to {host}, which the workspace does not name.',
    hint: 'Add the host to allowed_hosts of the source if it may be reached.',
  },
  'net.too_many_redirects': {
    category: 'external',
    errorType: 'SourceException',
    message: '{subject}: more than {limit} redirects.',
    hint: 'Check base_url and endpoint: use the address that the redirects lead to.',
  },
  'net.redirect_invalid': {
    category: 'external',
    errorType: 'SourceException',
    message: '{subject}: status {status} with {reason}.',
    hint: 'Use the final address in base_url and endpoint; only GET requests follow redirects.',
  },
  'net.dns': {
    category: 'external',
    errorType: 'SourceException',
    message: '{subject}: the host name {host} cannot be resolved.',
    hint: 'Check base_url of the source and the network connection.',
  },
  'net.connect': {
    category: 'external',
    errorType: 'SourceException',
    message: '{subject}: no connection to {host} ({reason}).',
    hint: 'The source may be down: try again later, or check base_url.',
  },
  'net.tls': {
    category: 'external',
    errorType: 'SourceException',
    message: '{subject}: the TLS connection to {host} failed ({reason}).',
    hint: 'The certificate must be valid for this host. NODE_EXTRA_CA_CERTS adds a private authority.',
  },
  'net.timeout': {
    category: 'timeout',
    errorType: 'TimeoutException',
    message: '{subject}: no {phase} within {timeoutMs} ms.',
    hint: 'The source is slow: ask for less with a filter, or try again later.',
  },
  'net.connection_lost': {
    category: 'external',
    errorType: 'SourceException',
    message: '{subject}: the connection broke before the answer was whole ({reason}).',
    hint: 'Nothing of the answer was used. Try again.',
  },
  'net.body_too_large': {
    category: 'limit',
    errorType: 'LimitException',
    message: '{subject}: the answer is larger than {maxBytes} bytes.',
    hint: 'Ask for less per request with a filter or a smaller page.',
  },
  'net.bad_encoding': {
    category: 'external',
    errorType: 'SourceException',
    message: '{subject}: the answer cannot be decoded ({reason}).',
    hint: 'The source sent a damaged or unknown encoding; nothing of the answer was used.',
  },
  'net.protocol': {
    category: 'external',
    errorType: 'SourceException',
    message: '{subject}: the answer is not valid HTTP ({reason}).',
    hint: 'Check that base_url is the address of an HTTP API.',
  },
  'net.closed': {
    category: 'external',
    errorType: 'SourceException',
    message: '{subject}: the source was closed.',
    hint: 'The workspace changed or stopped meanwhile: run the query again.',
  },
})
