import { QuerentError } from '../../errors/querent-error.js'
import { exitCodeOf, exitCodes } from './exit-code.js'
import { terminalText } from './render/terminal-text.js'

/** The two streams of a command: data goes to stdout, everything for people to stderr. */
export interface Output {
  readonly out: NodeJS.WritableStream
  readonly err: NodeJS.WritableStream & { readonly isTTY?: boolean }
  readonly widthColumns: number
}

export function processOutput(): Output {
  return { out: process.stdout, err: process.stderr, widthColumns: process.stdout.columns || 120 }
}

/** Writes and waits until the text is taken; a closed pipe (`querent query … | head`) is no fault. */
export function write(stream: NodeJS.WritableStream, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(text, (error) => {
      if (error === undefined || error === null || isClosedPipe(error)) resolve()
      else reject(error)
    })
  })
}

export function isClosedPipe(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EPIPE'
}

export function say(output: Output, text: string): Promise<void> {
  return write(output.err, `${text}\n`)
}

/** Prints a failure with its hint, and answers the exit code. */
export async function reportError(error: unknown, output: Output): Promise<number> {
  if (!(error instanceof QuerentError)) {
    const message = error instanceof Error ? error.message : String(error)
    await say(output, `error: ${terminalText(message, { multiline: true })}`)
    return exitCodes.failed
  }
  const place = error.position === undefined ? '' : ` at character ${error.position + 1}`
  await say(output, `error [${error.code}]${place}: ${terminalText(error.message, { multiline: true })}`)
  if (error.hint !== undefined && error.hint !== '') {
    await say(output, `hint: ${terminalText(error.hint, { multiline: true })}`)
  }
  return exitCodeOf(error)
}
