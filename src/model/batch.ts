import type { Constant } from './constant.js'

/**
 * Where a column's value lies in a raw JSON row: keys from the row down; an empty path is the whole row. A value that
 * does not fit `type` must be an error: DuckDB's `from_json` makes it NULL, rounds `1.5` for an integer, and drops the
 * offset of `2024-01-15T10:00:00+02:00` for a TIMESTAMP (which is 08:00 in UTC).
 */
export interface JsonColumn {
  readonly name: string
  readonly type: string
  readonly path: readonly (string | number)[]
  /**
   * Instead of `path`, which is then empty: one SQL expression over `row`, the raw row as JSON. It may call what a
   * caller's statement may; no subquery, aggregate or window function.
   */
  readonly sql?: string
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
   * Values for columns that a row does not carry: a parameter's value asked with. A row that carries the column as null
   * has NULL: an API that ignores a parameter answers such rows. Column name to constant. A column that the shape does not list takes its constant alone.
   */
  readonly constants?: Readonly<Record<string, Constant>>
  /**
   * Only rows in which each of these columns equals its constant (after `constants` are filled in) belong to the batch;
   * all others must be dropped. One scan asks once per value of IN or per key: an API that matches loosely would
   * otherwise give a row twice. Column name to constant.
   */
  readonly match?: Readonly<Record<string, Constant>>
  /** The same for columns that were asked for with several values at once: column name to the values that belong. */
  readonly matchAny?: Readonly<Record<string, readonly Constant[]>>
}

export type Batch = JsonBatch
