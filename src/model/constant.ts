/**
 * A typed constant. `text` is what `CAST(value AS VARCHAR)` prints in DuckDB: `42`, `2024-01-15`,
 * `2024-01-15 14:30:00.123456`, `true`; undefined is NULL. Text keeps 64-bit integers, decimals and microseconds whole.
 */
export interface Constant {
  readonly type: string
  readonly text: string | undefined
}
