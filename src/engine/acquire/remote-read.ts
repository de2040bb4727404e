import { QuerentError } from '../../errors/querent-error.js'
import type { ScanPlan, ScanRequest, Source } from '../../sources/source.js'
import type { BindCandidate, KeySource, PlannedScan } from '../plan/bound-plan.js'
import type { Relation } from '../worker/protocol.js'

/** One remote relation and what will be asked of its source. */
export interface RemoteRead {
  readonly source: Source
  readonly relation: Relation
  readonly scan: PlannedScan
  readonly request: ScanRequest
  readonly plan: ScanPlan
  /** The join whose keys the requests carry; absent: the scan waits for nothing. */
  readonly binding?: BindCandidate
}

/** A remote relation before it is known how its source can be asked. */
export interface ReadCandidate {
  readonly source: Source
  readonly relation: Relation
  readonly scan: PlannedScan
  readonly request: ScanRequest
}

/**
 * Decides for each relation how its source is asked. A scan that its source refuses for a missing filter is asked with
 * the keys of a join, once the scans which give the keys can be asked; throws the source's refusal where none can.
 */
export function planReads(candidates: readonly ReadCandidate[]): readonly RemoteRead[] {
  const remote = new Set(candidates.map((candidate) => candidate.scan.id))
  const planned: RemoteRead[] = []
  const waiting: { readonly candidate: ReadCandidate; readonly refusal: QuerentError }[] = []
  for (const candidate of candidates) {
    const outcome = tryPlan(candidate, undefined)
    if (outcome instanceof QuerentError) waiting.push({ candidate, refusal: outcome })
    else planned.push(outcome)
  }
  while (waiting.length > 0) {
    const ready = (source: KeySource): boolean =>
      source.kind === 'constants' || !remote.has(source.scan) || planned.some((read) => read.scan.id === source.scan)
    const index = waiting.findIndex(({ candidate }) =>
      bindings(candidate, ready).some((found) => !(found instanceof QuerentError)),
    )
    const [entry] = index < 0 ? [] : waiting.splice(index, 1)
    if (entry === undefined)
      throw waiting[0]?.refusal ?? new QuerentError('internal.unexpected', { message: 'no read left' })
    const read = bindings(entry.candidate, ready).find((found): found is RemoteRead => !(found instanceof QuerentError))
    if (read !== undefined) planned.push(read)
  }
  return planned
}

/** Refusals that go away where a join's keys are values of the columns that are refused. */
const mendedByKeys: ReadonlySet<string> = new Set([
  'source.required_filter',
  'source.default_conflict',
  'source.unsupported_condition',
])

/** Plans with each join that is ready, those with more columns first. */
function bindings(
  candidate: ReadCandidate,
  ready: (source: KeySource) => boolean,
): readonly (RemoteRead | QuerentError)[] {
  return [...candidate.scan.bind]
    .filter((binding) => binding.sources.every(ready) && takesNulls(candidate, binding))
    .sort((a, b) => b.columns.length - a.columns.length)
    .map((binding) => tryPlan(candidate, binding))
}

/**
 * `IS NOT DISTINCT FROM` keeps rows with NULL, which no key asks for: it binds only columns that are never NULL, as a
 * required parameter is, whose value is the one asked with.
 */
function takesNulls({ request }: ReadCandidate, binding: BindCandidate): boolean {
  return binding.columns.every((name, index) => {
    const column = request.table.columns.find((one) => one.name === name)
    return binding.nullSafe[index] !== true || column?.filtering.kind === 'required'
  })
}

function tryPlan(candidate: ReadCandidate, binding: BindCandidate | undefined): RemoteRead | QuerentError {
  const request: ScanRequest =
    binding === undefined ? candidate.request : { ...candidate.request, keyColumns: binding.columns }
  try {
    const plan = candidate.source.planScan(request)
    return { ...candidate, request, plan, ...(binding === undefined ? {} : { binding }) }
  } catch (error) {
    if (error instanceof QuerentError && mendedByKeys.has(error.code)) return error
    throw error
  }
}
