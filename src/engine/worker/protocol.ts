import type { JsonShape } from '../../model/batch.js'
import type { Constant } from '../../model/constant.js'
import type { AttachedDatabase } from '../../sources/source.js'

/**
 * The messages between Querent and its engine worker, the process that holds DuckDB. Trees and plans travel as the JSON
 * text that DuckDB printed. One call per message; answers may come in any order.
 */
export interface WorkerCalls {
  /** `json_serialize_sql` of the text. No name is resolved. Errors: sql.syntax, sql.empty, sql.multiple_statements, sql.statement_refused. */
  parse(request: { readonly sql: string }): { readonly tree: string }
  /** SQL text of a tree, for display. */
  deparse(request: { readonly tree: string }): { readonly sql: string }
  /** `json_serialize_plan` on the caller's planning instance over empty copies of the relations. */
  plan(request: PlanRequest): PlanAnswer
  /** Makes the query's catalog: a connection, attached databases, tables to fill and views over files. */
  open(request: OpenRequest): Record<never, never>
  /** Parses raw JSON into a relation that `open` made. */
  ingest(request: IngestRequest): { readonly rows: number }
  /** Distinct non-null values of columns of a filled relation, as texts. */
  distinct(request: DistinctRequest): { readonly keys: readonly (readonly string[])[] }
  /** Runs the tree (or, for a writing statement, the checked text). One per `open`. */
  execute(request: ExecuteRequest): ExecuteAnswer
  /** Stops whatever the query is doing; the pending call rejects with engine.interrupted. */
  interrupt(request: { readonly queryId: string }): Record<never, never>
  /** Drops the query's catalog and connection. Never fails. */
  close(request: { readonly queryId: string }): Record<never, never>
  /** Statements of a source's own making; see `Introspection`. */
  introspect(request: IntrospectRequest): { readonly rows: string }
  /** Rows of a kept result, from `offset`. */
  fetch(request: FetchRequest): FetchAnswer
  /** Writes a kept result to a file beside it. */
  exportResult(request: {
    readonly path: string
    readonly format: 'csv' | 'json' | 'parquet'
    readonly target: string
  }): {
    readonly bytes: number
  }
}

/** One relation of a query's catalog: one for each textual reference to a table. */
export interface Relation {
  /** Which of the query's catalogs: 0 is `<queryId>`, n is `<queryId>_<n>`, so that two references keep their names. */
  readonly catalog: number
  readonly schema: string
  readonly name: string
  readonly columns: readonly { readonly name: string; readonly type: string }[]
  /** A view's SELECT, for tables in place; absent: a table that `ingest` fills. */
  readonly view?: string
}

export interface PlanRequest {
  readonly queryId: string
  /** Planning instances are never shared between callers. */
  readonly callerKey: string
  readonly tree: string
  readonly relations: readonly Relation[]
  /** The query's one clock, `2026-01-31 12:00:00.000000+00`. */
  readonly clock: string
  /** false: the unoptimised plan, for lineage. */
  readonly optimize: boolean
}

export interface PlanAnswer {
  /** The plan's JSON; undefined where DuckDB cannot print it (then nothing may be pushed). */
  readonly plan: string | undefined
  /** 0: optimised; 1: without CTE inlining; 2: unoptimised. */
  readonly level: 0 | 1 | 2
}

export interface OpenRequest {
  readonly queryId: string
  readonly callerKey: string
  /** Folder (0700) of this caller's kept results and scratch tables; the only folder its instance may touch. */
  readonly callerDir: string
  /** Real paths that the query's views open. */
  readonly files: readonly string[]
  readonly attach: readonly AttachedDatabase[]
  readonly relations: readonly Relation[]
  readonly clock: string
}

export interface IngestRequest {
  readonly queryId: string
  readonly catalog: number
  readonly schema: string
  readonly name: string
  readonly texts: readonly string[]
  readonly shape: JsonShape
  readonly constants?: Readonly<Record<string, Constant>>
}

export interface DistinctRequest {
  readonly queryId: string
  readonly catalog: number
  readonly schema: string
  readonly name: string
  readonly columns: readonly string[]
  readonly limit: number
}

export interface ExecuteRequest {
  readonly queryId: string
  /** The rewritten tree; exactly one of `tree` and `statement`. */
  readonly tree?: string
  /** A checked writing statement, run as it stands with `database` as its default catalog. */
  readonly statement?: { readonly sql: string; readonly database: string }
  readonly maxRows: number
  /** Characters of row JSON, escaped as inside a JSON string, to hand back at most. */
  readonly maxChars: number
  /** Where rows beyond the cap go: a DuckDB file that this call makes; absent: they are dropped. */
  readonly keep?: { readonly path: string; readonly maxRows: number; readonly maxBytes: number }
  /** The whole result becomes table `name` of this DuckDB file; the answer shows its first rows. */
  readonly saveAs?: {
    readonly path: string
    readonly name: string
    readonly maxRows: number
    readonly maxBytes: number
  }
}

export interface ExecuteAnswer {
  readonly columns: readonly string[]
  readonly columnTypes: readonly string[]
  /** One JSON array per row, as the answer's encoder writes it. */
  readonly rows: readonly string[]
  /** There are rows beyond those returned. */
  readonly truncated: boolean
  /** Known only when the whole result was read. */
  readonly totalRows?: number
  /** Cells that were shortened to fit. */
  readonly shortenedCells: number
  /** With `keep`, when truncated: what was kept. */
  readonly kept?: { readonly rows: number; readonly bytes: number; readonly complete: boolean }
}

export interface IntrospectRequest {
  readonly sql: string
  readonly files: readonly string[]
  readonly attach: readonly AttachedDatabase[]
  readonly timeoutMs: number
}

export interface FetchRequest {
  readonly path: string
  readonly offset: number
  readonly maxRows: number
  readonly maxChars: number
}

export interface FetchAnswer {
  readonly columns: readonly string[]
  readonly columnTypes: readonly string[]
  readonly rows: readonly string[]
  readonly totalRows: number
}

export type CallName = keyof WorkerCalls
export type CallRequest<Name extends CallName> = Parameters<WorkerCalls[Name]>[0]
export type CallAnswer<Name extends CallName> = ReturnType<WorkerCalls[Name]>

export interface CallMessage {
  readonly id: number
  readonly call: CallName
  readonly request: unknown
}

/** What the worker says. Errors cross as catalogue codes; DuckDB's stack traces and paths never do. */
export type WorkerMessage =
  | { readonly kind: 'answer'; readonly id: number; readonly answer: unknown }
  | { readonly kind: 'error'; readonly id: number; readonly error: WorkerError }
  | { readonly kind: 'beat'; readonly residentBytes: number }

export interface WorkerError {
  readonly code: string
  readonly params: Readonly<Record<string, string | number>>
  readonly position?: number
}
