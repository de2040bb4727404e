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
  open(request: OpenRequest): undefined
  /** Parses raw JSON into a relation that `open` made. */
  ingest(request: IngestRequest): { readonly rows: number }
  /** Distinct non-null values of columns of a filled relation, as texts. */
  distinct(request: DistinctRequest): { readonly keys: readonly (readonly string[])[] }
  /**
   * Runs the tree (or, for a writing statement, the checked text). One per `open`, which need not be answered yet where
   * nothing is to be ingested.
   */
  execute(request: ExecuteRequest): ExecuteAnswer
  /** Stops whatever the query is doing; the pending call rejects with engine.interrupted. */
  interrupt(request: { readonly queryId: string }): undefined
  /** Drops the query's catalog and connection. Never fails. */
  close(request: { readonly queryId: string }): undefined
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
  /** The rewritten tree; exactly one of `tree` and `statement`. */
  readonly tree?: string
  /** A checked writing statement, planned as it stands. */
  readonly statement?: StatementToPlan
  readonly relations: readonly Relation[]
  /** The query's one clock, `2026-01-31 12:00:00.000000+00`. */
  readonly clock: string
  /** false: the unoptimised plan, for lineage. */
  readonly optimize: boolean
  /** The user's text, which error positions refer to; absent: errors of a tree carry no position. */
  readonly sql?: string
}

interface StatementToPlan {
  readonly sql: string
  /** The default catalog: the name that `execute` has the database attached under. */
  readonly database: string
  /** Tables of the database; `catalog` is not read. */
  readonly tables: readonly Relation[]
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
  /** Only rows that equal these constants (after `constants` are filled in) are kept; see `JsonBatch.match`. */
  readonly match?: Readonly<Record<string, Constant>>
  /** Only rows that equal one of each column's constants are kept; see `JsonBatch.matchAny`. */
  readonly matchAny?: Readonly<Record<string, readonly Constant[]>>
}

export interface DistinctRequest {
  readonly queryId: string
  /** Full catalog name: `<queryId>` or `<queryId>_<n>`. */
  readonly catalog: string
  readonly schema: string
  readonly name: string
  readonly columns: readonly string[]
  /** A condition over the relation's columns, of Querent's own making; `true` for all rows. */
  readonly where: string
  readonly limit: number
}

export interface ExecuteRequest {
  readonly queryId: string
  /** The rewritten tree; exactly one of `tree` and `statement`. */
  readonly tree?: string
  /**
   * A checked writing statement, run as it stands: unqualified names are looked up, and made, in `database` (a name that
   * `open` attached for writing) first, then in the query's first catalog, where `schema.table` names are found too.
   */
  readonly statement?: { readonly sql: string; readonly database: string }
  /** The user's text, which error positions refer to; absent: errors of a tree carry no position. */
  readonly sql?: string
  readonly maxRows: number
  /**
   * Characters of columns, their types and rows to hand back at most, as JSON that is escaped inside a JSON string, one
   * comma per row included. At least one row comes.
   */
  readonly maxChars: number
  /** Where rows beyond the cap go: a DuckDB file that this call makes; absent: they are dropped. */
  readonly keep?: {
    readonly path: string
    readonly maxRows: number
    readonly maxBytes: number
    /** Keep the result also when the answer shows all of it. */
    readonly always?: boolean
  }
  /**
   * The whole result becomes table `name` of this DuckDB file, in place of an older one; the answer shows its first
   * rows under the table's column names. A query that also reads the file has it attached for writing by `open`.
   */
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
  /** With `keep`, when truncated: why nothing was kept (a full disk, a type that no table can hold). The rows are right. */
  readonly keepError?: WorkerError
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
  /** Fewer than asked where they end, or where `maxChars` is reached; at least one where there is one. */
  readonly rows: readonly string[]
  readonly totalRows: number
  readonly shortenedCells: number
}

export type CallName = keyof WorkerCalls
export type CallRequest<Name extends CallName> = Parameters<WorkerCalls[Name]>[0]
export type CallAnswer<Name extends CallName> = ReturnType<WorkerCalls[Name]>

/** What the parent says. */
export type ParentMessage = CallMessage | { readonly kind: 'cancel'; readonly id: number } | { readonly kind: 'stop' }

interface CallMessage {
  readonly kind: 'call'
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
