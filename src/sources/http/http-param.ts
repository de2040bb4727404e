import { toDuckdbType } from './data-type.js'
import { pathParams, queryParams } from './endpoint.js'
import type { HttpParamConfig } from './http-config.js'
import type { AnswerColumn, HttpParam, ParamOperator, ParamValue } from './http-table.js'
import { placeOf, slotNames, type Place, type RequestShape } from './request-shape.js'

const defaultOperators: readonly ParamOperator[] = ['=', 'in']

/** A parameter of a table. @param answer columns of the answer: one of the parameter's name carries its value */
export function createParam(
  param: HttpParamConfig,
  shapes: readonly RequestShape[],
  answer: readonly AnswerColumn[],
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
    places: shapes.map((shape) => placesIn(shape, param, shapes)),
  }
}

function placesIn(
  shape: RequestShape,
  param: HttpParamConfig,
  shapes: readonly RequestShape[],
): ReadonlyMap<string, Place> {
  const places = new Map<string, Place>()
  for (const name of slotNames(param)) {
    const isElsewhere = shapes.some((other) => isPlacedIn(other, name))
    const place = placeOf(shape, name, param, isElsewhere)
    if (place !== undefined) places.set(name, place)
  }
  return places
}

function isPlacedIn({ endpoint, body }: RequestShape, name: string): boolean {
  return [...pathParams(endpoint), ...queryParams(endpoint)].includes(name) || body?.params.has(name) === true
}
