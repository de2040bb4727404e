import { JsonNumber, parseLossless } from '../../../util/lossless-json.js'
import { usage } from '../usage.js'

/** `name=value` pairs. A value that is JSON is that value, large integers exact; all else is text. */
export function parseParams(pairs: readonly string[]): Readonly<Record<string, unknown>> {
  const params = new Map<string, unknown>()
  for (const pair of pairs) {
    const at = pair.indexOf('=')
    const name = pair.slice(0, Math.max(0, at)).replace(/^\$/, '')
    if (name === '') throw usage(`--param takes name=value, not ${pair}.`)
    if (params.has(name)) throw usage(`--param gives ${name} twice.`)
    params.set(name, paramValue(pair.slice(at + 1)))
  }
  return Object.fromEntries(params)
}

function paramValue(text: string): unknown {
  if (/^-?(?:NaN|Infinity)$/.test(text)) return text
  try {
    return exactIntegers(parseLossless(text))
  } catch (error) {
    if (error instanceof SyntaxError) return text
    throw error
  }
}

function exactIntegers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(exactIntegers)
  if (!(value instanceof JsonNumber)) return value
  return /^-?\d+$/.test(value.text) ? BigInt(value.text) : Number(value.text)
}
