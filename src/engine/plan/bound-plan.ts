import type { Constant } from '../../model/constant.js'
import type { Filter } from '../../model/filter.js'
import type { OrderKey } from '../../sources/source.js'

/** What DuckDB's optimizer says a statement does, read from `json_serialize_plan` over empty tables. */
export interface BoundPlan {
  /** The root's operator as DuckDB names it, such as `LOGICAL_PROJECTION` or `LOGICAL_INSERT`. */
  readonly root: string
  /** The root's columns where the plan has them; names may be those of the optimizer. */
  readonly output: readonly OutputColumn[]
  /** One per scan of a stored table; a relation that is in the text but absent here is not read at all. */
  readonly scans: readonly PlannedScan[]
  /** A writing statement's operator, such as `LOGICAL_INSERT`, and what it writes to. */
  readonly write?: { readonly operator: string; readonly target: RelationName | undefined }
  /** Operators that the reader does not know; scans below and beside them are read whole. */
  readonly unknownOperators: readonly string[]
}

export interface OutputColumn {
  readonly name: string | undefined
  readonly type: string | undefined
}

/** A relation of the planning instance, named as the plan names it. */
export interface RelationName {
  readonly catalog: string
  readonly schema: string
  readonly table: string
}

/** What one scan must deliver. Any set of rows between the filtered and the whole table gives the right answer. */
export interface PlannedScan {
  /** Position in `BoundPlan.scans`. */
  readonly id: number
  readonly relation: RelationName
  /** Columns that the statement reads, in table order; empty for `count(*)`. */
  readonly columns: readonly string[]
  /** The statement reads the table's row id, which a remote table does not have (P10). */
  readonly readsRowId: boolean
  /** A conjunction that every row the statement needs satisfies. */
  readonly filters: readonly Filter[]
  /** Conditions that are not in `filters`; DuckDB applies them. */
  readonly residual: readonly ResidualCondition[]
  /** Columns under a condition that is not in `filters`: residuals, joins, HAVING, conditions inside expressions. */
  readonly otherConditions: readonly string[]
  /** A filter that no row satisfies, such as `NOT IN (1, NULL)`: nothing need be fetched. */
  readonly never: boolean
  /** Present only where nothing between limit and scan drops rows, nothing is residual, and no bind candidate exists. */
  readonly limit?: ScanLimit
  readonly bind: readonly BindCandidate[]
  /** May be scanned again and again: it stands on the recursive side of a recursive CTE. */
  readonly recursive: boolean
}

export interface ResidualCondition {
  readonly columns: readonly string[]
  /** The condition for people to read, where it could be printed. */
  readonly text?: string
}

export interface ScanLimit {
  /** Limit plus offset. */
  readonly rows: number
  /** Present for the first rows in an order; absent: any rows do. */
  readonly order?: readonly OrderKey[]
}

/**
 * A join by which the scan may be asked with keys: rows of the scan whose `columns` equal no key cannot matter.
 * The keys are the union over `sources`; all of them are needed.
 */
export interface BindCandidate {
  readonly columns: readonly string[]
  readonly sources: readonly KeySource[]
  /** Per column: `IS NOT DISTINCT FROM`; rows with NULL in it must be fetched too. */
  readonly nullSafe: readonly boolean[]
}

export type KeySource =
  /** Every row of the other scan's relation gives one tuple, in the order of the candidate's `columns`. */
  | { readonly kind: 'scan'; readonly scan: number; readonly columns: readonly string[] }
  | { readonly kind: 'constants'; readonly keys: readonly (readonly Constant[])[] }
