import { z } from 'zod'
import { safety } from '../../config/safety.js'
import { sourceCommon, tableCommon } from '../../config/source-common.js'
import { parseAllowedHost } from '../../net/host-policy.js'
import { auth } from './auth-config.js'
import { checkSource } from './check-source.js'
import { checkTable } from './check-table.js'
import { headers, headerValue } from './header-config.js'
import { notYet } from './not-yet.js'
import { pagination } from './pagination-config.js'
import { param } from './param-config.js'
import { rateLimit, retry } from './pace-config.js'
import { body, conditionalRequest, method } from './request-config.js'
import { response } from './response-config.js'

const httpSafety = safety.refine(({ requiredPredicates }) => requiredPredicates.length === 0, {
  path: ['required_predicates'],
  error: 'this key is not supported yet',
})

const table = z
  .strictObject({
    ...tableCommon,
    endpoint: z.string().optional().describe('Path below base_url, with {param} where a parameter stands.'),
    method: method.default('GET'),
    body: body.optional().describe('Of a POST.'),
    idempotent: z.boolean().optional().describe('The request may be sent again after a failure; GET always may.'),
    requests: z
      .array(conditionalRequest)
      .min(1)
      .optional()
      .describe('Other requests: the first whose when_filters are all given replaces endpoint, method and body.'),
    headers: headers.optional(),
    params: z.array(param).default([]),
    response: response.prefault({}),
    pagination: pagination.prefault({ type: 'link_header' }),
    safety: httpSafety.optional(),
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
        ? 'credentials do not belong into the address: use token, auth or headers'
        : url.search !== '' || url.hash !== ''
          ? 'the address must end before ? and #'
          : undefined
  if (fault !== undefined) context.addIssue({ code: 'custom', message: fault })
})

const config = z.strictObject({
  base_url: baseUrl,
  token: headerValue.optional().describe('Sent as a bearer token.'),
  auth: auth.optional(),
  headers: headers.optional(),
  retry: retry.optional(),
  rate_limit: rateLimit.optional(),
  allowed_hosts: z
    .array(
      z.string().refine((text) => parseAllowedHost(text) !== undefined, {
        error: 'expected a host such as api.example.com, api.example.com:8443 or *.example.com',
      }),
    )
    .optional(),
  concurrency: z.int().min(1).max(64).optional().describe('Requests in flight at once; may lower the limit only.'),
  type: notYet,
  openapi: notYet,
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
