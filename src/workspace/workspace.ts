import type { Caller, Surface } from '../model/caller.js'
import type { Table, TableSummary } from '../model/table.js'

/** A running workspace: the one thing that the surfaces and embedders call. */
export interface Workspace {
  readonly name: string
  /** Short texts for `instructions` and prompts. */
  readonly description: string | undefined
  query(request: QueryRequest, context: CallContext): Promise<QueryResult>
  explain(request: { readonly sql: string; readonly params?: QueryParams }, context: CallContext): Promise<Explanation>
  /** Ranked text search over names, columns and descriptions; without words, all tables by name. */
  tables(request: TableSearch, context: CallContext): Promise<TablePage>
  describe(request: { readonly table: string }, context: CallContext): Promise<Table>
  fetchResult(request: FetchResultRequest, context: CallContext): Promise<ResultPage>
  /** true when a running query of this caller was told to stop. */
  cancel(queryId: string, context: CallContext): boolean
  /** Reports and probes; never throws for a source that fails. */
  check(signal: AbortSignal): Promise<CheckReport>
  /** Called after the catalog changed. Answers a function that stops it. */
  onChanged(listener: () => void): () => void
  /** Ends running queries, closes sources and the engine. */
  close(): Promise<void>
}

/** Who calls, through which door, and how to stop it. */
export interface CallContext {
  readonly caller: Caller
  readonly surface: Surface
  /** A session's id where the door has sessions; the scratch space of a session needs no handle. */
  readonly session?: string
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: Progress) => void
}

/** Counts and visible table names only. */
export interface Progress {
  readonly message: string
  readonly requests: number
  readonly rows: number
}

/** An object for `$name`, an array for `?` and `$1`. */
export type QueryParams = Readonly<Record<string, unknown>> | readonly unknown[]

export interface QueryRequest {
  readonly sql: string
  readonly params?: QueryParams
  /** May lower the workspace's cap, never raise it. */
  readonly maxRows?: number
  readonly timeoutMs?: number
  readonly maxChars?: number
  /** Keeps the whole result as `scratch.<saveAs>`. */
  readonly saveAs?: string
  /** Handle of the scratch space, from an earlier answer. */
  readonly scratch?: string
  /** Keep the result, and answer its handle, also when the answer shows all of it. */
  readonly keep?: boolean
}

/** The answer of `query`; keys in the contract's order. `rows` holds JSON values. */
export interface QueryResult {
  readonly success: true
  readonly truncated?: true
  readonly partial?: true
  readonly warning?: string
  readonly columns: readonly string[]
  readonly columnTypes: readonly string[]
  readonly rows: readonly (readonly unknown[])[]
  readonly rowCount: number
  readonly totalRows?: number
  /** Handle for `fetchResult`, of a capped result. */
  readonly result?: string
  /** Handle of the scratch space that `saveAs` wrote to. */
  readonly scratch?: string
  readonly queryId: string
  readonly elapsedMs: number
  readonly sources: readonly SourceUse[]
}

export interface SourceUse {
  readonly table: string
  readonly requests: number
  readonly rows: number
  readonly bytes: number
  readonly cache: 'none' | 'hit' | 'miss'
}

/** The JSON of a failed call. */
export interface ErrorAnswer {
  readonly success: false
  readonly error: string
  readonly errorType: string
  readonly code: string
  readonly hint?: string
  readonly position?: number
  readonly queryId?: string
}

export interface Explanation {
  readonly success: true
  readonly statement: string
  readonly columns: readonly string[]
  readonly columnTypes: readonly string[]
  readonly scans: readonly ExplainedScan[]
  readonly requests: { readonly estimate: number; readonly max: number }
  /** Why the query would be refused, if it would. */
  readonly refusal?: ErrorAnswer
  readonly notes: readonly string[]
}

export interface ExplainedScan {
  readonly table: string
  readonly access: 'inPlace' | 'remote'
  readonly columns: readonly string[]
  readonly pushed: readonly string[]
  readonly residual: readonly string[]
  readonly limit?: number
  readonly requests: { readonly estimate: number; readonly max: number }
  readonly preview: readonly string[]
  readonly notes: readonly string[]
}

export interface TableSearch {
  readonly query?: string
  readonly source?: string
  readonly detail?: 'names' | 'summary' | 'full'
  readonly limit?: number
  readonly cursor?: string
}

export interface TablePage {
  readonly tables: readonly (TableSummary | Table)[]
  readonly total: number
  readonly nextCursor?: string
  /** Sources that could not list their tables, with the reason. */
  readonly unavailable: readonly { readonly source: string; readonly error: string }[]
}

export interface FetchResultRequest {
  readonly result: string
  readonly offset?: number
  readonly limit?: number
  readonly format?: 'json' | 'csv' | 'parquet'
}

export interface ResultPage {
  readonly columns: readonly string[]
  readonly columnTypes: readonly string[]
  readonly rows: readonly (readonly unknown[])[]
  readonly offset: number
  readonly rowCount: number
  /** Rows that were kept. */
  readonly totalRows: number
  /** false: the query was stopped at the workspace's limit, and its full result has more rows than were kept. */
  readonly complete: boolean
  /** With a file format: where the file lies and its size. Absent otherwise. */
  readonly file?: { readonly path: string; readonly bytes: number; readonly mimeType: string }
}

export interface CheckReport {
  readonly ok: boolean
  readonly findings: readonly CheckFinding[]
}

export interface CheckFinding {
  readonly severity: 'error' | 'warning' | 'ok'
  /** A source, a table, or an example of one. */
  readonly subject: string
  readonly message: string
  readonly hint?: string
  /** Of an error: its code in the catalogue. */
  readonly code?: string
  /** true: the statement of an example. */
  readonly example?: true
}
