import { z } from 'zod'
import { parseJsonPath, parseRowsPath } from './json-path.js'

const bodyPath = z.string().refine((text) => parseRowsPath(text) !== undefined, {
  error: 'expected a path such as $.next or $.meta.cursor',
})

const rowPath = z.string().refine((text) => /^\w+$/.test(text) || parseJsonPath(text) !== undefined, {
  error: 'expected a key of the row, or a path such as $.meta.id',
})

const parameter = z.string().min(1)
const size = z.int().min(1).max(100_000)

const place = z.enum(['query', 'body']).default('query').describe('Where the parameters go.')

/** Rows per page, where the API lets them be chosen. */
const sizing = {
  size_param: parameter.optional().describe('Parameter for the size of a page.'),
  size: size.optional().describe('Rows per page; fewer are asked for where a LIMIT needs fewer.'),
}

/** Pages by number or by offset: asked for in parallel. */
const numbered = {
  param: parameter,
  ...sizing,
  in: place,
  total_path: bodyPath.optional().describe('Where the answer says how many rows there are in all.'),
}

const cursorPath = z.string().refine((text) => (parseJsonPath(text) ?? []).length > 0, {
  error: 'expected a path into the body, such as $.variables.after',
})

/** How the pages of an answer follow each other. */
export const pagination = z
  .discriminatedUnion(
    'type',
    [
      z.strictObject({ type: z.literal('link_header'), ...sizing, in: place }),
      z.strictObject({ type: z.literal('none') }),
      z.strictObject({ type: z.literal('page'), ...numbered, start: z.int().min(0).default(1) }),
      z.strictObject({ type: z.literal('offset'), ...numbered, start: z.int().min(0).default(0) }),
      z.strictObject({ type: z.literal('cursor'), next_path: bodyPath, param: parameter, ...sizing, in: place }),
      z.strictObject({
        type: z.literal('body_cursor'),
        cursor_path: cursorPath.describe('Where the cursor goes in the body.'),
        next_path: bodyPath,
        ...sizing,
        in: z.literal('body').default('body'),
      }),
      z.strictObject({ type: z.literal('next_url'), next_path: bodyPath, ...sizing, in: place }),
      z.strictObject({
        type: z.literal('row_cursor'),
        param: parameter,
        field: rowPath.default('id'),
        more_path: bodyPath.optional().describe('Where the answer says whether there are more rows.'),
        ...sizing,
        in: place,
      }),
    ],
    { error: 'expected link_header, page, offset, cursor, body_cursor, next_url, row_cursor or none' },
  )
  .refine((paging) => !('size_param' in paging) || paging.size_param === undefined || paging.size !== undefined, {
    path: ['size'],
    error: 'size_param needs a size to send',
  })

export type Pagination = z.output<typeof pagination>
export type NumberedPagination = Extract<Pagination, { readonly type: 'page' | 'offset' }>
export type SerialPagination = Exclude<Pagination, NumberedPagination>
