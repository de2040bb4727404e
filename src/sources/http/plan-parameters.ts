import { QuerentError } from '../../errors/querent-error.js'
import type { Constant } from '../../model/constant.js'
import type { Filter } from '../../model/filter.js'
import type { ScanRequest } from '../source.js'
import { isSingle, namesOf, type AssignedValue, type Assignment } from './assignment.js'
import { planBounds, type BoundsPlan } from './bounds.js'
import { chooseRequest, hasPlaces } from './choose-request.js'
import { agoValue, isIntegerType, toWireText } from './data-type.js'
import { conditionsOn, type ColumnConditions } from './filter-values.js'
import type { HttpTable } from './http-table.js'
import type { HttpParam, ParamValue } from './http-param.js'
import { conditionRefused, defaultConflict, requiredFilter, tableText } from './parameter-errors.js'

/** What the parameters of a scan will be. */
export interface ParameterPlan {
  /** Which of the table's requests is made. */
  readonly request: number
  /** One request, or sequence of pages, for each; keys of a bind join multiply them. None: no row can satisfy the query. */
  readonly assignments: readonly Assignment[]
  /** Parameters whose values are keys, in the order of the key's parts that hold them. */
  readonly keys: readonly KeyParam[]
  /** Filters that every row of the requests satisfies. */
  readonly exact: ReadonlySet<Filter>
  /** Filters that the requests carry, exact or not. */
  readonly sent: ReadonlySet<Filter>
  /** Parameters of the answer with values of their own in each request: rows with another value do not belong to it. */
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
  const fitting = fit(table, choices, maxFanout)
  const allKeys = keyParams(table, request, conditions)
  const given = [
    ...fitting.filter(({ source }) => source === 'filter').map(({ param }) => param),
    ...table.params.filter(({ name }) => allKeys.some(({ param }) => param === name)),
  ]
  const requestIndex = chooseRequest(table, given)
  const lists = fitting.filter((list) => isPlaced(table, list, requestIndex))
  const keys = allKeys.filter(({ param }) => {
    const found = table.params.find(({ name }) => name === param)
    if (found === undefined || hasPlaces(found, requestIndex, keyNames(found))) return found !== undefined
    if (!found.isCarried) throw conditionRefused(table, found)
    return false
  })
  const { exact, sent } = filtersOf(lists, conditions)
  const varying = [
    ...lists.filter(({ values }) => values.length > 1).map(({ param }) => param),
    ...table.params.filter(({ name }) => keys.some((key) => key.param === name)),
  ]
  return {
    request: requestIndex,
    assignments: combine(table, lists),
    keys,
    exact,
    sent,
    matched: varying.filter((param) => param.isCarried && !param.exact).map(({ name }) => name),
    notes: [...choices.flatMap(noteOf), ...lists.flatMap(listNote)],
  }
}

type Choice =
  | { readonly kind: 'values'; readonly param: HttpParam; readonly values: readonly Constant[] }
  | { readonly kind: 'bounds'; readonly param: HttpParam; readonly plan: BoundsPlan }
  | { readonly kind: 'fixed'; readonly param: HttpParam; readonly value: ParamValue; readonly from: 'default' | 'any' }
  | { readonly kind: 'none' | 'key' | 'missing' | 'conflict' | 'refused'; readonly param: HttpParam }

/** Integers between two bounds are asked for one by one only where the API takes no bounds. */
function optionsFor(param: HttpParam, maxFanout: number): { isInteger: boolean; maxRange: number } {
  const takesBounds = (['>', '>=', '<', '<='] as const).some((operator) => param.operators.has(operator))
  return { isInteger: isIntegerType(param.type) && !takesBounds, maxRange: maxFanout }
}

function takesValues({ operators }: HttpParam): boolean {
  return operators.has('=') || operators.has('in')
}

/** Whether several values may go in one request: the rows must say which of them is theirs. */
function takesLists(param: HttpParam): param is HttpParam & { readonly list: { readonly max: number } } {
  return param.list !== undefined && param.isCarried
}

function requestsFor(param: HttpParam, values: number): number {
  return takesLists(param) ? Math.ceil(values / param.list.max) : values
}

