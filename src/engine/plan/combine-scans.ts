import type { Filter } from '../../model/filter.js'
import type { BindCandidate, KeySource, PlannedScan } from './bound-plan.js'
import { relationKey } from './relation-key.js'
import { distinctConstants, keyValues } from './filter-reading.js'

/** One scan per relation, renumbered so that `id` is the position again (P30). */
export function scansByRelation(scans: readonly PlannedScan[]): readonly PlannedScan[] {
  const groups = new Map<string, PlannedScan[]>()
  for (const scan of scans) {
    const key = relationKey(scan.relation)
    groups.set(key, [...(groups.get(key) ?? []), scan])
  }
  const positions = new Map<number, number>()
  for (const [position, group] of [...groups.values()].entries()) {
    for (const scan of group) positions.set(scan.id, position)
  }
  return [...groups.values()].map((group, id) => {
    const scan = combineScans(group)
    return { ...scan, id, bind: scan.bind.map((candidate) => renumbered(candidate, positions)) }
  })
}

function renumbered(candidate: BindCandidate, positions: ReadonlyMap<number, number>): BindCandidate {
  const sources = candidate.sources.map((source): KeySource =>
    source.kind === 'scan' ? { ...source, scan: positions.get(source.scan) ?? source.scan } : source,
  )
  return { ...candidate, sources: distinctValues(sources) }
}

/**
 * One scan for all scans of a relation: it delivers every row and column that any of them needs. Filters are widened to
 * what all have in common, limits dropped, keys bound only where every scan can be asked with keys of the same columns.
 * It keeps the first scan's `id`. Throws TypeError for an empty list.
 */
export function combineScans(scans: readonly PlannedScan[]): PlannedScan {
  const [first] = scans
  if (first === undefined) throw new TypeError('no scans to combine')
  if (scans.length === 1) return first
  const needed = scans.filter((scan) => !scan.never)
  const filters = commonFilters(needed.map((scan) => scan.filters))
  const replaced = new Set(filters.map((filter) => ('column' in filter ? filter.column : undefined)))
  const widened = needed.flatMap((scan) => scan.filters.flatMap(filterColumns))
  return {
    id: first.id,
    relation: first.relation,
    columns: distinctValues(scans.flatMap((scan) => scan.columns)),
    readsRowId: scans.some((scan) => scan.readsRowId),
    filters,
    residual: needed.flatMap((scan) => scan.residual),
    otherConditions: distinctValues([
      ...scans.flatMap((scan) => scan.otherConditions),
      ...widened.filter((column) => !replaced.has(column)),
    ]),
    never: needed.length === 0,
    bind: commonBinds(needed),
    recursive: scans.some((scan) => scan.recursive),
  }
}

/** A conjunction that is true wherever one of the conjunctions is. */
function commonFilters(conjunctions: readonly (readonly Filter[])[]): readonly Filter[] {
  const [first, ...others] = conjunctions
  if (first === undefined) return []
  const shared = first.filter((filter) => others.every((other) => other.some((candidate) => isSame(candidate, filter))))
  const columns = distinctValues(first.map((filter) => keyValues(filter)?.column))
  const keys = columns.flatMap((column) => (column === undefined ? [] : commonKeys(column, conjunctions)))
  const rests = conjunctions.map((filters) =>
    filters.filter((filter) => !shared.some((candidate) => isSame(candidate, filter))),
  )
  const alternatives: Filter[] = rests.every((rest) => rest.length > 0)
    ? [{ kind: 'or', filters: rests.map((rest): Filter => ({ kind: 'and', filters: rest })) }]
    : []
  const isShared = (key: Filter): boolean =>
    shared.some((filter) => keyValues(filter)?.column === keyValues(key)?.column)
  return [...shared, ...keys.filter((key) => !isShared(key)), ...alternatives]
}

/** An IN list of all values that any conjunction allows, where each allows only some. */
function commonKeys(column: string, conjunctions: readonly (readonly Filter[])[]): readonly Filter[] {
  const lists = conjunctions.map((filters) => filters.map(keyValues).find((key) => key?.column === column)?.values)
  if (!lists.every((list) => list !== undefined)) return []
  return [{ kind: 'in', column, negated: false, values: distinctConstants(lists.flat()) }]
}

function commonBinds(scans: readonly PlannedScan[]): readonly BindCandidate[] {
  const ids = new Set(scans.map((scan) => scan.id))
  const [first, ...others] = scans.map((scan) => scan.bind.filter((candidate) => !readsAny(candidate, ids)))
  const byColumns = new Map((first ?? []).map((candidate) => [candidate.columns.join('\0'), candidate]))
  return [...byColumns].flatMap(([columns, candidate]) => {
    const matches = others.map((binds) => binds.find((other) => other.columns.join('\0') === columns))
    if (!matches.every((match) => match !== undefined)) return []
    const all = [candidate, ...matches]
    return [
      {
        columns: candidate.columns,
        sources: distinctValues(all.flatMap((match) => match.sources)),
        nullSafe: candidate.columns.map((_, index) => all.some((match) => match.nullSafe[index] === true)),
      },
    ]
  })
}

function readsAny(candidate: BindCandidate, ids: ReadonlySet<number>): boolean {
  return candidate.sources.some((source) => source.kind === 'scan' && ids.has(source.scan))
}

/** Columns that a filter names, at any depth. */
function filterColumns(filter: Filter): readonly string[] {
  return 'column' in filter ? [filter.column] : filter.filters.flatMap(filterColumns)
}

function isSame(a: Filter, b: Filter): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

function distinctValues<Value>(values: readonly Value[]): readonly Value[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()]
}
