import { JsonNumber, stringifyLossless } from '../../util/lossless-json.js'
import { isIntegerType } from './data-type.js'
import type { JsonPath } from './json-path.js'

/** What a request carries beside its address. JSON values may hold `JsonNumber`. */
export type RequestBody =
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'form'; readonly pairs: readonly (readonly [name: string, value: string])[] }

export function bodyContentType({ kind }: RequestBody): string {
  return kind === 'json' ? 'application/json' : 'application/x-www-form-urlencoded'
}

export function bodyText(body: RequestBody): string {
  return body.kind === 'json'
    ? stringifyLossless(body.value)
    : new URLSearchParams(body.pairs.map(([name, value]): [string, string] => [name, value])).toString()
}

/** The body with one more member; one of that name is replaced. @param path keys from the root, the name alone in a form */
export function withMember(body: RequestBody, path: JsonPath, value: unknown): RequestBody {
  if (body.kind === 'json') return { kind: 'json', value: placed(body.value, path, value) }
  const name = path.map(String).join('.')
  const kept = body.pairs.filter(([other]) => other !== name)
  return { kind: 'form', pairs: [...kept, [name, value instanceof JsonNumber ? value.text : String(value)]] }
}

/** A parameter's text as a value of JSON. */
export function toJsonValue(type: string, text: string): unknown {
  if (type === 'BOOLEAN' && /^(?:true|false)$/.test(text)) return text === 'true'
  const isNumber = isIntegerType(type) || /^(?:DOUBLE|FLOAT|DECIMAL)/.test(type)
  return isNumber && /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text) ? new JsonNumber(text) : text
}

function placed(root: unknown, [key, ...rest]: JsonPath, value: unknown): unknown {
  if (key === undefined) return value
  if (Array.isArray(root) && typeof key === 'number') {
    const items: unknown[] = [...(root as readonly unknown[])]
    items[key] = placed(items[key], rest, value)
    return items
  }
  const members = typeof root === 'object' && root !== null && !Array.isArray(root) ? Object.entries(root) : []
  const own: unknown = members.find(([name]) => name === String(key))?.[1]
  return Object.fromEntries([...members.filter(([name]) => name !== String(key)), [key, placed(own, rest, value)]])
}
