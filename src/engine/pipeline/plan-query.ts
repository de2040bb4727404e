import { QuerentError } from '../../errors/querent-error.js'
import type { TreeNode } from '../../model/tree.js'
import { formatTableName } from '../../model/table-name.js'
import type { Source } from '../../sources/source.js'
import { stringifyLossless } from '../../util/lossless-json.js'
import type { ReadCandidate } from '../acquire/remote-read.js'
import { scansByRelation } from '../plan/combine-scans.js'
import type { PlannedScan } from '../plan/bound-plan.js'
import { readPlan } from '../plan/read-plan.js'
import type { Engine } from '../client/engine.js'
import type { ResolvedReference } from './resolved-reference.js'
import type { ResolvedStatement } from './resolve.js'

export interface PlannedQuery {
  /** The rewritten statement. */
  readonly statement: TreeNode
  /** The same as DuckDB reads it. */
  readonly tree: string
  readonly references: readonly ResolvedReference[]
  /** One scan per relation that the statement reads; empty where every table is in place. */
  readonly scans: readonly PlannedScan[]
  /** Scans of remote tables, before their sources were asked how they will answer; see `planReads`. */
  readonly candidates: readonly ReadCandidate[]
}

export interface PlanOptions {
  readonly engine: Engine
  readonly queryId: string
  readonly callerKey: string
  readonly clock: string
  readonly signal: AbortSignal
  /** The user's text, which positions of errors refer to. */
  readonly sql: string
}

/**
 * Asks DuckDB what the statement needs of each remote table. A statement over tables in place alone is not planned:
 * DuckDB pushes down into files by itself.
 */
export async function planQuery(resolved: ResolvedStatement, options: PlanOptions): Promise<PlannedQuery> {
  const { statement, references } = resolved
  const tree = treeText(statement)
  if (references.every((reference) => reference.rows.kind === 'inPlace')) {
    return { statement, tree, references, scans: [], candidates: [] }
  }
  const { plan } = await options.engine.call(
    'plan',
    {
      queryId: options.queryId,
      callerKey: options.callerKey,
      tree,
      relations: references.map((reference) => reference.relation),
      clock: options.clock,
      optimize: true,
      sql: options.sql,
    },
    { signal: options.signal },
  )
  const scans = plan === undefined ? references.map(wholeScan) : scansByRelation(readPlan(plan).scans)
  const candidates: ReadCandidate[] = []
  for (const scan of scans) {
    const reference = references.find((candidate) => isRelation(scan, candidate))
    if (reference?.rows.kind !== 'remote') continue
    if (scan.readsRowId) throw new QuerentError('sql.row_id', { table: formatTableName(reference.table.name) })
    if (!scan.never) candidates.push(candidateOf(scan, reference, reference.rows.source))
  }
  return { statement, tree, references, scans, candidates }
}

/** A statement as `json_deserialize_sql` takes it. */
export function treeText(statement: TreeNode): string {
  return stringifyLossless({ error: false, statements: [statement] })
}

/** DuckDB could not print the plan: every table is read whole, and a required filter is refused. */
function wholeScan(reference: ResolvedReference, id: number): PlannedScan {
  const { columns, name, schema } = reference.relation
  const names = columns.map((column) => column.name)
  return {
    id,
    relation: { catalog: reference.catalog, schema, table: name },
    columns: names,
    readsRowId: false,
    filters: [],
    residual: [],
    // Whatever the statement says of a column with a default is unknown here.
    otherConditions: names,
    never: false,
    bind: [],
    recursive: false,
  }
}

function isRelation(scan: PlannedScan, reference: ResolvedReference): boolean {
  const { catalog, schema, table } = scan.relation
  return catalog === reference.catalog && schema === reference.relation.schema && table === reference.relation.name
}

function inTableOrder(columns: readonly string[], { table }: ResolvedReference): readonly string[] {
  const wanted = new Set(columns)
  return table.columns.map((column) => column.name).filter((name) => wanted.has(name))
}

function candidateOf(scan: PlannedScan, reference: ResolvedReference, source: Source): ReadCandidate {
  return {
    source,
    relation: reference.relation,
    scan,
    request: {
      table: reference.table,
      columns: inTableOrder(scan.columns, reference),
      filters: scan.filters,
      otherConditions: scan.otherConditions,
      forced: reference.forced,
      ...(scan.limit === undefined ? {} : { limit: scan.limit.rows }),
      ...(scan.limit?.order === undefined ? {} : { order: scan.limit.order }),
    },
  }
}
