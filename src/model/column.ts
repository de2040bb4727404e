/** How a condition on a column may be applied. */
export type ColumnFiltering =
  /** A query must give it: `=` or IN with constants, or an equality with a column of another table. */
  | { readonly kind: 'required'; readonly operators: readonly FilterOperator[] }
  /** The source applies these operators itself; all others are applied by Querent. */
  | { readonly kind: 'pushed'; readonly operators: readonly FilterOperator[] }
  /** Applied by Querent after the rows have come. */
  | { readonly kind: 'local' }

export type FilterOperator =
  '=' | '<>' | '<' | '<=' | '>' | '>=' | 'in' | 'not in' | 'is null' | 'is not null' | 'prefix'

/** A column as callers see it. `type` is DuckDB's type name, such as `BIGINT` or `STRUCT(a INTEGER, b VARCHAR)`. */
export interface Column {
  readonly name: string
  readonly type: string
  readonly description?: string
  readonly filtering: ColumnFiltering
  /** A default that the source applies while the query puts no condition on the column. */
  readonly defaultValue?: string
  /** A parameter's value that asks for all rows; no row carries it. See `ScanRequest.forced`. */
  readonly anyValue?: string
}
