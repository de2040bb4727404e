import { QuerentError } from '../../errors/querent-error.js'
import type { Constant } from '../../model/constant.js'
import type { Filter } from '../../model/filter.js'
import type { ScanRequest } from '../source.js'
import { isIntegerType, toWireText } from './data-type.js'
import { conditionsOn, type ColumnConditions } from './filter-values.js'
import type { HttpParam, HttpTable, ParamValue } from './http-table.js'
import { conditionRefused, defaultConflict, requiredFilter, tableText } from './parameter-errors.js'

/** Parameters of one request: name to value. A parameter that is not there is not sent. */
export type Assignment = Readonly<Record<string, ParamValue>>

/** What the parameters of a scan will be. */
export interface ParameterPlan {
  /** One request, or sequence of pages, for each; keys of a bind join multiply them. None: no row can satisfy the query. */
  readonly assignments: readonly Assignment[]
  /** Parameters whose values are keys, in the order of the key's parts that hold them. */
  readonly keys: readonly KeyParam[]
  /** Filters that every row of the requests satisfies. */
  readonly exact: ReadonlySet<Filter>
  /** Filters that the requests carry, exact or not. */
  readonly sent: ReadonlySet<Filter>
  /** Parameters of the answer with a value of their own in each request: rows with another value do not belong to it. */
  readonly matched: readonly string[]
  readonly notes: readonly string[]
}

export interface KeyParam {
  readonly param: string
  /** Position in the key's tuple. */
  readonly index: number
  /** The only texts that the query's own conditions leave. */
  readonly allowed: readonly string[] | undefined
}

/** Decides each parameter from the query's conditions. Throws where the scan must be refused. */
export function planParameters(table: HttpTable, request: ScanRequest, maxFanout: number): ParameterPlan {
  const conditions = new Map(
    table.params.map((param) => [param.name, conditionsOn(param.name, request.filters, optionsFor(param, maxFanout))]),
  )
  const choices = table.params.map((param) => choose(param, request, conditions.get(param.name), maxFanout))
  const missing = choices.filter((choice) => choice.kind === 'missing').map(({ param }) => param)
  if (missing.length > 0) throw requiredFilter(table, missing)
  for (const choice of choices) {
    if (choice.kind === 'conflict') throw defaultConflict(table, choice.param)
    if (choice.kind === 'refused') throw conditionRefused(table, choice.param)
  }
  const lists = fit(table, choices, maxFanout)
  const keys = keyParams(table, request, conditions)
  const exact = new Set<Filter>()
  const sent = new Set<Filter>()
  for (const { param } of lists.filter(({ source }) => source === 'filter')) {
    for (const filter of conditions.get(param.name)?.covered ?? []) {
      sent.add(filter)
      if (!param.isCarried || param.exact) exact.add(filter)
    }
  }
  const varying = [
    ...lists.filter(({ values }) => values.length > 1).map(({ param }) => param),
    ...table.params.filter(({ name }) => keys.some((key) => key.param === name)),
  ]
  return {
    assignments: combine(table, lists),
    keys,
    exact,
    sent,
    matched: varying.filter((param) => param.isCarried && !param.exact).map(({ name }) => name),
    notes: choices.flatMap(noteOf),
  }
}

type Choice =
  | { readonly kind: 'values'; readonly param: HttpParam; readonly values: readonly Constant[] }
  | { readonly kind: 'fixed'; readonly param: HttpParam; readonly value: ParamValue; readonly from: 'default' | 'any' }
  | { readonly kind: 'none' | 'key' | 'missing' | 'conflict' | 'refused'; readonly param: HttpParam }

function optionsFor(param: HttpParam, maxFanout: number): { isInteger: boolean; maxRange: number } {
  return { isInteger: isIntegerType(param.type), maxRange: maxFanout }
}

