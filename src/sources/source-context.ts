/** What a source may use of its surroundings. */
export interface SourceContext {
  /** Folder that relative paths count from: the folder of the file that declares the source. */
  readonly baseDir: string
  /** A private folder (0700) of this source for what it must remember, such as learned columns. */
  readonly stateDir: string
  /** Asks DuckDB about files; see `Introspection`. */
  readonly introspection: Introspection
  /** Limits of the workspace. */
  readonly limits: SourceLimits
  /** Called when the source learned that its tables or columns changed. */
  readonly onChanged: () => void
  /** Opened with `--read-write`: only a `duckdb` source obeys it. */
  readonly readWrite: boolean
}

export interface SourceLimits {
  /** Largest body of one answer, in bytes. */
  readonly maxBodyBytes: number
  /** Pages of one scan. */
  readonly maxPages: number
  readonly maxRequests: number
  /** Time for one request, from connecting to the end of the body. */
  readonly requestTimeoutMs: number
  /** Requests of one source in flight at once. */
  readonly concurrency: number
}

/**
 * Runs fixed statements of a source's own making (never a user's SQL) on a DuckDB instance that can open nothing but
 * `files` and the attached databases.
 */
export interface Introspection {
  /** Rows as arrays of JSON values, as the answer's encoder writes them. */
  query(options: IntrospectionQuery): Promise<readonly (readonly unknown[])[]>
}

export interface IntrospectionQuery {
  readonly sql: string
  readonly files: readonly string[]
  readonly attach?: readonly { readonly alias: string; readonly path: string; readonly readOnly: boolean }[]
  readonly signal?: AbortSignal
}
