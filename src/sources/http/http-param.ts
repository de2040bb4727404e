import type { Constant } from '../../model/constant.js'
import { toDuckdbType } from './data-type.js'
import { pathParams, queryParams } from './endpoint.js'
import type { HttpParamConfig } from './table-config.js'
import { placeOf, slotNames, type Place, type RequestShape } from './request-shape.js'

/** A parameter's value: the text that is sent, and the constant that SQL sees. */
export interface ParamValue {
  readonly wire: string
  readonly constant: Constant
}

export interface HttpParam {
  /** Column of the table. */
  readonly name: string
  /** Name in the request: the column's, but for its case. */
  readonly wireName: string
  readonly type: string
  /** Type of what is sent for a range, where it is not the column's. */
  readonly wireType: string
  readonly description: string | undefined
  readonly required: boolean
  readonly filterable: boolean
  readonly exact: boolean
  readonly operators: ReadonlySet<ParamOperator>
  /** Name in the request by operator. */
  readonly emit: Readonly<Partial<Record<ParamOperator, string>>>
  /** Many values in one request; absent: one request for each. */
  readonly list: { readonly separator: string | undefined; readonly max: number } | undefined
  /** A value that is a part of another parameter's. */
  readonly split: { readonly from: string; readonly separator: string; readonly part: number } | undefined
  readonly defaultValue: ParamValue | undefined
  /** Instead of a default: the time this long before the query. */
  readonly agoSeconds: number | undefined
  readonly anyValue: ParamValue | undefined
  /** The answer has this column too: its value wins over the one asked with, and may differ from it. */
  readonly isCarried: boolean
  /** Where values go in each of the table's requests, by the name they are sent under. */
  readonly places: readonly ReadonlyMap<string, Place>[]
}

export type ParamOperator = '=' | 'in' | '>' | '>=' | '<' | '<='

const defaultOperators: readonly ParamOperator[] = ['=', 'in']

/**
 * A parameter of a table.
 *
 * @param answer columns of the answer: one of the parameter's name carries its value
 * @param isTakenApart other parameters are parts of this one
 */
export function createParam(
  param: HttpParamConfig,
  shapes: readonly RequestShape[],
  answer: readonly { readonly name: string; readonly type: string }[],
  isTakenApart: boolean,
): HttpParam {
  const carried = answer.find(({ name }) => name.toLowerCase() === param.name.toLowerCase())
  const own = param.type === undefined ? undefined : toDuckdbType(param.type)
  const type = carried?.type ?? own ?? 'VARCHAR'
  const value = (text: string | number | boolean | undefined): ParamValue | undefined =>
    text === undefined ? undefined : { wire: String(text), constant: { type, text: String(text) } }
  const { explode, derive } = param
  const list = explode === true ? { max: 50, separator: undefined } : explode === false ? undefined : explode
  return {
    name: carried?.name ?? param.name,
    wireName: param.name,
    type,
    wireType: own ?? type,
    description: param.description,
    required: param.required ?? false,
    filterable: (param.filterable ?? true) && derive?.kind !== 'split',
    exact: param.exact ?? false,
    operators: new Set(param.accepts ?? defaultOperators),
    emit: param.emit ?? {},
    list: list === undefined ? undefined : { separator: list.separator, max: list.max },
    split: derive?.kind === 'split' ? derive : undefined,
    defaultValue: value(param.default),
    agoSeconds: derive?.kind === 'ago' ? derive.seconds : undefined,
    anyValue: value(param.any),
    isCarried: carried !== undefined,
    places: shapes.map((shape) => placesIn(shape, param, { shapes, isTakenApart })),
  }
}

function placesIn(
  shape: RequestShape,
  param: HttpParamConfig,
  { shapes, isTakenApart }: { readonly shapes: readonly RequestShape[]; readonly isTakenApart: boolean },
): ReadonlyMap<string, Place> {
  const places = new Map<string, Place>()
  for (const name of slotNames(param)) {
    const isElsewhere = shapes.some((other) => isPlacedIn(other, name))
    const place = placeOf(shape, name, param, isElsewhere)
    const isOnlyParts = isTakenApart && param.in === undefined && (place === 'query' || place === undefined)
    if (isOnlyParts) places.set(name, 'parts')
    else if (place !== undefined) places.set(name, place)
  }
  return places
}

function isPlacedIn({ endpoint, body }: RequestShape, name: string): boolean {
  return [...pathParams(endpoint), ...queryParams(endpoint)].includes(name) || body?.params.has(name) === true
}
