import { quote } from './text.js'

/** Nesting that common JSON parsers still read; deeper JSON is handed over as text. */
const maxDepth = 200

/**
 * JSON of a JSON column for embedding in the answer. Every number that a double would change becomes a string, as do
 * NaN and the infinities, which DuckDB lets pass. What cannot be embedded without losing something (one object with a
 * key twice, extreme depth, no JSON at all) is handed over whole, as a string of its text.
 */
export function embedJson(text: string): string {
  return isPlain(text) ? text : (rewrite(text) ?? quote(text))
}

/** An integer of 16 digits may pass 2^53 and still print the same. */
const manyDigits = /\d{16}/

/** true where parsing and printing gives the same text: nothing can be lost, and no key stands twice. */
function isPlain(text: string): boolean {
  if (manyDigits.test(text) || mayBeDeep(text)) return false
  try {
    return JSON.stringify(JSON.parse(text)) === text
  } catch {
    return false
  }
}

function mayBeDeep(text: string): boolean {
  if (text.length < 2 * maxDepth) return false
  let depth = 0
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === 0x5b || code === 0x7b) {
      if (++depth > maxDepth) return true
    } else if (code === 0x5d || code === 0x7d) depth--
  }
  return false
}

/** Strings are only delimited here: whether their escapes are valid is tested on the whole. */
const token =
  /[ \t\n\r]*(?:("[^"\\]*(?:\\[^][^"\\]*)*")|([{}[\]:,])|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)|(true|false|null)|(-?(?:nan|inf(?:inity)?)))[ \t\n\r]*/iy

/** Copies the tokens; undefined where the text cannot be embedded. The parse at the end judges the order of signs. */
function rewrite(text: string): string | undefined {
  const open: OpenBracket[] = []
  let json = ''
  let afterValue = false
  let comma = false
  token.lastIndex = 0
  while (token.lastIndex < text.length) {
    const match = token.exec(text)
    if (match === null) return undefined
    const [, string, sign] = match
    if (sign !== undefined) {
      if (!follow(open, sign)) return undefined
    } else {
      // Without white space two values would become one.
      if (afterValue) return undefined
      if (string !== undefined && text.charAt(token.lastIndex) === ':' && !isNewKey(open, string)) return undefined
    }
    // DuckDB takes a comma before the end; JSON does not.
    if (comma && sign !== '}' && sign !== ']') json += ','
    comma = sign === ','
    if (!comma) json += sign ?? string ?? plainValue(match)
    afterValue = sign === undefined
  }
  if (comma) return undefined
  return parse(json) === undefined ? undefined : json
}

interface OpenBracket {
  readonly close: string
  readonly keys: Set<string>
}

/** false: a bracket that closes nothing, or too much nesting. */
function follow(open: OpenBracket[], sign: string): boolean {
  if (sign === '{' || sign === '[') open.push({ close: sign === '{' ? '}' : ']', keys: new Set() })
  else if (sign === '}' || sign === ']') return open.pop()?.close === sign
  return open.length <= maxDepth
}

function isNewKey(open: readonly OpenBracket[], string: string): boolean {
  const keys = open.at(-1)?.keys
  const key = parse(string)
  if (keys === undefined || typeof key !== 'string' || keys.has(key)) return false
  keys.add(key)
  return true
}

/** The JSON of a number or word. */
function plainValue([, , , number, word, special]: RegExpExecArray): string {
  if (number !== undefined) return exactNumber(number)
  return word !== undefined ? word.toLowerCase() : specialNumber(special ?? '')
}

/** undefined: no JSON. */
function parse(json: string): unknown {
  try {
    return JSON.parse(json) as unknown
  } catch {
    return undefined
  }
}

function specialNumber(text: string): string {
  if (/nan/i.test(text)) return '"NaN"'
  return text.startsWith('-') ? '"-Infinity"' : '"Infinity"'
}

/** The number as it stands where a double holds it, else quoted. */
function exactNumber(text: string): string {
  const value = Number(text)
  if (Number.isSafeInteger(value) && /^-?\d{1,16}$/.test(text)) return text
  const kept = Number.isFinite(value) && !/^-?\d+$/.test(text) && significand(text) === significand(String(value))
  return kept ? text : `"${text}"`
}

/** Digits and exponent of a number without what does not change it: `1.50e1` and `15` are both `15e0`. */
function significand(text: string): string {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e')
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.')
  const digits = (whole + fraction).replace(/^0+/, '')
  const trimmed = digits.replace(/0+$/, '')
  if (trimmed === '') return '0'
  return `${trimmed}e${Number(exponent) - fraction.length + (digits.length - trimmed.length)}`
}
