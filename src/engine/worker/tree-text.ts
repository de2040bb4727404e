import type { DuckDBConnection } from '@duckdb/node-api'
import type { DuckDBFailure } from './duckdb-error.js'
import { characterOfByte, characterOfCodePoint, originalLocation } from './positions.js'

export interface Positioned {
  readonly tree?: string
  readonly statement?: { readonly sql: string }
  readonly sql?: string
}

/**
 * The character of the user's text that an error is about. DuckDB counts in the text that was printed of the tree, so
 * that text is parsed again and the node at this place looked up in the tree, whose locations are those of the user's.
 */
export async function errorPosition(
  connection: DuckDBConnection,
  request: Positioned,
  { type, position }: Pick<DuckDBFailure, 'type' | 'position'>,
): Promise<number | undefined> {
  if (position === undefined) return undefined
  if (request.statement !== undefined) {
    const count = type === 'parser' ? characterOfCodePoint : characterOfByte
    return count(request.statement.sql, position)
  }
  if (request.sql === undefined || request.tree === undefined) return undefined
  try {
    const reparse = 'SELECT CAST(json_serialize_sql(json_deserialize_sql(CAST($1 AS JSON))) AS VARCHAR)'
    const reader = await connection.runAndReadAll(reparse, [request.tree])
    const reparsed: unknown = JSON.parse(String(reader.getRows()[0]?.[0] ?? ''))
    const location = originalLocation(JSON.parse(request.tree), reparsed, position)
    return location === undefined ? undefined : characterOfByte(request.sql, location)
  } catch {
    return undefined
  }
}
