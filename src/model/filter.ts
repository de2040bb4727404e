import type { Constant } from './constant.js'

export type ComparisonOperator = '=' | '<>' | '<' | '<=' | '>' | '>='

/** A condition on columns of one table, as DuckDB's optimizer left it. Columns are named as the table names them. */
export type Filter =
  | {
      readonly kind: 'compare'
      readonly column: string
      readonly operator: ComparisonOperator
      readonly value: Constant
    }
  | { readonly kind: 'in'; readonly column: string; readonly negated: boolean; readonly values: readonly Constant[] }
  | { readonly kind: 'null'; readonly column: string; readonly negated: boolean }
  | { readonly kind: 'like'; readonly column: string; readonly pattern: string }
  /** Byte-wise prefix: `column >= prefix AND column < successor(prefix)`. */
  | { readonly kind: 'prefix'; readonly column: string; readonly prefix: string }
  | { readonly kind: 'or'; readonly filters: readonly Filter[] }
  | { readonly kind: 'and'; readonly filters: readonly Filter[] }