function choose(
  param: HttpParam,
  request: ScanRequest,
  conditions: ColumnConditions | undefined,
  maxFanout: number,
): Choice {
  const { defaultValue, anyValue, isCarried } = param
  if (!param.filterable && defaultValue !== undefined) {
    return { kind: 'fixed', param, value: defaultValue, from: 'default' }
  }
  if (request.keyColumns?.includes(param.name) === true) return { kind: 'key', param }
  const values = conditions?.values
  const mayBeLocal = isCarried && !param.required && defaultValue === undefined
  if (values !== undefined && !(mayBeLocal && values.length > maxFanout)) return { kind: 'values', param, values }
  if (request.forced?.[param.name.toLowerCase()] !== undefined && anyValue !== undefined) {
    return { kind: 'fixed', param, value: anyValue, from: 'any' }
  }
  if (param.required) return { kind: 'missing', param }
  const others = conditions?.others ?? []
  const hasOthers = others.length > 0 || request.otherConditions.includes(param.name)
  if (defaultValue === undefined)
    return { kind: hasOthers && !isCarried && !asksForNull(others) ? 'refused' : 'none', param }
  if (!hasOthers) return { kind: 'fixed', param, value: defaultValue, from: 'default' }
  if (anyValue !== undefined && isCarried) return { kind: 'fixed', param, value: anyValue, from: 'any' }
  return { kind: 'conflict', param }
}

/** `IS NULL` alone on a parameter that only echoes what was asked: true when it is not asked with. */
function asksForNull(filters: readonly Filter[]): boolean {
  return filters.length > 0 && filters.every((filter) => filter.kind === 'null' && !filter.negated)
}

interface ValueList {
  readonly param: HttpParam
  readonly values: readonly ParamValue[]
  readonly source: 'filter' | 'fixed'
}

/** Leaves lists out, longest first, where the combinations would be too many and the condition can be applied later. */
function fit(table: HttpTable, choices: readonly Choice[], maxFanout: number): readonly ValueList[] {
  const lists = choices.flatMap((choice): readonly ValueList[] => {
    if (choice.kind === 'fixed') return [{ param: choice.param, values: [choice.value], source: 'fixed' }]
    if (choice.kind !== 'values') return []
    const values = choice.values.map((constant) => toParamValue(table, choice.param, constant))
    return [{ param: choice.param, values, source: 'filter' }]
  })
  const droppable = lists
    .filter(({ param, values }) => values.length > 1 && mayStayLocal(param))
    .sort((a, b) => a.values.length - b.values.length)
  let kept: readonly ValueList[] = lists
  while (combinations(kept) > maxFanout) {
    const dropped = droppable.pop()
    if (dropped === undefined) {
      const columns = kept.filter(({ values }) => values.length > 1).map(({ param }) => param.name)
      const params = {
        table: tableText(table),
        requests: combinations(kept),
        columns: columns.join(' and '),
        max: maxFanout,
      }
      throw new QuerentError('source.fan_out', params)
    }
    kept = kept.filter((list) => list !== dropped)
  }
  return kept
}

function mayStayLocal(param: HttpParam): boolean {
  return param.isCarried && !param.required && param.defaultValue === undefined
}

function combinations(lists: readonly ValueList[]): number {
  return lists.reduce((product, { values }) => product * values.length, 1)
}

function combine(table: HttpTable, lists: readonly ValueList[]): readonly Assignment[] {
  let assignments: Assignment[] = [{}]
  for (const param of table.params) {
    const list = lists.find((candidate) => candidate.param === param)
    if (list === undefined) continue
    assignments = assignments.flatMap((assignment) =>
      list.values.map((value) => ({ ...assignment, [param.name]: value })),
    )
  }
  return assignments
}

function keyParams(
  table: HttpTable,
  request: ScanRequest,
  conditions: ReadonlyMap<string, ColumnConditions>,
): readonly KeyParam[] {
  return (request.keyColumns ?? []).flatMap((column, index) => {
    const param = table.params.find(({ name, filterable }) => name === column && filterable)
    if (param === undefined) return []
    const values = conditions.get(column)?.values
    return [{ param: column, index, allowed: values?.flatMap(({ text }) => (text === undefined ? [] : [text])) }]
  })
}

/** A value as it is sent; refused where no API knows it. */
export function toParamValue(table: HttpTable, param: HttpParam, constant: Constant): ParamValue {
  const wire = constant.text === undefined ? undefined : toWireText(param.type, constant.text)
  if (wire === undefined) {
    const reason = `an API does not know ${constant.text ?? 'NULL'} as ${param.type}`
    throw new QuerentError('source.bad_parameter', { table: tableText(table), column: param.name, reason })
  }
  return { wire, constant: { type: param.type, text: constant.text } }
}

function noteOf(choice: Choice): readonly string[] {
  if (choice.kind !== 'fixed') return []
  const { name } = choice.param
  const { wire } = choice.value
  if (choice.from === 'any') return [`${name}: asked for all rows with ${wire}; the condition is applied afterwards`]
  return [`${name}: the default ${wire} holds, because the query puts no condition on it`]
}
