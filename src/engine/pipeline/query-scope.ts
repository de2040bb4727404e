import type { Caller } from '../../model/caller.js'
import type { FileFinder } from './reference-finder.js'
import type { FoundTable } from './resolved-reference.js'

/** One call's facts that every step of the pipeline needs. */
export interface QueryScope {
  /** Also the name of the query's catalog in DuckDB: letters, digits and underscores. */
  readonly queryId: string
  readonly caller: Caller
  /** Names the caller's DuckDB instances. */
  readonly callerKey: string
  /** Folder (0700) of the caller's kept results and scratch tables. */
  readonly callerDir: string
  /** The query's one clock, `2026-01-31 12:00:00.000000+00`. */
  readonly clock: string
  readonly signal: AbortSignal
  readonly files: FileFinder
  /** Tables of this call alone, such as its scratch tables; undefined where the parts mean none of them. */
  readonly ownTables: (parts: readonly string[]) => Promise<FoundTable | undefined>
  /** Whether one request may learn a table of unknown shape; never for explain. */
  readonly mayLearn: boolean
}
