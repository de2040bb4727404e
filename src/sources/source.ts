import type { z } from 'zod'
import type { Batch, JsonShape } from '../model/batch.js'
import type { Caller } from '../model/caller.js'
import type { Filter } from '../model/filter.js'
import type { Table, TableName, TableSummary } from '../model/table.js'
import type { SourceContext } from './source-context.js'

/** A kind of source, such as `http`. Users choose it with `kind:` in the workspace file. */
export interface SourceKind<Config> {
  readonly kind: string
  /**
   * The schema of one entry of `sources:` of this kind, `name` and `kind` included. It gives the type, the validation,
   * the reference docs and the editor's completion.
   */
  readonly configSchema: z.ZodType<Config>
  /** Does not need the source to answer: a source that is down must not stop the workspace. */
  open(config: Config, context: SourceContext): Promise<Source>
}

/** An open source. Calls may run concurrently; none may start after `close`. */
export interface Source {
  readonly name: string
  /** Names and descriptions, cheap; no request where the workspace file names the tables. */
  listTables(signal: AbortSignal): Promise<readonly TableSummary[]>
  /**
   * Full descriptions, in the order asked; rejects with `catalog.unknown_table` for a name that is not there.
   * `learn` allows one request for a table of unknown shape, with these values for its parameters.
   */
  describeTables(names: readonly TableName[], options: DescribeOptions): Promise<readonly Table[]>
  /** Pure: no I/O. Throws QuerentError where the scan must be refused, such as `source.required_filter`. */
  planScan(request: ScanRequest): ScanPlan
  /** Rows of a remote plan. Rejects with the signal's reason when aborted. Never yields a part as the whole. */
  scan(plan: ScanPlan, run: ScanRun): AsyncIterable<Batch>
  /** Databases opened with `--read-write`: where writing statements go. */
  writeTarget?(): Promise<AttachedDatabase | undefined>
  /** One cheap probe that the source answers, for `querent check`. Rejects with the reason. */
  check(signal: AbortSignal): Promise<void>
  close(): Promise<void>
}

export interface DescribeOptions {
  readonly signal: AbortSignal
  /** Values to learn an unknown shape with, by parameter name; absent: make no request. */
  readonly learn?: Readonly<Record<string, string>>
}

/** What one reference to a table needs, read from DuckDB's plan. */
export interface ScanRequest {
  readonly table: Table
  /** Columns that the query reads, in table order. Never empty by accident: `count(*)` reads none. */
  readonly columns: readonly string[]
  /** A conjunction. Every filter is applied again by DuckDB, so a source may apply any superset. */
  readonly filters: readonly Filter[]
  /**
   * Columns under a condition that is not in `filters` (a join, a function, a comparison of columns): a default of
   * such a column does not hold.
   */
  readonly otherConditions: readonly string[]
  /** Rows that suffice, where nothing between the limit and the scan drops rows. */
  readonly limit?: number
  /** With `limit`: the first rows in this order. */
  readonly order?: readonly OrderKey[]
  /** Columns whose values come at run time as keys of another scan (a bind join). */
  readonly keyColumns?: readonly string[]
  /** Values forced on parameters by the rewriter (an equality with a parameter's `any` value). */
  readonly forced?: Readonly<Record<string, string>>
}

export interface OrderKey {
  readonly column: string
  readonly descending: boolean
  readonly nullsFirst: boolean
}

/** What will be done for a scan. Data, without secrets: `explain` prints it. */
export interface ScanPlan {
  readonly table: TableName
  /** Filters that the rows may not satisfy; every row the scan yields satisfies all others. */
  readonly residual: readonly Filter[]
  /** Filters that the requests carry; one that is residual too is applied again. Absent: all that are not residual. */
  readonly pushed?: readonly Filter[]
  /** The limit that the source will obey; only when nothing is residual. */
  readonly limit?: number
  readonly requests: { readonly estimate: number; readonly max: number }
  /** Keys that one request can carry, for scans with `keyColumns`. */
  readonly keysPerRequest?: number
  /** Rows come in the order asked. */
  readonly ordered?: boolean
  /** The requests for people to read, such as `GET /repos/{owner}/{repo}/pulls?state=open`, without secrets. */
  readonly preview: readonly string[]
  /** What was left to defaults and other facts a reader must know. */
  readonly notes?: readonly string[]
  /** Remote: how the batches' JSON becomes rows. */
  readonly shape?: JsonShape
  /** In place: what DuckDB reads; no `scan` follows. */
  readonly inPlace?: InPlace
  /** The source's own part; nobody else reads it. */
  readonly detail?: unknown
}

/** A table that DuckDB reads where it lies. */
export interface InPlace {
  /** One SELECT without parameters that yields exactly the table's columns. */
  readonly sql: string
  /** Real paths of all files that the SQL opens: nothing else can be opened. */
  readonly files: readonly string[]
  /** Database files to attach under these names for the query's time. */
  readonly attach?: readonly AttachedDatabase[]
}

export interface AttachedDatabase {
  /** Catalog name that `sql` uses. */
  readonly alias: string
  readonly path: string
  readonly readOnly: boolean
}

/** One run of a plan. */
export interface ScanRun {
  readonly signal: AbortSignal
  readonly caller: Caller
  /** Keys for `keyColumns`: one tuple of texts per key. */
  readonly keys?: readonly (readonly string[])[]
  /** Counts requests and bytes, and throws when a limit of the query is passed. */
  readonly meter: ScanMeter
}

export interface ScanMeter {
  /** Before each request (retries too). Throws `limit.requests`. */
  request(): void
  /** Bytes of a body as they arrive. Throws `limit.bytes`. */
  received(bytes: number): void
}
