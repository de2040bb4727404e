import { RepeatFilter } from './drop-repeats.js'
import { QuerentError } from '../../errors/querent-error.js'
import type { JsonBatch } from '../../model/batch.js'
import type { Constant } from '../../model/constant.js'
import type { ScanRun } from '../source.js'
import { isSingle, withParts, type Assignment } from './assignment.js'
import type { HttpTable } from './http-table.js'
import type { HttpParam, ParamValue } from './http-param.js'
import { inParallel } from './parallel.js'
import { tableText } from './parameter-errors.js'
import { inLists, toParamValue, type KeyParam } from './plan-parameters.js'
import type { Asker } from './ask-page.js'
import { readPages } from './read-pages.js'
import { ScanScope } from './scan-scope.js'

/** The kind's own part of a plan: data, without secrets. */
export interface ScanDetail {
  /** Which of the table's requests. */
  readonly request: number
  readonly assignments: readonly Assignment[]
  readonly keys: readonly KeyParam[]
  readonly matched: readonly string[]
  readonly limit: number | undefined
}

export interface ScanOptions {
  readonly table: HttpTable
  readonly detail: ScanDetail
  readonly asker: Asker
  /** Assignments asked for at once. */
  readonly width: number
}

/** Reads all pages of all assignments. Never yields a part as the whole: it ends early only where a limit says so. */
export async function* scanTable(options: ScanOptions, run: ScanRun): AsyncGenerator<JsonBatch> {
  const { table, detail, asker } = options
  const scope = new ScanScope(table, run.signal)
  let number = 0
  let rowCount = 0
  const isEnough = (): boolean => detail.limit !== undefined && rowCount >= detail.limit
  try {
    const assignments = withKeys(table, detail, run.keys)
    // Under a limit the first assignments may suffice: the others wait for them.
    const width = detail.limit === undefined ? options.width : 1
    for await (const batch of inParallel(assignments, width, (assignment) => readBatches(assignment))) {
      yield batch
      if (isEnough()) return
    }
  } catch (error) {
    run.signal.throwIfAborted()
    throw error
  } finally {
    scope.close()
  }

  async function* readBatches(assignment: Assignment): AsyncGenerator<JsonBatch> {
    const facts = batchFacts(table, detail, assignment)
    const pages = readPages(
      { table, request: detail.request, assignment, asker },
      {
        signal: scope.signal,
        meter: run.meter,
        nextNumber: () => ++number,
        noteRows: (rows) => {
          rowCount += rows
          checkRowLimit(table, rowCount, isEnough())
        },
        rowsNeeded: () => (detail.limit === undefined ? Number.POSITIVE_INFINITY : detail.limit - rowCount),
      },
    )
    const repeats = new RepeatFilter(table)
    for await (const page of pages) {
      const text = page.overview.rowCount > 0 ? await repeats.fresh(page) : undefined
      if (text !== undefined) yield { kind: 'json', texts: [text], ...facts }
    }
  }
}

/**
 * One assignment per key and planned assignment; equal ones once. Keys outside the query's own conditions are left out.
 * Where a parameter takes lists, keys that differ in it alone go together.
 */
function* withKeys(
  table: HttpTable,
  { assignments, keys }: ScanDetail,
  tuples: ScanRun['keys'],
): Generator<Assignment> {
  if (keys.length === 0) {
    yield* assignments
    return
  }
  const params = keys.map(({ param }) => paramOf(table, param))
  const listed = params.find((param) => keysPerRequest(param) > 1)
  const groups = new Map<string, { readonly fixed: Assignment; readonly values: Map<string, ParamValue> }>()
  for (const tuple of tuples ?? []) {
    const texts = keys.map(({ index }) => tuple[index] ?? '')
    if (!keys.every(({ allowed }, position) => allowed?.includes(texts[position] ?? '') ?? true)) continue
    const values = params.map((param, position) => {
      const text = texts[position] ?? ''
      return [param, toParamValue(table, param, { type: param.type, text })] as const
    })
    const fixed = Object.fromEntries(
      values.flatMap(([param, value]) => (param === listed ? [] : [[param.name, value]])),
    )
    const id = JSON.stringify(texts.filter((_, position) => params[position] !== listed))
    const group = groups.get(id) ?? { fixed, values: new Map<string, ParamValue>() }
    groups.set(id, group)
    for (const [param, value] of values) if (param === listed) group.values.set(value.wire, value)
  }
  for (const { fixed, values } of groups.values()) {
    const lists = listed === undefined ? [undefined] : inLists(listed, [...values.values()])
    for (const list of lists) {
      const own = listed === undefined || list === undefined ? fixed : { ...fixed, [listed.name]: list }
      for (const assignment of assignments) yield { ...assignment, ...own }
    }
  }
}

/** Keys of this parameter that one request carries. */
export function keysPerRequest(param: HttpParam): number {
  return param.isCarried ? (param.list?.max ?? 1) : 1
}

function paramOf(table: HttpTable, name: string): HttpParam {
  const param = table.params.find((candidate) => candidate.name === name)
  if (param === undefined) throw new QuerentError('internal.unexpected', { message: `no parameter ${name}` })
  return param
}

/** Values of the parameters for the columns of their names, and what rows must have to belong to the request. */
function batchFacts(
  table: HttpTable,
  { matched }: ScanDetail,
  assignment: Assignment,
): Pick<JsonBatch, 'constants' | 'match' | 'matchAny'> {
  const constants: Record<string, Constant> = {}
  const match: Record<string, Constant> = {}
  const matchAny: Record<string, readonly Constant[]> = {}
  for (const { name, isCarried, anyValue, agoSeconds } of table.params) {
    const value = withParts(table, assignment)[name]
    if (value === undefined || 'bounds' in value) continue
    if (!isSingle(value)) {
      if (matched.includes(name)) matchAny[name] = value.list.map(({ constant }) => constant)
      continue
    }
    // Also for the value that asks for all rows: those of the other values come with their own requests.
    if (matched.includes(name)) match[name] = value.constant
    // A row without a value does not have the one that asked for all rows, or for those since some time.
    if (isCarried && (value.wire === anyValue?.wire || agoSeconds !== undefined)) continue
    constants[name] = value.constant
  }
  return {
    constants,
    ...(Object.keys(match).length === 0 ? {} : { match }),
    ...(Object.keys(matchAny).length === 0 ? {} : { matchAny }),
  }
}

function checkRowLimit(table: HttpTable, rowCount: number, isEnough: boolean): void {
  const { maxRows } = table.rules
  if (maxRows === undefined || rowCount <= maxRows || isEnough) return
  throw new QuerentError('source.row_limit', {
    table: tableText(table),
    max: maxRows,
    hint: 'No rows were kept, because they would be a part only. Add a condition, or raise max_rows in safety of the table.',
  })
}
