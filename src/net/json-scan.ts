import { setImmediate as nextTurn } from 'node:timers/promises'

export interface JsonScanOptions {
  /** Keys from the root to the rows. */
  readonly rowsPath: readonly string[]
  /** Keys from the root to further values to hand out, such as a cursor. */
  readonly capture?: readonly (readonly string[])[]
  /** Rows to hand out as text, from the first. */
  readonly sampleRows?: number
  /** Hand out the members of an object at the rows' path. */
  readonly members?: boolean
}

/** One member of an object: its key, and the JSON text of its value. */
export type JsonMember = readonly [key: string, text: string]

/** What lies at the rows' path. */
export type RowsKind = 'array' | 'object' | 'null' | 'scalar' | 'missing'

/** What a look over a document found, without making objects of its rows. */
export interface JsonOverview {
  readonly rows: RowsKind
  /** Elements of the array; one for an object. */
  readonly rowCount: number
  /** JSON text of each sampled row. */
  readonly sample: readonly string[]
  readonly lastRow: string | undefined
  /** JSON text of each captured value, in the order asked. */
  readonly captured: readonly (string | undefined)[]
  /** Keys of the object where the rows' path ended: of the row, or of the last object on a path that leads nowhere. */
  readonly keys: readonly string[]
  /** With `members`: those of the object at the rows' path. */
  readonly members: readonly JsonMember[]
}

const maxDepth = 1_000
/** Most keys that an overview lists. */
export const maxKeys = 64
/** Bytes between two turns of the event loop. */
const sliceBytes = 2_000_000

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const colon = 0x3a
const openBrace = 0x7b
const closeBrace = 0x7d
const openBracket = 0x5b
const closeBracket = 0x5d
/** What may stand behind a backslash, `u` aside. */
const escapes: ReadonlySet<number> = new Set(Buffer.from('"\\/bfnrt'))

/**
 * Looks over a JSON document in UTF-8: one pass, in slices that leave the event loop free. Checks that the document is
 * one whole value by JSON's grammar. Throws SyntaxError for a document that is cut off, malformed, too deep, or has a key of a path twice.
 */
export async function scanJson(document: Buffer, options: JsonScanOptions): Promise<JsonOverview> {
  return await new JsonScanner(document, options).scan()
}

/** A path that is followed: `target` -1 is the rows, others are captures. */
interface Trail {
  readonly target: number
  readonly rest: readonly string[]
}

class JsonScanner {
  readonly #bytes: Buffer
  readonly #options: JsonScanOptions
  readonly #closers = new Uint8Array(maxDepth + 1)
  readonly #captured: (string | undefined)[]
  readonly #sample: string[] = []
  readonly #members: JsonMember[] = []
  #lastRow: string | undefined
  #rows: RowsKind = 'missing'
  #rowCount = 0
  #keys: readonly string[] = []
  #slice = sliceBytes

  constructor(document: Buffer, options: JsonScanOptions) {
    this.#bytes = document
    this.#options = options
    this.#captured = (options.capture ?? []).map(() => undefined)
  }

  async scan(): Promise<JsonOverview> {
    const { rowsPath, capture = [] } = this.#options
    const trails = [{ target: -1, rest: rowsPath }, ...capture.map((rest, target) => ({ target, rest }))]
    const end = this.#space(await this.#value(this.#space(0), trails))
    if (end < this.#bytes.length) this.#fail('more follows after its end', end)
    return {
      rows: this.#rows,
      rowCount: this.#rowCount,
      sample: this.#sample,
      lastRow: this.#lastRow,
      captured: this.#captured,
      keys: this.#keys,
      members: this.#members,
    }
  }

  async #value(start: number, trails: readonly Trail[]): Promise<number> {
    const arrived = trails.filter((trail) => trail.rest.length === 0)
    const further = trails.filter((trail) => trail.rest.length > 0)
    const first = this.#bytes[start]
    const isRows = arrived.some((trail) => trail.target === -1)
    let end: number
    if (first === openBrace && (isRows || further.length > 0)) end = await this.#object(start, further, isRows)
    else if (first === openBracket && isRows) end = await this.#array(start)
    else end = this.#skip(start)
    if (isRows) this.#noteRows(start, end)
    for (const { target } of arrived) if (target >= 0) this.#captured[target] = this.#text(start, end)
    return end
  }

