import pc from 'picocolors'
import { toQuerentError } from '../../workspace/error-answer.js'
import { exitCodeOf, type ExitCode } from './exit-code.js'
import { terminalText } from './render/terminal-text.js'

export type OutputStream = NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number }

/** The two streams of a command: data goes to `out`, everything for people to `err`. */
export interface Output {
  readonly out: OutputStream
  readonly err: OutputStream
}

export function processOutput(): Output {
  return { out: process.stdout, err: process.stderr }
}

/** Columns of the terminal that data is shown on; undefined where `out` is a file or a pipe: nothing is shortened. */
export function widthOf({ out }: Output): number | undefined {
  return out.isTTY === true ? (out.columns ?? 80) : undefined
}

const batchLength = 65_536

/** Writes and waits until the text is taken. Rejects when the reader of a pipe has left; see `isClosedPipe`. */
export async function write(stream: NodeJS.WritableStream, text: string | Iterable<string>): Promise<void> {
  if (typeof text === 'string') {
    await writeText(stream, text)
    return
  }
  let batch = ''
  for (const piece of text) {
    batch += piece
    if (batch.length < batchLength) continue
    await writeText(stream, batch)
    batch = ''
  }
  if (batch !== '') await writeText(stream, batch)
}

function writeText(stream: NodeJS.WritableStream, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(text, (error) => {
      if (error === undefined || error === null) resolve()
      else reject(error)
    })
  })
}

/** `querent query … | head -1`: the reader has what it wanted, which is no fault. */
export function isClosedPipe(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED')
}

/** A line for people. The text must be harmless for a terminal already. */
export async function say({ err }: Output, text: string): Promise<void> {
  try {
    await write(err, `${text}\n`)
  } catch (error) {
    if (!isClosedPipe(error)) throw error
  }
}

/** A line that must not be overlooked. */
export async function warn(output: Output, text: string): Promise<void> {
  await say(output, colorsOf(output).bold(colorsOf(output).yellow(`WARNING: ${terminalText(text)}`)))
}

/** Prints a failure with its hint, and answers the exit code. */
export async function reportError(error: unknown, output: Output): Promise<ExitCode> {
  const known = toQuerentError(error)
  const place = known.position === undefined ? '' : ` at character ${known.position + 1}`
  const label = colorsOf(output).red(`error [${known.code}]${place}:`)
  await say(output, `${label} ${terminalText(known.message, { multiline: true })}`)
  if (known.hint !== undefined && known.hint !== '') {
    await say(output, `hint: ${terminalText(known.hint, { multiline: true })}`)
  }
  return exitCodeOf(known)
}

/** Colours of messages: only on a terminal, and never against the person's wish (https://no-color.org). */
function colorsOf({ err }: Output): ReturnType<typeof pc.createColors> {
  const { NO_COLOR: noColor, TERM: term } = process.env
  return pc.createColors(err.isTTY === true && (noColor === undefined || noColor === '') && term !== 'dumb')
}
