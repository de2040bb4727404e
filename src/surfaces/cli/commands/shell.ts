import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { createInterface, type Interface } from 'node:readline'
import { localCaller } from '../../../model/caller.js'
import { formatTableName } from '../../../model/table-name.js'
import { stateFolder } from '../../../util/state-folder.js'
import { explanationLines } from '../../../workspace/explanation-text.js'
import type { CallContext, Workspace } from '../../../workspace/workspace.js'
import { reportError, say, write, type Output } from '../output.js'
import { terminalText } from '../render/terminal-text.js'
import { interruptible } from '../signals.js'
import { runQueryCommand } from './query.js'
import { renderTable, renderTables } from './tables.js'

const historyLength = 1_000
const help = `.tables [words]     tables, ranked by the words
.describe <table>   columns, types and how each may be filtered
.explain <sql>      what would be asked of whom
.timer on|off       time of each query
.quit               leave; so does Ctrl-D
A statement ends with a semicolon and may span lines. Ctrl-C cancels what runs.
`

/** An interactive prompt. Resolves when the person leaves. */
export async function runShell(workspace: Workspace, output: Output): Promise<void> {
  // Lines that come while nobody reads are lost, so the prompt is opened last.
  const words = await completionWords(workspace)
  await new ShellSession(workspace, output, words).run()
}

class ShellSession {
  readonly #workspace: Workspace
  readonly #output: Output
  readonly #prompt: Interface
  readonly #historyFile = path.join(stateFolder(process.env), 'shell-history')
  #pending = ''
  #timer = false
  readonly #words: readonly string[]

  constructor(workspace: Workspace, output: Output, words: readonly string[]) {
    this.#words = words
    this.#workspace = workspace
    this.#output = output
    this.#prompt = createInterface({
      input: process.stdin,
      output: output.out,
      terminal: process.stdin.isTTY,
      history: readHistory(this.#historyFile),
      historySize: historyLength,
      completer: (line: string) => this.#complete(line),
    })
    this.#prompt.on('history', (history) => {
      writeHistory(this.#historyFile, history)
    })
  }

  async run(): Promise<void> {
    this.#prompt.on('SIGINT', () => {
      this.#pending = ''
      this.#ask()
    })
    this.#ask()
    for await (const line of this.#prompt) {
      const stop = await this.#take(line)
      if (stop) break
      this.#ask()
    }
    this.#prompt.close()
  }

  #ask(): void {
    if (!process.stdin.isTTY) return
    this.#prompt.setPrompt(this.#pending === '' ? 'querent> ' : '    ...> ')
    this.#prompt.prompt()
  }

  /** @returns true to leave. */
  async #take(line: string): Promise<boolean> {
    if (this.#pending === '' && line.trim().startsWith('.')) return this.#command(line.trim())
    this.#pending = this.#pending === '' ? line : `${this.#pending}\n${line}`
    if (!this.#pending.trimEnd().endsWith(';')) {
      if (this.#pending.trim() === '') this.#pending = ''
      return false
    }
    const sql = this.#pending
    this.#pending = ''
    await this.#guarded((context) =>
      runQueryCommand(this.#workspace, sql, { format: 'table', params: {}, signal: context.signal }, this.#output),
    )
    return false
  }

  async #command(line: string): Promise<boolean> {
    const [name = '', ...rest] = line.split(/\s+/)
    const argument = rest.join(' ')
    switch (name) {
      case '.quit':
      case '.exit':
        return true
      case '.tables':
        await this.#guarded(async (context) => {
          const page = await this.#workspace.tables({ ...(argument === '' ? {} : { query: argument }) }, context)
          await write(this.#output.out, renderTables(page, this.#output.widthColumns))
        })
        return false
      case '.describe':
        await this.#guarded(async (context) => {
          const table = await this.#workspace.describe({ table: argument }, context)
          await write(this.#output.out, renderTable(table, this.#output.widthColumns))
        })
        return false
      case '.explain':
        await this.#guarded(async (context) => {
          const explanation = await this.#workspace.explain({ sql: argument }, context)
          const lines = explanationLines(explanation).map((text) => terminalText(text))
          await write(this.#output.out, `${lines.join('\n')}\n`)
        })
        return false
      case '.timer':
        this.#timer = argument !== 'off'
        return false
      default:
        await write(this.#output.out, help)
        return false
    }
  }

  /** Runs until it ends or Ctrl-C; a failure is told, and the prompt goes on. */
  async #guarded(action: (context: CallContext & { readonly signal: AbortSignal }) => Promise<void>): Promise<void> {
    const interrupt = interruptible()
    const startMs = performance.now()
    this.#prompt.pause()
    rawMode(false)
    try {
      await action({ caller: localCaller, surface: 'cli', session: 'shell', signal: interrupt.signal })
    } catch (error) {
      await reportError(error, this.#output)
    } finally {
      interrupt.release()
      rawMode(true)
      this.#prompt.resume()
    }
    if (this.#timer) await say(this.#output, `${((performance.now() - startMs) / 1000).toFixed(3)} s`)
  }

  #complete(line: string): [string[], string] {
    const word = /[\w.]*$/.exec(line)?.[0] ?? ''
    const hits = this.#words.filter((candidate) => candidate.toLowerCase().startsWith(word.toLowerCase()))
    return [hits, word]
  }
}

/** In raw mode Ctrl-C is a key that nobody reads while a query runs; outside of it, a signal. */
function rawMode(on: boolean): void {
  if (process.stdin.isTTY) process.stdin.setRawMode(on)
}

async function completionWords(workspace: Workspace): Promise<readonly string[]> {
  const context: CallContext = { caller: localCaller, surface: 'cli' }
  const page = await workspace.tables({ limit: 1_000 }, context).catch(() => undefined)
  const tables = page?.tables ?? []
  return [
    ...new Set([
      ...tables.map((table) => formatTableName(table.name)),
      ...tables.flatMap((table) => table.columnNames ?? []),
      ...['SELECT', 'FROM', 'WHERE', 'GROUP BY', 'ORDER BY', 'LIMIT', 'JOIN', 'WITH', 'HAVING'],
      ...['.tables', '.describe', '.explain', '.timer', '.quit'],
    ]),
  ]
}

/** Newest first, as readline keeps it. */
function readHistory(file: string): string[] {
  try {
    return readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .slice(0, historyLength)
  } catch {
    return []
  }
}

/** History is a convenience: a folder that cannot be written costs nothing but it. */
function writeHistory(file: string, history: readonly string[]): void {
  try {
    writeFileSync(file, `${history.slice(0, historyLength).join('\n')}\n`, { mode: 0o600 })
    chmodSync(file, 0o600)
  } catch {
    return
  }
}
