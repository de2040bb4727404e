import { QuerentError } from '../../../errors/querent-error.js'
import { localCaller } from '../../../model/caller.js'
import type { OpenedWorkspace } from '../../../workspace/open-workspace.js'
import type { CallContext } from '../../../workspace/workspace.js'
import { exitCodes, type ExitCode } from '../exit-code.js'
import { isClosedPipe, reportError, say, write, type Output } from '../output.js'
import { runQuery } from '../query/run-query.js'
import { isQuit, runDotCommand } from './dot-commands.js'
import type { PromptedLines } from './prompted-lines.js'
import { StatementBuffer } from './statement-buffer.js'

/** One run of the shell: its lines become statements and dot commands, which run one after the other. */
export class ShellSession {
  readonly #workspace: OpenedWorkspace
  readonly #output: Output
  readonly #signal: AbortSignal
  readonly #buffer = new StatementBuffer()
  #timer = false
  /** What Ctrl-C stops. */
  #running: AbortController | undefined

  constructor(workspace: OpenedWorkspace, output: Output, signal: AbortSignal) {
    this.#workspace = workspace
    this.#output = output
    this.#signal = signal
  }

  /** Prompts until the person leaves. */
  async runPrompt(lines: PromptedLines): Promise<ExitCode> {
    lines.onInterrupt = () => {
      if (this.#running !== undefined) {
        this.#running.abort(new QuerentError('limit.cancelled'))
        return
      }
      lines.clearLine()
      this.#buffer.take()
      void write(this.#output.out, '^C\n').then(ask)
    }
    const ask = (): void => {
      lines.ask(this.#buffer.isEmpty ? 'querent> ' : '    ...> ')
    }
    ask()
    for await (const line of lines) {
      if (this.#buffer.isEmpty && isQuit(line)) return exitCodes.ok
      await this.#take(line)
      if (this.#signal.aborted) break
      ask()
    }
    await write(this.#output.out, '\n')
    return exitCodes.ok
  }

  /** Runs all that comes, a last statement without a semicolon too. Answers the code of the first failure. */
  async runScript(lines: AsyncIterable<string>): Promise<ExitCode> {
    let exitCode: ExitCode = exitCodes.ok
    const note = (code: ExitCode): void => {
      if (exitCode === exitCodes.ok) exitCode = code
    }
    for await (const line of lines) {
      if (this.#buffer.isEmpty && isQuit(line)) return exitCode
      note(await this.#take(line))
      if (this.#signal.aborted) return exitCodes.stopped
    }
    const rest = this.#buffer.take()
    if (rest !== undefined) note(await this.#runStatement(rest))
    return exitCode
  }

  async #take(line: string): Promise<ExitCode> {
    if (this.#buffer.isEmpty && line.trimStart().startsWith('.')) {
      return this.#guarded((call) =>
        runDotCommand(line, {
          workspace: this.#workspace,
          output: this.#output,
          call,
          setTimer: (on) => {
            this.#timer = on
          },
        }),
      )
    }
    let exitCode: ExitCode = exitCodes.ok
    for (const statement of this.#buffer.add(line)) {
      const code = await this.#runStatement(statement)
      if (exitCode === exitCodes.ok) exitCode = code
    }
    return exitCode
  }

  async #runStatement(sql: string): Promise<ExitCode> {
    const startMs = performance.now()
    const code = await this.#guarded(({ signal }) =>
      runQuery(this.#workspace, { sql, params: {}, format: 'table', signal }, this.#output),
    )
    if (this.#timer) await say(this.#output, `${((performance.now() - startMs) / 1000).toFixed(3)} s`)
    return code
  }

  /** Runs until it ends or is cancelled; a failure is told, and the shell goes on. */
  async #guarded(act: (call: CallContext & { readonly signal: AbortSignal }) => Promise<void>): Promise<ExitCode> {
    this.#running = new AbortController()
    const signal = AbortSignal.any([this.#running.signal, this.#signal])
    try {
      await act({ caller: localCaller, surface: 'cli', session: 'cli', signal })
      return exitCodes.ok
    } catch (error) {
      if (isClosedPipe(error)) throw error
      return await reportError(error, this.#output)
    } finally {
      this.#running = undefined
    }
  }
}
