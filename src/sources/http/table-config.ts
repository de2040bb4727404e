import { z } from 'zod'
import { safety } from '../../config/safety.js'
import { tableCommon } from '../../config/source-common.js'
import { headers } from './header-config.js'
import { notYet } from './not-yet.js'
import { pagination } from './pagination-config.js'
import { param } from './param-config.js'
import { body, conditionalRequest, method } from './request-config.js'
import { response } from './response-config.js'

export const httpSafety = safety.refine(({ requiredPredicates }) => requiredPredicates.length === 0, {
  path: ['required_predicates'],
  error: 'this key is not supported yet',
})

/** One entry of `tables:`, without what shows only between its keys. */
export const tableEntry = z.strictObject({
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
  key: z
    .array(z.string().min(1))
    .min(1)
    .optional()
    .describe('Columns that tell rows apart: a row whose key came on an earlier page is dropped.'),
})

export type HttpTableConfig = z.output<typeof tableEntry>
export type HttpParamConfig = z.output<typeof param>
