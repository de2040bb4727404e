import { QuerentError } from '../../errors/querent-error.js'
import type { Bound } from './bounds.js'
import type { HttpTable } from './http-table.js'
import type { HttpParam, ParamValue } from './http-param.js'
import { tableText } from './parameter-errors.js'
import { toJsonValue } from './request-body.js'

/** What a parameter is in one request: one value, several at once, or the ends of a range. */
export type AssignedValue =
  ParamValue | { readonly list: readonly ParamValue[] } | { readonly bounds: readonly Bound[] }

/** Parameters of one request, by name. A parameter that is not there is not sent. */
export type Assignment = Readonly<Record<string, AssignedValue>>

/** A value under the name that it is sent with. */
export interface Slot {
  readonly name: string
  readonly texts: readonly string[]
  /** As a value of a JSON body. */
  readonly json: unknown
  /** Between the texts where they make one value. */
  readonly separator: string | undefined
}

export function isSingle(value: AssignedValue | undefined): value is ParamValue {
  return value !== undefined && 'wire' in value
}

/** Names that the value is sent under. */
export function namesOf(param: HttpParam, value: AssignedValue): readonly string[] {
  if ('bounds' in value) return value.bounds.map(({ name }) => name)
  return [param.emit[isSingle(value) ? '=' : 'in'] ?? param.wireName]
}

/** Throws `source.bad_parameter` for a value that would be taken for several. */
export function slotsOf(table: HttpTable, param: HttpParam, value: AssignedValue): readonly Slot[] {
  if ('bounds' in value) {
    return value.bounds.map(({ name, wire, type }) => ({
      name,
      texts: [wire],
      json: toJsonValue(type, wire),
      separator: undefined,
    }))
  }
  const values = isSingle(value) ? [value] : value.list
  const separator = param.list?.separator
  const texts = values.map(({ wire }) => wire)
  if (separator !== undefined && texts.some((text) => text.includes(separator))) {
    const reason = `it holds ${JSON.stringify(separator)}, which separates values there`
    throw new QuerentError('source.bad_parameter', { table: tableText(table), column: param.name, reason })
  }
  const name = param.emit[isSingle(value) ? '=' : 'in'] ?? param.wireName
  const items = texts.map((text) => toJsonValue(param.type, text))
  const json = isSingle(value) ? items[0] : separator === undefined ? items : texts.join(separator)
  return [{ name, texts, json, separator }]
}

/** The assignment with the values that are parts of others. */
export function withParts(table: HttpTable, assignment: Assignment): Assignment {
  const parts: Record<string, AssignedValue> = {}
  for (const param of table.params) {
    const { split } = param
    if (split === undefined) continue
    const from = table.params.find(({ wireName }) => wireName === split.from)
    const whole = from === undefined ? undefined : assignment[from.name]
    if (!isSingle(whole)) continue
    const text = whole.wire.split(split.separator)[split.part]
    if (text === undefined) {
      const reason = `it has no part ${split.part} between ${JSON.stringify(split.separator)}`
      throw new QuerentError('source.bad_parameter', { table: tableText(table), column: from?.name, reason })
    }
    parts[param.name] = { wire: text, constant: { type: param.type, text } }
  }
  return { ...assignment, ...parts }
}
