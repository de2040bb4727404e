import { createInterface } from 'node:readline'

/** Lines of a stream that is no terminal. */
export function pipedLines(input: NodeJS.ReadableStream): AsyncIterable<string> {
  return createInterface({ input, terminal: false, crlfDelay: Number.POSITIVE_INFINITY })
}
