import { QuerentError } from '../../errors/querent-error.js'
import type { JsonBatch } from '../../model/batch.js'
import type { Constant } from '../../model/constant.js'
import type { ScanRun } from '../source.js'
import type { HttpTable } from './http-table.js'
import { inParallel } from './parallel.js'
import { tableText } from './parameter-errors.js'
import { toParamValue, type Assignment, type KeyParam } from './plan-parameters.js'
import type { Asker } from './ask-page.js'
import { readPages } from './read-pages.js'
import { ScanScope } from './scan-scope.js'

/** The kind's own part of a plan: data, without secrets. */
export interface ScanDetail {
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
    const pages = readPages(table, assignment, asker, {
      signal: scope.signal,
      meter: run.meter,
      nextNumber: () => ++number,
      noteRows: (rows) => {
        rowCount += rows
        checkRowLimit(table, rowCount, isEnough())
      },
      rowsNeeded: () => (detail.limit === undefined ? Number.POSITIVE_INFINITY : detail.limit - rowCount),
    })
    for await (const { text, overview } of pages) {
      if (overview.rowCount > 0) yield { kind: 'json', texts: [text], ...facts }
    }
  }
}

/** One assignment per key and planned assignment; equal ones once. Keys outside the query's own conditions are left out. */
function* withKeys(
  table: HttpTable,
  { assignments, keys }: ScanDetail,
  tuples: ScanRun['keys'],
): Generator<Assignment> {
  if (keys.length === 0) {
    yield* assignments
    return
  }
  const seen = new Set<string>()
  for (const tuple of tuples ?? []) {
    const texts = keys.map(({ index }) => tuple[index] ?? '')
    const isAllowed = keys.every(({ allowed }, position) => allowed?.includes(texts[position] ?? '') ?? true)
    const id = JSON.stringify(texts)
    if (!isAllowed || seen.has(id)) continue
    seen.add(id)
    const values = keys.map(({ param }, position) => [param, keyValue(table, param, texts[position] ?? '')] as const)
    for (const assignment of assignments) yield { ...assignment, ...Object.fromEntries(values) }
  }
}

function keyValue(table: HttpTable, name: string, text: string): Assignment[string] {
  const param = table.params.find((candidate) => candidate.name === name)
  if (param === undefined) throw new QuerentError('internal.unexpected', { message: `no parameter ${name}` })
  return toParamValue(table, param, { type: param.type, text })
}

/** Values of the parameters for the columns of their names. */
function batchFacts(
  table: HttpTable,
  { matched }: ScanDetail,
  assignment: Assignment,
): { constants: Readonly<Record<string, Constant>>; match?: Readonly<Record<string, Constant>> } {
  const constants: Record<string, Constant> = {}
  const match: Record<string, Constant> = {}
  for (const { name, isCarried, anyValue } of table.params) {
    const value = assignment[name]
    // A row without a value does not have the one that asked for all rows.
    if (value === undefined || (isCarried && value.wire === anyValue?.wire)) continue
    constants[name] = value.constant
    if (matched.includes(name)) match[name] = value.constant
  }
  return Object.keys(match).length === 0 ? { constants } : { constants, match }
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