  #noteRows(start: number, end: number): void {
    const first = this.#bytes[start]
    if (first === openBracket) this.#rows = 'array'
    else if (first === openBrace) {
      this.#rows = 'object'
      this.#rowCount = 1
      this.#lastRow = this.#text(start, end)
      if ((this.#options.sampleRows ?? 0) > 0) this.#sample.push(this.#lastRow)
    } else this.#rows = this.#text(start, end) === 'null' ? 'null' : 'scalar'
  }

  async #object(start: number, trails: readonly Trail[], isRow: boolean): Promise<number> {
    const keys: string[] = []
    const followed = new Set<string>()
    const leadsToRows = isRow || trails.some((trail) => trail.target === -1)
    let at = this.#space(start + 1)
    if (this.#bytes[at] === closeBrace) at++
    else {
      for (;;) {
        if (this.#bytes[at] !== quote) this.#fail('a key is missing', at)
        const keyEnd = this.#skip(at)
        const key = this.#key(at, keyEnd)
        if (keys.length < maxKeys) keys.push(key)
        const next = trails.filter((trail) => trail.rest[0] === key)
        if (next.length > 0) {
          if (followed.has(key)) this.#fail(`the key ${JSON.stringify(key.slice(0, 64))} occurs twice`, at)
          followed.add(key)
        }
        at = this.#space(keyEnd)
        if (this.#bytes[at] !== colon) this.#fail('a colon is missing', at)
        at = this.#space(at + 1)
        const deeper = next.map(({ target, rest }) => ({ target, rest: rest.slice(1) }))
        const valueEnd = deeper.length > 0 ? await this.#value(at, deeper) : this.#skip(at)
        if (isRow && this.#options.members === true) this.#members.push([key, this.#text(at, valueEnd)])
        at = this.#space(valueEnd)
        const mark = this.#bytes[at++]
        if (mark === closeBrace) break
        if (mark !== comma) this.#fail('a comma is missing', at - 1)
        at = this.#space(at)
      }
    }
    if (leadsToRows && (isRow || this.#rows === 'missing') && this.#keys.length === 0) this.#keys = keys
    return at
  }

  #key(start: number, end: number): string {
    const text = this.#text(start, end)
    try {
      return JSON.parse(text) as string
    } catch {
      return this.#fail('a key is malformed', start)
    }
  }

  async #array(start: number): Promise<number> {
    let at = this.#space(start + 1)
    if (this.#bytes[at] === closeBracket) return at + 1
    const sampleRows = this.#options.sampleRows ?? 0
    for (;;) {
      const end = this.#skip(at)
      if (this.#rowCount++ < sampleRows) this.#sample.push(this.#text(at, end))
      const rowStart = at
      at = this.#space(end)
      const mark = this.#bytes[at++]
      if (mark === closeBracket) {
        this.#lastRow = this.#text(rowStart, end)
        return at
      }
      if (mark !== comma) this.#fail('a comma is missing', at - 1)
      at = this.#space(at)
      if (at > this.#slice) {
        this.#slice = at + sliceBytes
        await nextTurn()
      }
    }
  }

  /** The end of the value that starts here. */
  #skip(start: number): number {
    const first = this.#bytes[start]
    if (first === quote) return this.#skipString(start)
    if (first !== openBrace && first !== openBracket) return this.#skipScalar(start)
    return this.#skipContainer(start)
  }

  /** Keeps its own stack: closing marks of the open containers. */
  #skipContainer(start: number): number {
    const bytes = this.#bytes
    const closers = this.#closers
    let depth = 0
    let at = start
    for (;;) {
      // A value stands here, or the end of an empty container.
      let byte = bytes[at]
      if (byte === openBrace || byte === openBracket) {
        if (depth === maxDepth) this.#fail(`nested deeper than ${maxDepth} levels`, at)
        const closer = byte + 2
        closers[depth++] = closer
        at = this.#space(at + 1)
        if (bytes[at] !== closer) {
          if (byte === openBrace) at = this.#skipKey(at)
          continue
        }
      } else at = this.#space(byte === quote ? this.#skipString(at) : this.#skipScalar(at))
      // Containers that end here, up to a comma.
      for (;;) {
        byte = bytes[at]
        if (byte === comma) break
        if (byte === undefined || byte !== closers[depth - 1]) this.#fail(unexpected(byte), at)
        at++
        if (--depth === 0) return at
        at = this.#space(at)
      }
      at = this.#space(at + 1)
      if (closers[depth - 1] === closeBrace) at = this.#skipKey(at)
    }
  }

  /** From a key to its value. */
  #skipKey(start: number): number {
    if (this.#bytes[start] !== quote) this.#fail('a key is missing', start)
    const colonAt = this.#space(this.#skipString(start))
    if (this.#bytes[colonAt] !== colon) this.#fail('a colon is missing', colonAt)
    return this.#space(colonAt + 1)
  }

  #skipString(start: number): number {
    const bytes = this.#bytes
    for (let at = start + 1; at < bytes.length; at++) {
      const byte = bytes[at] ?? 0
      if (byte === quote) return at + 1
      if (byte === backslash) {
        if (!isEscape(bytes, ++at)) this.#fail('a string has a bad escape', at)
      } else if (byte < 0x20) this.#fail('a string has a control character', at)
    }
    return this.#fail('it ends inside a string', bytes.length)
  }

  #skipScalar(start: number): number {
    const bytes = this.#bytes
    let at = start
    while (at < bytes.length && !isDelimiter(bytes[at] ?? 0)) at++
    if (at === start) this.#fail(at === bytes.length ? 'it ends too early' : 'a value is missing', at)
    const text = bytes.toString('latin1', start, at)
    if (!/^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/.test(text)) {
      this.#fail('a value is not JSON', start)
    }
    return at
  }

  #space(start: number): number {
    const bytes = this.#bytes
    let at = start
    while (isSpace(bytes[at])) at++
    return at
  }

  #text(start: number, end: number): string {
    return this.#bytes.toString('utf8', start, end)
  }

  #fail(reason: string, at: number): never {
    throw new SyntaxError(`${reason}, at byte ${at}`)
  }
}

function unexpected(byte: number | undefined): string {
  if (byte === undefined) return 'it ends too early'
  return byte === closeBrace || byte === closeBracket ? 'brackets do not match' : 'a comma is missing'
}

/** Whether the byte may stand behind a backslash, with its digits for `u`. */
function isEscape(bytes: Buffer, at: number): boolean {
  if (bytes[at] === 0x75) return /^[\dA-Fa-f]{4}$/.test(bytes.toString('latin1', at + 1, at + 5))
  return escapes.has(bytes[at] ?? 0)
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
}

function isDelimiter(byte: number): boolean {
  return byte === comma || byte === closeBrace || byte === closeBracket || isSpace(byte)
}
