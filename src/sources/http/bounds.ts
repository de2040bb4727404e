import type { Constant } from '../../model/constant.js'
import type { Filter } from '../../model/filter.js'
import { isIntegerType, toWireText } from './data-type.js'
import type { HttpParam, ParamOperator } from './http-param.js'

/** One end of a range as it is sent. */
export interface Bound {
  /** Name in the request. */
  readonly name: string
  readonly wire: string
  readonly type: string
}

export interface BoundsPlan {
  readonly bounds: readonly Bound[]
  /** Filters whose rows the bounds keep all of. */
  readonly sent: readonly Filter[]
  /** Filters that the bounds say in full. */
  readonly exact: readonly Filter[]
}

type Side = 'lower' | 'upper'
type Comparison = Extract<Filter, { readonly kind: 'compare' }>

const sides: readonly Side[] = ['lower', 'upper']
const operatorsOf = { lower: ['>', '>='], upper: ['<', '<='] } as const

/**
 * The ends of the range that a conjunction leaves for a parameter, as far as its API takes them. Each keeps every row
 * that satisfies the condition: where the API's operator or granularity differs, the bound is moved outwards.
 */
export function planBounds(param: HttpParam, filters: readonly Filter[]): BoundsPlan | undefined {
  const bounds: Bound[] = []
  const sent = new Set<Filter>()
  const exact: Filter[] = []
  for (const side of sides) {
    const tightest = tightestOf(filters, param, side)
    if (tightest === undefined) continue
    const found = boundFor(param, tightest, side)
    if (found === undefined) continue
    bounds.push(found.bound)
    sent.add(tightest)
    if (found.isExact) exact.push(tightest)
  }
  return bounds.length === 0 ? undefined : { bounds, sent: [...sent], exact }
}

function tightestOf(filters: readonly Filter[], param: HttpParam, side: Side): Comparison | undefined {
  let best: Comparison | undefined
  for (const filter of filters) {
    if (filter.kind !== 'compare' || filter.column !== param.name || filter.value.text === undefined) continue
    if (filter.operator !== '=' && !isOf(side, filter.operator)) continue
    if (best === undefined || isTighter(filter.value, best.value, side)) best = filter
  }
  return best
}

/** Of values that cannot be compared here the first is as good: every bound is applied again. */
function isTighter(value: Constant, other: Constant, side: Side): boolean {
  const [a, b] = [orderOf(value), orderOf(other)]
  if (a === undefined || b === undefined || typeof a !== typeof b) return false
  return side === 'lower' ? a > b : a < b
}

function orderOf({ type, text = '' }: Constant): bigint | number | string | undefined {
  if (isIntegerType(type)) return BigInt(text)
  if (/^(?:DOUBLE|FLOAT|DECIMAL)/.test(type)) return Number(text)
  return toWireText(type, text) === undefined ? undefined : text
}

interface FoundBound {
  readonly bound: Bound
  readonly isExact: boolean
}

function boundFor(param: HttpParam, { operator, value }: Comparison, side: Side): FoundBound | undefined {
  const [strict, loose] = operatorsOf[side]
  const asked = operator === strict ? strict : loose
  const bound = (used: ParamOperator, wire: string): Bound => ({
    name: param.emit[used] ?? param.wireName,
    wire,
    type: param.wireType,
  })
  if (param.exact && asked === operator && param.operators.has(asked) && param.wireType === param.type) {
    const wire = toWireText(value.type, value.text ?? '')
    return wire === undefined ? undefined : { bound: bound(asked, wire), isExact: true }
  }
  const scale = scaleOf(param, value, side)
  if (scale === undefined) return undefined
  const steps = (count: number): string => scale.at(side === 'lower' ? -count : count)
  // An API that cuts its own times to seconds takes 10:00:00.5 for not later than 10:00:00.
  const mayBeStrict = asked === strict && !(scale.isTime && side === 'lower')
  if (mayBeStrict && param.operators.has(strict)) return { bound: bound(strict, steps(0)), isExact: false }
  if (param.operators.has(loose)) return { bound: bound(loose, steps(0)), isExact: false }
  if (!param.operators.has(strict) || !scale.hasSteps) return undefined
  return { bound: bound(strict, steps(1)), isExact: false }
}

/** A bound in units of what is sent, rounded outwards. */
interface Scale {
  readonly at: (steps: number) => string
  readonly hasSteps: boolean
  readonly isTime: boolean
}

const secondMs = 1_000
const dayMs = 86_400_000

function scaleOf(param: HttpParam, { type, text = '' }: Constant, side: Side): Scale | undefined {
  const sends = param.wireType
  if (type.startsWith('TIMESTAMP') || type === 'DATE') return timeScale(type, text, sends, side)
  if (isIntegerType(type)) {
    return { at: (steps) => String(BigInt(text) + BigInt(steps)), hasSteps: true, isTime: false }
  }
  // The order of texts differs between an API and SQL.
  const wire = /^(?:DOUBLE|FLOAT|DECIMAL)/.test(type) ? toWireText(type, text) : undefined
  return wire === undefined ? undefined : { at: () => wire, hasSteps: false, isTime: false }
}

function timeScale(type: string, text: string, sends: string, side: Side): Scale | undefined {
  const wire = toWireText(type, text)
  if (wire === undefined) return undefined
  const isDate = type === 'DATE'
  // Milliseconds hold what is rounded to seconds; microseconds below them only say which way.
  const exactMs = Date.parse(isDate ? `${wire}T00:00:00Z` : wire.replace(/\.\d+/, ''))
  const hasFraction = /\.\d*[1-9]/.test(wire)
  if (Number.isNaN(exactMs)) return undefined
  const unit = sends === 'DATE' ? dayMs : secondMs
  const isBetween = hasFraction || exactMs % unit !== 0
  const floor = Math.floor(exactMs / unit)
  const rounded = side === 'lower' || !isBetween ? floor : floor + 1
  // A day begins at another time where the API lives than in UTC.
  const outwards = sends === 'DATE' && !isDate ? (side === 'lower' ? -1 : 1) : 0
  const print = printerFor(sends)
  if (print === undefined) return undefined
  return { at: (steps) => print((rounded + outwards + steps) * unit), hasSteps: true, isTime: !isDate }
}

/** How a time is sent: ISO 8601, a date, or seconds since 1970 for a number. */
function printerFor(sends: string): ((ms: number) => string) | undefined {
  if (sends === 'DATE') return (ms) => new Date(ms).toISOString().slice(0, 10)
  if (sends.startsWith('TIMESTAMP') || sends === 'VARCHAR') {
    return (ms) => new Date(ms).toISOString().replace('.000Z', 'Z')
  }
  return isIntegerType(sends) ? (ms) => String(ms / 1_000) : undefined
}

function isOf(side: Side, operator: string): boolean {
  return operatorsOf[side].some((known) => known === operator)
}
