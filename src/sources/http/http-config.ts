import { z } from 'zod'
import { sourceCommon } from '../../config/source-common.js'
import { parseAllowedHost } from '../../net/host-policy.js'
import { auth } from './auth-config.js'
import { checkSource } from './check-source.js'
import { checkTable } from './check-table.js'
import { headers, headerValue } from './header-config.js'
import { notYet } from './not-yet.js'
import { rateLimit, retry } from './pace-config.js'
import { httpSafety, tableEntry } from './table-config.js'

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
    tables: z.array(tableEntry.superRefine(checkTable)).min(1),
    safety: httpSafety.optional(),
    cache: notYet,
    variables: notYet,
    functions: notYet,
    raw_table: notYet,
  })
  .superRefine(checkSource)

export type HttpConfig = z.output<typeof httpConfig>
