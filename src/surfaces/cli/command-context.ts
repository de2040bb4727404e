import type { OpenedWorkspace } from '../../workspace/open-workspace.js'
import type { ExitCode } from './exit-code.js'
import type { OpenCommandOptions } from './open-command-workspace.js'
import type { Output } from './output.js'
import { interruptible } from './signals.js'

/** What every command is given: where it prints, and how it opens what it works on. */
export interface CommandContext {
  readonly output: Output
  /** The process's exit code where nothing is thrown; the last one counts. */
  readonly exitWith: (code: ExitCode) => void
  /** Opens the workspace, runs, and closes it, whatever happens. Ctrl-C aborts the signal. */
  readonly withWorkspace: (
    options: OpenCommandOptions,
    run: (workspace: OpenedWorkspace, signal: AbortSignal) => Promise<void>,
  ) => Promise<void>
  /** Runs with a signal that Ctrl-C and a polite kill abort. */
  readonly interruptible: (run: (signal: AbortSignal) => Promise<void>) => Promise<void>
}

export function createCommandContext(output: Output, exitWith: (code: ExitCode) => void): CommandContext {
  async function withSignal(run: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const interrupt = interruptible()
    try {
      await run(interrupt.signal)
    } finally {
      interrupt.release()
    }
  }
  return {
    output,
    exitWith,
    interruptible: withSignal,
    withWorkspace: (options, run) =>
      withSignal(async (signal) => {
        // Loaded when it is needed: `--help` and `completion` answer at once.
        const { openCommandWorkspace } = await import('./open-command-workspace.js')
        const workspace = await openCommandWorkspace(options, output)
        try {
          signal.throwIfAborted()
          await run(workspace, signal)
        } finally {
          await workspace.close()
        }
      }),
  }
}