function choose(
  param: HttpParam,
  request: ScanRequest,
  conditions: ColumnConditions | undefined,
  maxFanout: number,
): Choice {
  const { anyValue, isCarried } = param
  const defaultValue = defaultOf(param)
  if (param.split !== undefined) return { kind: 'none', param }
  if (!param.filterable && defaultValue !== undefined) {
    return { kind: 'fixed', param, value: defaultValue, from: 'default' }
  }
  if (request.keyColumns?.includes(param.name) === true && takesValues(param)) return { kind: 'key', param }
  const values = conditions?.values
  const mayBeLocal = isCarried && !param.required && defaultValue === undefined
  const isFitting = values !== undefined && !(mayBeLocal && requestsFor(param, values.length) > maxFanout)
  if (isFitting && takesValues(param)) return { kind: 'values', param, values }
  const bounds = isCarried ? planBounds(param, request.filters) : undefined
  if (bounds !== undefined) return { kind: 'bounds', param, plan: bounds }
  if (request.forced?.[param.name.toLowerCase()] !== undefined && anyValue !== undefined) {
    return { kind: 'fixed', param, value: anyValue, from: 'any' }
  }
  if (param.required) return { kind: 'missing', param }
  const others = [...(conditions?.others ?? []), ...(isFitting ? (conditions?.covered ?? []) : [])]
  const hasOthers = others.length > 0 || request.otherConditions.includes(param.name)
  if (defaultValue === undefined)
    return { kind: hasOthers && !isCarried && !asksForNull(others) ? 'refused' : 'none', param }
  if (!hasOthers) return { kind: 'fixed', param, value: defaultValue, from: 'default' }
  if (anyValue !== undefined && isCarried) return { kind: 'fixed', param, value: anyValue, from: 'any' }
  return { kind: 'conflict', param }
}

/** What is sent while a query puts no condition on the column. */
export function defaultOf(param: HttpParam): ParamValue | undefined {
  return param.agoSeconds === undefined ? param.defaultValue : agoValue(param.wireType, param.agoSeconds)
}

/** `IS NULL` alone on a parameter that only echoes what was asked: true when it is not asked with. */
function asksForNull(filters: readonly Filter[]): boolean {
  return filters.length > 0 && filters.every((filter) => filter.kind === 'null' && !filter.negated)
}

interface ValueList {
  readonly param: HttpParam
  readonly values: readonly AssignedValue[]
  readonly source: 'filter' | 'fixed'
  readonly bounds?: BoundsPlan
}

/** Leaves lists out, longest first, where the combinations would be too many and the condition can be applied later. */
function fit(table: HttpTable, choices: readonly Choice[], maxFanout: number): readonly ValueList[] {
  const lists = choices.flatMap((choice) => toList(table, choice))
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

function toList(table: HttpTable, choice: Choice): readonly ValueList[] {
  const { param } = choice
  if (choice.kind === 'fixed') return [{ param, values: [choice.value], source: 'fixed' }]
  if (choice.kind === 'bounds') {
    return [{ param, values: [{ bounds: choice.plan.bounds }], source: 'filter', bounds: choice.plan }]
  }
  if (choice.kind !== 'values') return []
  const values = choice.values.map((constant) => toParamValue(table, param, constant))
  return [{ param, values: takesLists(param) ? inLists(param, values) : values, source: 'filter' }]
}

/** Values in lists of what one request takes; a value alone stays one. */
export function inLists(param: HttpParam, values: readonly ParamValue[]): readonly AssignedValue[] {
  if (!takesLists(param)) return values
  const { max } = param.list
  const lists = Array.from({ length: Math.ceil(values.length / max) }, (_, index) =>
    values.slice(index * max, (index + 1) * max),
  )
  return lists.map((list) => (list.length === 1 && list[0] !== undefined ? list[0] : { list }))
}

function mayStayLocal(param: HttpParam): boolean {
  return param.isCarried && !param.required && defaultOf(param) === undefined
}

function combinations(lists: readonly ValueList[]): number {
  return lists.reduce((product, { values }) => product * values.length, 1)
}

/** A parameter without a place in the request is not sent; its condition must then be one that can be applied later. */
function isPlaced(table: HttpTable, { param, values, source }: ValueList, request: number): boolean {
  const names = values.flatMap((value) => namesOf(param, value))
  if (hasPlaces(param, request, names)) return true
  if (source === 'filter' && !param.isCarried) throw conditionRefused(table, param)
  return false
}

function filtersOf(
  lists: readonly ValueList[],
  conditions: ReadonlyMap<string, ColumnConditions>,
): { readonly exact: ReadonlySet<Filter>; readonly sent: ReadonlySet<Filter> } {
  const exact = new Set<Filter>()
  const sent = new Set<Filter>()
  for (const { param, source, bounds } of lists) {
    if (source !== 'filter') continue
    for (const filter of bounds === undefined ? (conditions.get(param.name)?.covered ?? []) : bounds.sent) {
      sent.add(filter)
      if (bounds === undefined && (!param.isCarried || param.exact)) exact.add(filter)
    }
    for (const filter of bounds?.exact ?? []) exact.add(filter)
  }
  return { exact, sent }
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
    if (param === undefined || !takesValues(param)) return []
    const values = conditions.get(column)?.values
    return [{ param: column, index, allowed: values?.flatMap(({ text }) => (text === undefined ? [] : [text])) }]
  })
}

function keyNames(param: HttpParam): readonly string[] {
  return (['=', 'in'] as const).map((operator) => param.emit[operator] ?? param.wireName)
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

function listNote({ param, values }: ValueList): readonly string[] {
  if (values.length < 2 || param.list === undefined || values.some((value) => !isSingle(value))) return []
  return [`${param.name}: one request for each value, because the rows do not say which value they belong to`]
}
