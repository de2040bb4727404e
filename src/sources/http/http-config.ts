import { z } from 'zod'
import { safety } from '../../config/safety.js'
import { secretString } from '../../config/secret-string.js'
import { sourceCommon, tableCommon } from '../../config/source-common.js'
import { parseAllowedHost } from '../../net/host-policy.js'
import { toDuckdbType, typeNames } from './data-type.js'
import { parseJsonPath, parseRowsPath } from './json-path.js'
import { checkSource } from './check-source.js'
import { checkTable } from './check-table.js'
import { notYet } from './not-yet.js'
import { pagination } from './pagination-config.js'

const typeName = z.string().refine((name) => toDuckdbType(name) !== undefined, {
  error: `expected a type: ${typeNames.join(', ')} or decimal(width,scale)`,
})

const scalar = z.union([z.string(), z.number(), z.boolean()], { error: 'expected a text, a number, true or false' })

const reservedHeaders: ReadonlySet<string> = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'accept-encoding',
  'keep-alive',
  'te',
  'trailer',
  'upgrade',
  'expect',
  'proxy-authorization',
])

/** A value that goes into a header as it is. */
const headerValue = secretString.refine((secret) => !/[^\t\x20-\x7e\x80-\xff]/.test(secret.reveal()), {
  error: 'a header cannot carry line breaks, control characters or characters beyond Latin-1',
})

const headers = z.record(z.string(), headerValue).superRefine((given, context) => {
  for (const name of Object.keys(given)) {
    const isName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(name)
    if (!isName) context.addIssue({ code: 'custom', path: [name], message: 'expected the name of a header' })
    if (reservedHeaders.has(name.toLowerCase())) {
      context.addIssue({ code: 'custom', path: [name], message: 'this header is set by Querent itself' })
    }
  }
})

const httpSafety = safety.refine(({ requiredPredicates }) => requiredPredicates.length === 0, {
  path: ['required_predicates'],
  error: 'this key is not supported yet',
})

const param = z.strictObject({
  name: z.string().min(1).max(128).describe('Column of the table, and name in the request.'),
  description: z.string().optional(),
  type: typeName.optional(),
  required: z.boolean().optional().describe('A query must give it with = or IN.'),
  default: scalar.optional().describe('Sent while a query puts no condition on the column.'),
  any: scalar.optional().describe('Value that asks for all rows; sent when a condition is not = or IN.'),
  filterable: z.boolean().optional().describe('false: conditions are not sent; the default is always asked with.'),
  exact: z.boolean().optional().describe('The API applies the value exactly as SQL compares; allows LIMIT to be sent.'),
  in: z.enum(['path', 'query', 'header']).optional(),
  accepts: notYet,
  emit: notYet,
  explode: notYet,
  derive: notYet,
})

const column = z.strictObject({
  name: z.string().min(1).max(128),
  type: typeName,
  description: z.string().optional(),
  source: z
    .string()
    .refine((text) => text === 'param' || parseJsonPath(text) !== undefined, {
      error: 'expected a path such as $.user.login, $ for the whole row, or param',
    })
    .optional()
    .describe('Where the value lies in the row; the key of the same name by default.'),
  expr: notYet,
})

const response = z.strictObject({
  path: z
    .string()
    .refine((text) => parseRowsPath(text) !== undefined, { error: 'expected a path such as $ or $.data.items' })
    .default('$'),
  schema: z.array(column).min(1).optional().describe('Columns; learned from a first answer when left out.'),
  allow_404_empty: z.boolean().default(false),
  reshape: notYet,
  error: notYet,
})

const table = z
  .strictObject({
    ...tableCommon,
    endpoint: z.string().describe('Path below base_url, with {param} where a parameter stands.'),
    method: z.enum(['GET'], { error: 'expected GET; other methods are not supported yet' }).default('GET'),
    headers: headers.optional(),
    params: z.array(param).default([]),
    response: response.prefault({}),
    pagination: pagination.default({ type: 'link_header' }),
    safety: httpSafety.optional(),
    body: notYet,
    requests: notYet,
    cache: notYet,
    key: notYet,
  })
  .superRefine(checkTable)

const baseUrl = z.string().superRefine((text, context) => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const fault =
    url === undefined || !['http:', 'https:'].includes(url.protocol)
      ? 'expected an address that begins with https:// or http://'
      : url.username !== '' || url.password !== ''
        ? 'credentials do not belong into the address: use token or headers'
        : url.search !== '' || url.hash !== ''
          ? 'the address must end before ? and #'
          : undefined
  if (fault !== undefined) context.addIssue({ code: 'custom', message: fault })
})

const config = z
  .strictObject({
    base_url: baseUrl,
    token: headerValue.optional().describe('Sent as a bearer token.'),
    headers: headers.optional(),
    retry: z
      .strictObject({
        max_retries: z.int().min(0).max(10).optional(),
        base_backoff_ms: z.int().min(1).max(60_000).optional(),
        max_backoff_ms: z.int().min(1).max(300_000).optional(),
      })
      .optional(),
    allowed_hosts: z
      .array(
        z.string().refine((text) => parseAllowedHost(text) !== undefined, {
          error: 'expected a host such as api.example.com, api.example.com:8443 or *.example.com',
        }),
      )
      .optional(),
    concurrency: z.int().min(1).max(64).optional().describe('Requests in flight at once; may lower the limit only.'),
    auth: notYet,
    rate_limit: notYet,
    type: notYet,
    openapi: notYet,
  })
  .superRefine(({ token, headers: given = {} }, context) => {
    if (token !== undefined && Object.keys(given).some((name) => name.toLowerCase() === 'authorization')) {
      context.addIssue({
        code: 'custom',
        path: ['token'],
        message: 'token and the header authorization exclude each other',
      })
    }
  })

/** One entry of `sources:` of kind `http`. */
export const httpConfig = z
  .strictObject({
    ...sourceCommon,
    kind: z.literal('http'),
    config,
    tables: z.array(table).min(1),
    safety: httpSafety.optional(),
    cache: notYet,
    variables: notYet,
    functions: notYet,
    raw_table: notYet,
  })
  .superRefine(checkSource)

export type HttpConfig = z.output<typeof httpConfig>
export type HttpTableConfig = z.output<typeof table>
export type HttpParamConfig = z.output<typeof param>
