import type { Constant } from './constant.js'

/** Where a column's value lies in a raw JSON row: keys from the row down; an empty path is the whole row. */
export interface JsonColumn {
  readonly name: string
  readonly type: string
  readonly path: readonly (string | number)[]
}

/** How raw JSON texts become rows. */
export interface JsonShape {
  /** Keys from the text's root to the rows: an array of rows, or one object that is one row. Empty: the root. */
  readonly rowsPath: readonly string[]
  readonly columns: readonly JsonColumn[]
}

/** Rows as a source hands them over. JSON texts are parsed by DuckDB, never by the caller. */
export interface JsonBatch {
  readonly kind: 'json'
  /** Complete JSON documents, each of the scan's shape. */
  readonly texts: readonly string[]
  /**
   * Values for columns that the answer does not carry, or carries as NULL: a parameter's value asked with.
   * Column name to constant.
   */
  readonly constants?: Readonly<Record<string, Constant>>
}

export type Batch = JsonBatch
