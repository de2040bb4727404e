import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { TempFolder } from './temp-folder.js'

const cli = fileURLToPath(new URL('../../dist/cli.js', import.meta.url))

export interface CliRun {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** The command line as a process, in a working folder of its own and with a state folder of its own. */
export class Cli {
  readonly folder = new TempFolder()
  readonly #state = new TempFolder()

  async run(args: readonly string[], options: { input?: string; env?: Record<string, string> } = {}): Promise<CliRun> {
    const child = this.start(args, options.env)
    child.stdin.on('error', () => undefined)
    child.stdin.end(options.input ?? '')
    const closed = once(child, 'close') as Promise<[number | null]>
    const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), closed])
    return { code, stdout, stderr }
  }

  /** For what does not end by itself; the caller ends it. */
  start(args: readonly string[], env: Record<string, string> = {}): ChildProcessWithoutNullStreams {
    return spawn(process.execPath, [cli, ...args], {
      cwd: this.folder.path,
      env: { ...process.env, QUERENT_CONFIG: '', ...env, QUERENT_STATE_DIR: this.#state.path },
    })
  }

  remove(): void {
    this.folder.remove()
    this.#state.remove()
  }
}

/** Resolves with what a stream has given once it matches. */
export async function until(stream: Readable, pattern: RegExp): Promise<string> {
  let seen = ''
  for await (const piece of stream.iterator({ destroyOnReturn: false })) {
    seen += String(piece)
    if (pattern.test(seen)) return seen
  }
  throw new Error(`the stream ended before ${String(pattern)}: ${seen}`)
}
