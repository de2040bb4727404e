import { checkEstimate } from '../engine/acquire/check-estimate.js'
import { planReads, type ReadCandidate, type RemoteRead } from '../engine/acquire/remote-read.js'
import { filterText } from '../engine/plan/filter-text.js'
import { executeQuery } from '../engine/pipeline/execute-query.js'
import { treeText, type PlannedQuery, type PlannedReference } from '../engine/pipeline/plan-query.js'
import { prepareQuery, type PrepareOptions, type ReadForm } from '../engine/pipeline/prepare.js'
import type { QueryScope } from '../engine/pipeline/query-scope.js'
import { describeStatement } from '../engine/rewrite/describe-statement.js'
import { QueryMeter } from '../engine/acquire/query-meter.js'
import { QuerentError } from '../errors/querent-error.js'
import type { Filter } from '../model/filter.js'
import { formatTableName } from '../model/table-name.js'
import type { EngineServices } from '../engine/pipeline/services.js'
import { toErrorAnswer } from './error-answer.js'
import type { ExplainedScan, Explanation, QueryParams } from './workspace.js'

export interface ExplainCallOptions {
  readonly form: ReadForm
  readonly sql: string
  readonly params: QueryParams | undefined
  readonly services: EngineServices
  readonly scope: QueryScope
}

/** Plans a statement and says what would be asked of whom. No request is made and no row is read. */
export async function explainQuery(options: ExplainCallOptions): Promise<Explanation> {
  const { form, sql, params, services, scope } = options
  const askValues = (): never => {
    throw new QuerentError('sql.pivot_unasked')
  }
  const prepared = await prepareOrRefuse({ form, sql, params, askValues, planAlways: true }, services, scope)
  if (prepared instanceof QuerentError) return refused(prepared)
  const planned = prepared
  const { reads, refusal } = tryPlanReads(planned.candidates, services.limits.maxRequests)
  const scans = planned.references.map((reference) => explainScan(reference, planned, reads))
  const requests = {
    estimate: sum(scans.map((scan) => scan.requests.estimate)),
    max: Math.min(sum(scans.map((scan) => scan.requests.max)), services.limits.maxRequests),
  }
  return {
    success: true,
    statement: 'SELECT',
    ...(await describeColumns(planned, options)),
    scans,
    requests,
    ...(refusal === undefined ? {} : { refusal: toErrorAnswer(refusal) }),
    notes: [],
  }
}

/** A table in place that its source refuses to read is refused while the statement is planned. */
async function prepareOrRefuse(
  options: PrepareOptions,
  services: EngineServices,
  scope: QueryScope,
): Promise<PlannedQuery | QuerentError> {
  try {
    return await prepareQuery(options, services, scope)
  } catch (error) {
    if (error instanceof QuerentError && error.code === 'source.required_filter') return error
    throw error
  }
}

function refused(refusal: QuerentError): Explanation {
  return {
    success: true,
    statement: 'SELECT',
    columns: [],
    columnTypes: [],
    scans: [],
    requests: { estimate: 0, max: 0 },
    refusal: toErrorAnswer(refusal),
    notes: [],
  }
}

function tryPlanReads(
  candidates: readonly ReadCandidate[],
  maxRequests: number,
): {
  readonly reads: readonly RemoteRead[]
  readonly refusal?: QuerentError
} {
  try {
    const reads = planReads(candidates)
    checkEstimate(reads, maxRequests)
    return { reads }
  } catch (error) {
    if (!(error instanceof QuerentError)) throw error
    return { reads: candidates.flatMap((candidate) => planAlone(candidate)), refusal: error }
  }
}

function planAlone(candidate: ReadCandidate): readonly RemoteRead[] {
  try {
    return planReads([candidate])
  } catch {
    return []
  }
}

function explainScan(reference: PlannedReference, planned: PlannedQuery, reads: readonly RemoteRead[]): ExplainedScan {
  const table = formatTableName(reference.table.name)
  const none = { pushed: [], residual: [], requests: { estimate: 0, max: 0 }, preview: [], notes: [] }
  if (reference.inPlace !== undefined) return explainInPlace(reference, planned)
  const candidate = planned.candidates.find((one) => one.relation === reference.relation)
  if (candidate === undefined) {
    return { ...none, table, access: 'remote', columns: [], notes: ['no row of it can matter: nothing is asked'] }
  }
  const read = reads.find((one) => one.relation === reference.relation)
  const { scan } = candidate
  const pushed = pushedFilters(candidate, read)
  const left = [
    ...scan.filters.filter((filter) => !pushed.includes(filter)).map(filterText),
    ...scan.residual.map((one) => one.text ?? `a condition on ${one.columns.join(', ')}`),
  ]
  return {
    table,
    access: 'remote',
    columns: scan.columns,
    pushed: [...pushed.map(filterText), ...boundText(read)],
    residual: left,
    ...(read?.plan.limit === undefined ? {} : { limit: read.plan.limit }),
    requests: read?.plan.requests ?? { estimate: 0, max: 0 },
    preview: read?.plan.preview ?? [],
    notes: read?.plan.notes ?? (read === undefined ? ['refused'] : []),
  }
}

/** DuckDB applies every condition itself; the source may have left files out for them. */
function explainInPlace(reference: PlannedReference, { scans }: PlannedQuery): ExplainedScan {
  const { table, relation, catalog, inPlacePlan } = reference
  const scan = scans.find(
    (one) =>
      one.relation.catalog === catalog &&
      one.relation.schema === relation.schema &&
      one.relation.table === relation.name,
  )
  const filters = scan?.filters ?? []
  return {
    table: formatTableName(table.name),
    access: 'inPlace',
    columns: scan?.columns ?? table.columns.map((column) => column.name),
    pushed: filters.map(filterText),
    residual: (scan?.residual ?? []).map((one) => one.text ?? `a condition on ${one.columns.join(', ')}`),
    requests: { estimate: 0, max: 0 },
    preview: inPlacePlan?.preview ?? [],
    notes: inPlacePlan?.notes ?? [],
  }
}

function pushedFilters({ scan }: ReadCandidate, read: RemoteRead | undefined): readonly Filter[] {
  if (read === undefined) return []
  return read.plan.pushed ?? scan.filters.filter((filter) => !read.plan.residual.includes(filter))
}

function boundText(read: RemoteRead | undefined): readonly string[] {
  return read?.binding === undefined ? [] : [`${read.binding.columns.join(', ')} = keys of the join`]
}

/** Names and types as DuckDB binds them; a statement that does not bind throws here. */
async function describeColumns(
  planned: PlannedQuery,
  { services, scope, sql }: ExplainCallOptions,
): Promise<Pick<Explanation, 'columns' | 'columnTypes'>> {
  const described = { ...planned, tree: treeText(describeStatement(planned.statement)) }
  const limits = { maxRows: 10_000, maxChars: 10_000_000, sql }
  const { answer } = await executeQuery(described, [], limits, services, scope, {
    meter: new QueryMeter(services.limits),
  })
  const rows = answer.rows.map((row) => JSON.parse(row) as readonly unknown[])
  return { columns: rows.map((row) => String(row[0])), columnTypes: rows.map((row) => String(row[1])) }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
