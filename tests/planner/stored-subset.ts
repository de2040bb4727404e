import type { BindCandidate, KeySource, PlannedScan } from '../../src/engine/plan/bound-plan.js'
import { constantSql, filterSql } from '../../src/engine/plan/filter-sql.js'
import type { Random } from './random.js'
import { columnsOf, tableNames } from './tables.js'

/** What was made use of while a subset was chosen. */
export interface SubsetCounts {
  filters: number
  residuals: number
  binds: number
  tuples: number
  limits: number
}

/**
 * SQL that stores as little of `full` as the plan asks for: a random part of the pushed filters, joins in a random
 * order, limits where they hold, and NULL in every column that is not read.
 */
export function storeSubset(scans: readonly PlannedScan[], random: Random, counts: SubsetCounts): string {
  const remote = new Set(tableNames.filter(() => random.chance(0.75)))
  const order = random.shuffled(scans)
  const statements: string[] = []
  for (const [index, scan] of order.entries()) {
    const earlier = new Set(order.slice(0, index).map((other) => other.id))
    const rows = remote.has(scan.relation.table) ? neededRows({ scan, earlier, scans, random, counts }) : ''
    statements.push(
      `CREATE OR REPLACE TEMP TABLE scan_${scan.id} AS SELECT rowid AS rid FROM full_rows.${scan.relation.table} t${rows}`,
    )
  }
  for (const table of tableNames) statements.push(storedTable(table, scans, remote.has(table)))
  return statements.join('; ')
}

interface NeededRows {
  readonly scan: PlannedScan
  /** Scans whose rows are chosen already, and may give keys. */
  readonly earlier: ReadonlySet<number>
  readonly scans: readonly PlannedScan[]
  readonly random: Random
  readonly counts: SubsetCounts
}

function neededRows({ scan, earlier, scans, random, counts }: NeededRows): string {
  const filters = scan.filters.filter(() => random.chance(0.85))
  const conditions = filters.map(filterSql)
  counts.filters += scan.filters.length
  counts.residuals += scan.residual.length
  if (scan.never && random.chance(0.85)) conditions.push('false')
  for (const candidate of scan.bind) {
    const isReady = candidate.sources.every((source) => source.kind === 'constants' || earlier.has(source.scan))
    if (!isReady || !random.chance(0.9)) continue
    counts.binds++
    if (candidate.columns.length > 1) counts.tuples++
    conditions.push(bindSql(candidate, scans))
  }
  const where = conditions.length === 0 ? '' : ` WHERE ${conditions.map((condition) => `(${condition})`).join(' AND ')}`
  if (scan.limit === undefined || filters.length < scan.filters.length) return where
  counts.limits++
  const keys = scan.limit.order?.map(
    (key) => `${key.column} ${key.descending ? 'DESC' : 'ASC'} NULLS ${key.nullsFirst ? 'FIRST' : 'LAST'}`,
  )
  return `${where} ORDER BY ${keys?.join(', ') ?? `hash(rowid + ${random.below(1000)})`} LIMIT ${scan.limit.rows}`
}

/** Keys are compared as text, as they travel to a source. */
function bindSql({ columns, sources, nullSafe }: BindCandidate, scans: readonly PlannedScan[]): string {
  const names = columns.map((_, index) => `k${index}`)
  const keys = sources.map((source) => keysSql(source, scans)).join(' UNION ALL ')
  const matches = columns.map((column, index) => `CAST(t.${column} AS VARCHAR) = k${index}`)
  const nulls = columns.filter((_, index) => nullSafe[index] === true).map((column) => `t.${column} IS NULL`)
  const exists = `EXISTS (SELECT 1 FROM (${keys}) keys(${names.join(', ')}) WHERE ${matches.join(' AND ')})`
  return [exists, ...nulls].join(' OR ')
}

function keysSql(source: KeySource, scans: readonly PlannedScan[]): string {
  if (source.kind === 'constants') {
    return source.keys
      .map((key) => `SELECT ${key.map((part) => `CAST(${constantSql(part)} AS VARCHAR)`).join(', ')}`)
      .join(' UNION ALL ')
  }
  const table = scans[source.scan]?.relation.table
  const columns = source.columns.map((column) => `CAST(${column} AS VARCHAR)`)
  return `SELECT ${columns.join(', ')} FROM full_rows.${String(table)} WHERE rowid IN (SELECT rid FROM temp.scan_${source.scan})`
}

function storedTable(table: string, scans: readonly PlannedScan[], isRemote: boolean): string {
  const own = scans.filter((scan) => scan.relation.table === table)
  if (own.length === 0) return `CREATE OR REPLACE TABLE stored.${table} AS SELECT * FROM full_rows.${table} LIMIT 0`
  const read = new Set(own.flatMap((scan) => scan.columns))
  const items = columnsOf(table).map(({ name, type }) =>
    read.has(name) || !isRemote ? name : `CAST(NULL AS ${type}) AS ${name}`,
  )
  const rows = own.map((scan) => `SELECT rid FROM temp.scan_${scan.id}`).join(' UNION ')
  return `CREATE OR REPLACE TABLE stored.${table} AS SELECT ${items.join(', ')} FROM full_rows.${table} WHERE rowid IN (${rows}) ORDER BY rowid`
}
