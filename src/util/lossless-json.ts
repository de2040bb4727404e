/**
 * A number that JavaScript would print differently: a large integer, NaN, an infinity, negative zero, or a real such as
 * `1000.0`, which DuckDB refuses to read back as `1000`.
 */
export class JsonNumber {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** Where none of these occurs, no token can lose anything in JSON.parse. */
const risky = /\d{16}|NaN|Infinity|-0|\.0/
const numberToken = /-?(?:Infinity|\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|NaN/y
const stringToken = /"[^"\\]*(?:\\.[^"\\]*)*"/sy
const literals: readonly (readonly [string, boolean | null])[] = [
  ['true', true],
  ['false', false],
  ['null', null],
]

/**
 * Parses JSON as DuckDB prints it, bare `NaN` and `Infinity` included. Numbers that JavaScript would change become
 * `JsonNumber`; all else is as JSON.parse gives it. Throws SyntaxError for text that is not JSON.
 */
export function parseLossless(text: string): unknown {
  return risky.test(text) ? new LosslessParser(text).parse() : JSON.parse(text)
}

/** A container whose closing mark has not come yet. */
type OpenContainer =
  | { readonly close: ']'; readonly value: unknown[] }
  | { readonly close: '}'; readonly value: Record<string, unknown>; key: string }

/** Keeps its own stack: a statement of DuckDB's greatest depth nests deeper than JavaScript's stack allows. */
class LosslessParser {
  readonly #text: string
  readonly #open: OpenContainer[] = []
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  parse(): unknown {
    for (;;) {
      this.#skipSpace()
      if (this.#entersContainer()) continue
      const root = this.#completed(this.#leaf())
      if (root === undefined) continue
      this.#skipSpace()
      if (this.#at < this.#text.length) this.#fail()
      return root.value
    }
  }

  /** Opens a container that has at least one entry; an empty one is a leaf. */
  #entersContainer(): boolean {
    const mark = this.#text[this.#at]
    if (mark !== '{' && mark !== '[') return false
    const start = this.#at++
    this.#skipSpace()
    if (this.#text[this.#at] === (mark === '{' ? '}' : ']')) {
      this.#at = start
      return false
    }
    if (mark === '[') this.#open.push({ close: ']', value: [] })
    else this.#open.push({ close: '}', value: {}, key: this.#key() })
    return true
  }

  /** Hands a value to its container, closing every container that ends here; the root when the text's value is whole. */
  #completed(leaf: unknown): { readonly value: unknown } | undefined {
    let value = leaf
    for (;;) {
      const container = this.#open.at(-1)
      if (container === undefined) return { value }
      if (container.close === ']') container.value.push(value)
      else setEntry(container.value, container.key, value)
      if (this.#takes(',')) {
        if (container.close === '}') container.key = this.#key()
        return undefined
      }
      this.#expect(container.close)
      this.#open.pop()
      value = container.value
    }
  }

  #leaf(): unknown {
    const first = this.#text[this.#at]
    if (first === '{') return this.#empty('}', {})
    if (first === '[') return this.#empty(']', [])
    if (first === '"') return this.#string()
    for (const [word, value] of literals) {
      if (this.#text.startsWith(word, this.#at)) {
        this.#at += word.length
        return value
      }
    }
    return toNumber(this.#token(numberToken))
  }

  #empty(close: string, value: object): object {
    this.#at++
    this.#expect(close)
    return value
  }

  #key(): string {
    this.#skipSpace()
    const key = this.#string()
    this.#expect(':')
    return key
  }

  #string(): string {
    const token = this.#token(stringToken)
    return token.includes('\\') ? (JSON.parse(token) as string) : token.slice(1, -1)
  }

  #token(pattern: RegExp): string {
    pattern.lastIndex = this.#at
    const token = pattern.exec(this.#text)?.[0]
    if (token === undefined) this.#fail()
    this.#at += token.length
    return token
  }

  #takes(mark: string): boolean {
    this.#skipSpace()
    if (this.#text[this.#at] !== mark) return false
    this.#at++
    return true
  }

  #expect(mark: string): void {
    if (!this.#takes(mark)) this.#fail()
  }

  #skipSpace(): void {
    while (isSpace(this.#text.charCodeAt(this.#at))) this.#at++
  }

  #fail(): never {
    throw new SyntaxError(`Unexpected token in JSON at position ${this.#at}`)
  }
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
}

/** Assigning to `__proto__` would set the prototype; JSON.parse makes it a property like any other. */
function setEntry(entries: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(entries, key, { value, enumerable: true, configurable: true, writable: true })
  } else {
    entries[key] = value
  }
}

function toNumber(token: string): number | JsonNumber {
  const value = Number(token)
  if (!Number.isFinite(value) || Object.is(value, -0)) return new JsonNumber(token)
  const whole = Number.isInteger(value) && !isReal(String(value))
  const changes = isReal(token) ? whole : !Number.isSafeInteger(value)
  return changes ? new JsonNumber(token) : value
}

function isReal(token: string): boolean {
  return /[.eE]/.test(token)
}

/** What is left to print: a value, or text that stands as it is. */
type PrintStep = { readonly value: unknown } | { readonly mark: string }

/** Prints what `parseLossless` gave: a `JsonNumber` as its text, all else as JSON.stringify prints it. */
export function stringifyLossless(value: unknown): string {
  const parts: string[] = []
  const steps: PrintStep[] = [{ value }]
  for (let step = steps.pop(); step !== undefined; step = steps.pop()) {
    if ('mark' in step) parts.push(step.mark)
    else if (isContainer(step.value)) for (const next of containerSteps(step.value).reverse()) steps.push(next)
    else parts.push(step.value instanceof JsonNumber ? step.value.text : JSON.stringify(step.value ?? null))
  }
  return parts.join('')
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !(value instanceof JsonNumber)
}

function containerSteps(container: object): PrintStep[] {
  const isArray = Array.isArray(container)
  const steps: PrintStep[] = [{ mark: isArray ? '[' : '{' }]
  for (const [key, value] of Object.entries(container) as [string, unknown][]) {
    if (!isArray && value === undefined) continue
    const comma = steps.length > 1 ? ',' : ''
    steps.push({ mark: isArray ? comma : `${comma}${JSON.stringify(key)}:` }, { value })
  }
  steps.push({ mark: isArray ? ']' : '}' })
  return steps
}
