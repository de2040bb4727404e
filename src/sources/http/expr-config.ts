import { z } from 'zod'
import { parseJsonPath } from './json-path.js'

/** How a column's value is made of a row, in parts. `sql` says the same shorter. */
export type Expr =
  | { readonly kind: 'path'; readonly path: string }
  | { readonly kind: 'current_row' | 'null' }
  | { readonly kind: 'literal'; readonly value: string | number | boolean }
  | { readonly kind: 'coalesce' | 'first_of'; readonly exprs: readonly Expr[] }
  | { readonly kind: 'join'; readonly exprs: readonly Expr[]; readonly separator: string }
  | { readonly kind: 'map_join'; readonly path: string; readonly item: string; readonly separator: string }
  | { readonly kind: 'replace'; readonly expr: Expr; readonly from: string; readonly to: string }
  | {
      readonly kind: 'lookup'
      readonly expr: Expr
      readonly map: Readonly<Record<string, string>>
      readonly default?: string | undefined
    }
  | {
      readonly kind: 'to_timestamp'
      readonly expr: Expr
      readonly unit: 's' | 'ms' | 'us'
      readonly format?: string | undefined
    }
  | { readonly kind: 'from_base64'; readonly expr: Expr }
  | { readonly kind: 'if_present'; readonly path: string; readonly then: Expr; readonly else?: Expr | undefined }

const path = z
  .string()
  .refine((text) => parseJsonPath(text) !== undefined, {
    error: 'expected a path such as $.user.login, or $ for the whole row',
  })
  .describe('Where the value lies in the row.')

const kinds =
  'expected kind: path, literal, null, current_row, coalesce, first_of, join, map_join, replace, lookup, to_timestamp, ' +
  'from_base64 or if_present; what else there is, sql of the column says'

/** Not a reference to itself: the JSON Schema of a kind stands inside of the workspace's and can point nowhere. */
const one: z.ZodType<Expr> = z.unknown().transform((value, context) => {
  const result = expr.safeParse(value)
  if (result.success) return result.data
  for (const { path: at, message } of result.error.issues) {
    context.addIssue({ code: 'custom', path: [...at], message })
  }
  return z.NEVER
})
const part = one.describe('What the value is made of.')
const many = z.array(one).min(1).describe('The values it is made of, in order.')
const separator = z.string().describe('Between the values.')

export const expr: z.ZodType<Expr> = z.discriminatedUnion(
  'kind',
  [
    z.strictObject({ kind: z.literal('path'), path }),
    z.strictObject({ kind: z.literal('current_row') }),
    z.strictObject({ kind: z.literal('null') }),
    z.strictObject({
      kind: z.literal('literal'),
      value: z.union([z.string(), z.number(), z.boolean()]).describe('The value itself.'),
    }),
    z.strictObject({ kind: z.literal('coalesce'), exprs: many }),
    z.strictObject({ kind: z.literal('first_of'), exprs: many }),
    z.strictObject({ kind: z.literal('join'), exprs: many, separator: separator.default('') }),
    z.strictObject({
      kind: z.literal('map_join'),
      path,
      item: path.describe('Where the value lies in an item.').default('$'),
      separator: separator.default(','),
    }),
    z.strictObject({
      kind: z.literal('replace'),
      expr: part,
      from: z.string().min(1).describe('Text that is replaced.'),
      to: z.string().describe('What stands there instead.'),
    }),
    z.strictObject({
      kind: z.literal('lookup'),
      expr: part,
      map: z
        .record(z.string(), z.string())
        .describe('Value by value.')
        .refine((map) => Object.keys(map).length > 0, { error: 'it has no entry' }),
      default: z.string().optional().describe('For a value that map does not have; NULL without it.'),
    }),
    z.strictObject({
      kind: z.literal('to_timestamp'),
      expr: part,
      unit: z.enum(['s', 'ms', 'us']).default('s').describe('What the number counts since 1970.'),
      format: z.string().min(1).optional().describe('Of a text, as strptime reads it, such as %Y/%m/%d.'),
    }),
    z.strictObject({ kind: z.literal('from_base64'), expr: part }),
    z.strictObject({
      kind: z.literal('if_present'),
      path,
      then: one.describe('The value where there is something at path.'),
      else: one.optional().describe('The value where there is nothing; NULL without it.'),
    }),
  ],
  { error: kinds },
)
