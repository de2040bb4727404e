/** What a stream of bytes holds, line by line. */
export type Line =
  | { readonly kind: 'line'; readonly text: string }
  /** A line over the limit, whose middle was dropped as it came. */
  | { readonly kind: 'too-long'; readonly head: string; readonly tail: string }

const keptBytes = 512
const newline = 0x0a

/** Splits bytes into lines. A line over the limit takes no memory beyond it, and the lines after it are read as ever. */
export class LineReader {
  readonly #maxLineBytes: number
  #parts: Buffer[] = []
  #length = 0
  #head: Buffer | undefined
  #tail = Buffer.alloc(0)

  constructor(maxLineBytes: number) {
    this.#maxLineBytes = maxLineBytes
  }

  *push(chunk: Buffer): Iterable<Line> {
    let rest = chunk
    for (;;) {
      const end = rest.indexOf(newline)
      if (end === -1) break
      this.#append(rest.subarray(0, end))
      yield this.#take()
      rest = rest.subarray(end + 1)
    }
    this.#append(rest)
  }

  /** The line that the end of the stream left without a newline. */
  *end(): Iterable<Line> {
    if (this.#length > 0) yield this.#take()
  }

  #append(part: Buffer): void {
    if (part.length === 0) return
    this.#length += part.length
    if (this.#length <= this.#maxLineBytes) {
      this.#parts.push(part)
      return
    }
    if (this.#head === undefined) {
      const whole = Buffer.concat([...this.#parts, part])
      this.#parts = []
      this.#head = Buffer.from(whole.subarray(0, keptBytes))
      this.#tail = Buffer.from(whole.subarray(-keptBytes))
      return
    }
    this.#tail = Buffer.from(Buffer.concat([this.#tail, part]).subarray(-keptBytes))
  }

  #take(): Line {
    const head = this.#head
    const line: Line =
      head === undefined
        ? { kind: 'line', text: Buffer.concat(this.#parts).toString('utf8') }
        : { kind: 'too-long', head: head.toString('utf8'), tail: this.#tail.toString('utf8') }
    this.#parts = []
    this.#length = 0
    this.#head = undefined
    this.#tail = Buffer.alloc(0)
    return line
  }
}

/**
 * The JSON-RPC id of a message of which only both ends are known: clients write it next to `"jsonrpc"`, first or last.
 * undefined where it is not certain to be the message's own.
 */
export function idOfEnds(head: string, tail: string): string | number | undefined {
  const id = String.raw`(-?\d{1,15}|"(?:[^"\\]|\\.){0,200}")`
  const first = new RegExp(String.raw`^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*${id}\s*,`).exec(head)
  const last = new RegExp(String.raw`,\s*"id"\s*:\s*${id}\s*\}\s*$`).exec(tail)
  const text = first?.[1] ?? last?.[1]
  if (text === undefined) return undefined
  const value: unknown = JSON.parse(text)
  return typeof value === 'string' || typeof value === 'number' ? value : undefined
}
