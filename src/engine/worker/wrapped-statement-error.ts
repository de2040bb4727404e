/** An error of a statement that stands inside a longer one, so that DuckDB's position counts from further left. */
export class WrappedStatementError extends Error {
  override readonly name = 'WrappedStatementError'

  constructor(
    override readonly cause: unknown,
    /** Bytes before the statement. */
    readonly shiftBytes: number,
  ) {
    super('a statement inside another failed')
  }
}

/** Runs `prefix`, the statement and `suffix` as one. */
export async function runWrapped<T>(
  parts: { readonly prefix: string; readonly sql: string; readonly suffix: string },
  run: (sql: string) => Promise<T>,
): Promise<T> {
  try {
    return await run(parts.prefix + parts.sql + parts.suffix)
  } catch (error) {
    throw new WrappedStatementError(error, Buffer.byteLength(parts.prefix))
  }
}
