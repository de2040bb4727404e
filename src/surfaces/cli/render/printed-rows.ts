/** Columns and rows of an answer, as any format prints them. */
export interface Rows {
  readonly columns: readonly string[]
  readonly columnTypes: readonly string[]
  readonly rows: readonly (readonly unknown[])[]
}
