import { QuerentError } from '../../errors/querent-error.js'
import type { TreeNode } from '../../model/tree.js'
import { formatTableName } from '../../model/table-name.js'
import type { InPlace, ScanPlan, ScanRequest, Source } from '../../sources/source.js'
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
  readonly references: readonly PlannedReference[]
  /** One scan per relation that the statement reads; empty where it was not planned. */
  readonly scans: readonly PlannedScan[]
  /** Scans of remote tables, before their sources were asked how they will answer; see `planReads`. */
  readonly candidates: readonly ReadCandidate[]
}

/** A reference whose relation is a view over what is read in place, or a table that is to be filled. */
export interface PlannedReference extends ResolvedReference {
  readonly inPlace?: InPlace
  /** What will be done in place, where the source decided it. */
  readonly inPlacePlan?: ScanPlan
}

export interface PlanOptions {
  readonly engine: Engine
  readonly queryId: string
  readonly callerKey: string
  readonly clock: string
  readonly signal: AbortSignal
  /** The user's text, which positions of errors refer to. */
  readonly sql: string
  /** Plan also what need not be planned to run. */
  readonly always: boolean
}

/**
 * Asks DuckDB what the statement needs of each table. A statement over tables in place alone is planned only where a
 * source must know the filters: else DuckDB pushes down into files by itself.
 */
export async function planQuery(resolved: ResolvedStatement, options: PlanOptions): Promise<PlannedQuery> {
  const { statement, references } = resolved
  const tree = treeText(statement)
  const unplanned = options.always ? undefined : readInPlace(references)
  if (unplanned !== undefined) return { statement, tree, references: unplanned, scans: [], candidates: [] }
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
  const planned: PlannedReference[] = []
  const candidates: ReadCandidate[] = []
  for (const reference of references) {
    const scan = scans.find((one) => isRelation(one, reference))
    const { rows, table } = reference
    if (rows.kind === 'fixed') planned.push(asView(reference, rows.inPlace))
    else if (scan === undefined || scan.never) planned.push(reference)
    else if (table.access === 'inPlace') planned.push(planInPlace(reference, rows.source, requestOf(scan, reference)))
    else {
      if (scan.readsRowId) throw new QuerentError('sql.row_id', { table: formatTableName(table.name) })
      planned.push(reference)
      candidates.push({ source: rows.source, relation: reference.relation, scan, request: requestOf(scan, reference) })
    }
  }
  return { statement, tree, references: planned, scans, candidates }
}

/** All references as views over everything they could read; undefined where one is remote or depends on the filters. */
function readInPlace(references: readonly ResolvedReference[]): readonly PlannedReference[] | undefined {
  const planned: PlannedReference[] = []
  for (const reference of references) {
    const { rows, table } = reference
    if (rows.kind === 'fixed') planned.push(asView(reference, rows.inPlace))
    else if (table.access === 'remote' || table.dependsOnFilters === true) return undefined
    else planned.push(planInPlace(reference, rows.source, wholeRequest(reference)))
  }
  return planned
}

function planInPlace(reference: ResolvedReference, source: Source, request: ScanRequest): PlannedReference {
  const plan = source.planScan(request)
  if (plan.inPlace === undefined) {
    throw new QuerentError('internal.unexpected', { message: `${source.name} gave no way to read a table in place` })
  }
  return { ...asView(reference, plan.inPlace), inPlacePlan: plan }
}

function asView(reference: ResolvedReference, inPlace: InPlace): PlannedReference {
  return { ...reference, inPlace, relation: { ...reference.relation, view: inPlace.sql } }
}

function wholeRequest({ table }: ResolvedReference): ScanRequest {
  return { table, columns: table.columns.map((column) => column.name), filters: [], otherConditions: [] }
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

function requestOf(scan: PlannedScan, reference: ResolvedReference): ScanRequest {
  // A view has all columns of its table: DuckDB reads those that it needs.
  const inPlace = reference.table.access === 'inPlace'
  return {
    table: reference.table,
    columns: inPlace ? wholeRequest(reference).columns : inTableOrder(scan.columns, reference),
    filters: scan.filters,
    otherConditions: scan.otherConditions,
    forced: reference.forced,
    ...(scan.limit === undefined || inPlace ? {} : { limit: scan.limit.rows }),
    ...(scan.limit?.order === undefined || inPlace ? {} : { order: scan.limit.order }),
  }
}
