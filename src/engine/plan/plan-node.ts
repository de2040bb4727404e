import type { TreeNode } from '../../model/tree.js'
import type { RelationName } from './bound-plan.js'

/** One operator of a plan, with its children's outputs addressed by position. */
export type PlanNode =
  | ScanNode
  | FunctionNode
  | FilterNode
  | OrderNode
  | LimitNode
  | DistinctNode
  | SampleNode
  | ProjectionNode
  | AggregateNode
  | ExtensionNode
  | JoinNode
  | SetNode
  | CteNode
  | RecursionNode
  | CteReferenceNode
  | KeysNode
  | ConstantsNode
  | EmptyNode
  | PivotNode
  | WriteNode
  | UnknownNode

/** One output column of a node. */
export interface OutputRef {
  readonly node: PlanNode
  readonly position: number
}

export interface NodeBase {
  readonly id: number
  /** As DuckDB names it, such as `LOGICAL_FILTER`. */
  readonly operator: string
  readonly parent: PlanNode | undefined
  /** Filled while the plan is read. */
  readonly children: PlanNode[]
  /** Number of output columns; undefined where the reader cannot know it. */
  width: number | undefined
}

/** What a scan puts out: a column of the table, its row id, or nothing (the scan only counts rows). */
export type ScanOutput = { readonly column: string } | 'rowid' | 'nothing'

/** LOGICAL_GET of a stored table. */
export interface ScanNode extends NodeBase {
  readonly kind: 'scan'
  /** Position among the plan's scans. */
  readonly scan: number
  readonly relation: RelationName
  /** The table's columns, whether read or not. */
  readonly names: readonly string[]
  readonly types: readonly string[]
  readonly outputs: readonly ScanOutput[]
  /** Table filters with the column's index in the table (P10). */
  readonly tableFilters: readonly { readonly columnIndex: number; readonly filter: TreeNode }[]
}

/** LOGICAL_GET of a table function; with children it reads rows as arguments. */
export interface FunctionNode extends NodeBase {
  readonly kind: 'function'
  readonly ownWidth: number
  /** Positions of the child that follow the function's own columns. */
  readonly passed: readonly number[]
}

export interface FilterNode extends NodeBase {
  readonly kind: 'filter'
  readonly map: readonly number[] | undefined
  readonly conditions: readonly TreeNode[]
}

/** ORDER BY, and TOP_N when `top` is there. */
export interface OrderNode extends NodeBase {
  readonly kind: 'order'
  readonly map: readonly number[] | undefined
  readonly orders: readonly TreeNode[]
  readonly top: { readonly limit: number; readonly offset: number } | undefined
}

export interface LimitNode extends NodeBase {
  readonly kind: 'limit'
  /** Limit plus offset; undefined unless both are constant counts. */
  readonly rows: number | undefined
  readonly expressions: readonly TreeNode[]
}

export interface DistinctNode extends NodeBase {
  readonly kind: 'distinct'
  /** DISTINCT ON: only the targets tell rows apart. */
  readonly isOn: boolean
  readonly targets: readonly TreeNode[]
  readonly orders: readonly TreeNode[]
}

export interface SampleNode extends NodeBase {
  readonly kind: 'sample'
}

export interface ProjectionNode extends NodeBase {
  readonly kind: 'projection'
  readonly expressions: readonly TreeNode[]
}

export interface AggregateNode extends NodeBase {
  readonly kind: 'aggregate'
  readonly groups: readonly TreeNode[]
  readonly aggregates: readonly TreeNode[]
  /** Empty: one set of all groups. */
  readonly groupingSets: readonly (readonly number[])[]
  readonly hasGroupingFunctions: boolean
}

/** WINDOW and UNNEST: the child's columns, then one per expression. */
export interface ExtensionNode extends NodeBase {
  readonly kind: 'window' | 'unnest'
  readonly expressions: readonly TreeNode[]
}

export type JoinCondition =
  | { readonly kind: 'compare'; readonly left: TreeNode; readonly right: TreeNode; readonly comparison: string }
  /** Refers to the left child's columns, then the right child's. */
  | { readonly kind: 'expression'; readonly expression: TreeNode }

export interface JoinNode extends NodeBase {
  readonly kind: 'join'
  readonly style: 'comparison' | 'any' | 'asof' | 'delim' | 'cross' | 'positional'
  /** As DuckDB names it: INNER, LEFT, RIGHT, OUTER, SEMI, ANTI, MARK, SINGLE, RIGHT_SEMI, RIGHT_ANTI. */
  readonly joinType: string
  readonly leftMap: readonly number[] | undefined
  readonly rightMap: readonly number[] | undefined
  readonly conditions: readonly JoinCondition[]
  /** DELIM_JOIN: the side whose distinct keys the other side's KeysNodes read. */
  readonly keySide: 0 | 1
  readonly keyColumns: readonly TreeNode[]
}

export interface SetNode extends NodeBase {
  readonly kind: 'set'
  readonly operation: 'union' | 'except' | 'intersect'
}

/** MATERIALIZED_CTE: child 0 defines, child 1 is the query. */
export interface CteNode extends NodeBase {
  readonly kind: 'cte'
}

/** RECURSIVE_CTE: child 0 starts, child 1 repeats. */
export interface RecursionNode extends NodeBase {
  readonly kind: 'recursion'
}

export interface CteReferenceNode extends NodeBase {
  readonly kind: 'cteReference'
  readonly cte: number
  readonly definition: PlanNode | undefined
}

/** DELIM_GET: the distinct keys of the nearest enclosing DELIM_JOIN (P27). */
export interface KeysNode extends NodeBase {
  readonly kind: 'keys'
  readonly join: JoinNode | undefined
}

/** EXPRESSION_GET: a VALUES list. */
export interface ConstantsNode extends NodeBase {
  readonly kind: 'constants'
  readonly rows: readonly (readonly TreeNode[])[]
}

/** Has no table below: DUMMY_SCAN, EMPTY_RESULT, CHUNK_GET. */
export interface EmptyNode extends NodeBase {
  readonly kind: 'empty'
}

export interface PivotNode extends NodeBase {
  readonly kind: 'pivot'
}

/** A statement that writes, with RETURNING where its width is that of the table. */
export interface WriteNode extends NodeBase {
  readonly kind: 'write'
  readonly target: RelationName | undefined
}

export interface UnknownNode extends NodeBase {
  readonly kind: 'unknown'
}
