import { Command, CommanderError, Option } from 'commander'
import { localCaller } from '../../model/caller.js'
import { packageVersion } from '../../util/package-version.js'
import { explanationLines } from '../../workspace/explanation-text.js'
import type { OpenedWorkspace } from '../../workspace/open-workspace.js'
import type { CallContext } from '../../workspace/workspace.js'
import { runAudit } from './commands/audit.js'
import { renderCheck } from './commands/check.js'
import { completionScript, completionShells } from './commands/completion.js'
import { runInit } from './commands/init.js'
import { parseParams, queryFormats, readSql, runQueryCommand, type QueryFormat } from './commands/query.js'
import { runServe } from './commands/serve.js'
import { runShell } from './commands/shell.js'
import { renderTable, renderTables } from './commands/tables.js'
import { runTrust } from './commands/trust.js'
import { runDemo } from './demo/run-demo.js'
import { exitCodes } from './exit-code.js'
import { isClosedPipe, reportError, say, write, type Output } from './output.js'
import { terminalText } from './render/terminal-text.js'
import { interruptible } from './signals.js'
import {
  addWorkspaceFlags,
  openCommandWorkspace,
  usage,
  wholeNumber,
  type OpenCommandOptions,
  type WorkspaceFlags,
} from './workspace-arguments.js'

/** Runs the command line. Answers the process's exit code; never throws. */
export async function runProgram(argv: readonly string[], output: Output): Promise<number> {
  const program = new ProgramBuilder(output)
  try {
    await program.command.parseAsync(argv, { from: 'user' })
    return program.exitCode
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage
    if (isClosedPipe(error)) return exitCodes.ok
    return reportError(error, output)
  }
}

class ProgramBuilder {
  readonly command: Command
  exitCode: number = exitCodes.ok
  readonly #output: Output

  constructor(output: Output) {
    this.#output = output
    this.command = new Command('querent')
      .description('One governed query workspace for AI agents: SQL over files, APIs and databases.')
      .version(packageVersion())
      .exitOverride()
      .showHelpAfterError('Run with --help for the options and examples.')
      .configureOutput({ writeOut: (text) => output.out.write(text), writeErr: (text) => output.err.write(text) })
    this.#addDemoAndInit()
    this.#addQuery()
    this.#addShell()
    this.#addCatalog()
    this.#addServe()
    this.#addTrust()
    this.#addAudit()
    this.#addCompletion()
  }

  #addDemoAndInit(): void {
    this.command
      .command('demo')
      .description('run the bundled workspace end to end: two files and a local API, joined in one query')
      .action(() => this.#interruptible((signal) => runDemo(this.#output, signal)))
    this.command
      .command('init')
      .argument('[dir]', 'folder for the workspace file', '.')
      .description('write a commented querent.yaml and snippets for MCP clients')
      .action(async (folder: string) => {
        for (const file of await runInit(folder)) await say(this.#output, `wrote ${terminalText(file)}`)
      })
  }

  #addQuery(): void {
    const command = this.command
      .command('query')
      .argument('<sql>', 'one SELECT statement; - reads it from standard input')
      .argument('[sources...]', 'files and databases to use instead of a workspace file')
      .description('run one statement and print its rows')
      .addOption(new Option('-f, --format <format>', 'how rows are printed').choices(queryFormats).default('table'))
      .option('-o, --output <file>', 'write the rows to a file')
      .option('-p, --param <name=value>', 'a value for $name; repeat it for more', collect, [])
      .option('--timeout <time>', 'the same as --query-timeout')
      .addHelpText(
        'after',
        `
Examples:
  querent query "SELECT region, sum(amount) FROM 'sales.csv' GROUP BY 1"
  querent query "SELECT count(*) FROM orders" sales.duckdb
  querent query "SELECT * FROM github.pulls WHERE owner = 'duckdb' AND repo = $repo" -p repo=duckdb -f json
  echo "FROM files.a JOIN files.b USING (id)" | querent query - a.csv b.parquet -f csv -o joined.csv
`,
      )
    addWorkspaceFlags(command).action(async (sql: string, sources: string[], flags: QueryFlags) => {
      const params = parseParams(flags.param)
      const text = await readSql(sql)
      const queryFlags = flags.timeout === undefined ? flags : { ...flags, queryTimeout: flags.timeout }
      await this.#withWorkspace({ flags: queryFlags, sources, anyFile: true, optional: true }, (workspace, signal) =>
        runQueryCommand(
          workspace,
          text,
          { format: flags.format, params, signal, ...(flags.output === undefined ? {} : { outputFile: flags.output }) },
          this.#output,
        ),
      )
    })
  }

  #addShell(): void {
    const command = this.command
      .command('shell')
      .argument('[sources...]', 'files and databases to use instead of a workspace file')
      .description('an interactive prompt with history and completion')
    addWorkspaceFlags(command).action((sources: string[], flags: WorkspaceFlags) =>
      this.#withWorkspace({ flags, sources, anyFile: true, optional: true, signals: false }, (workspace) =>
        runShell(workspace, this.#output),
      ),
    )
  }

  #addCatalog(): void {
    const tables = this.command
      .command('tables')
      .argument('[words...]', 'rank the tables by these words')
      .option('--source <name>', 'tables of this source only')
      .option('--limit <n>', 'tables at most', wholeNumber, 100)
      .description('list the tables')
    addWorkspaceFlags(tables).action((words: string[], flags: WorkspaceFlags & { source?: string; limit: number }) =>
      this.#withWorkspace({ flags, sources: [], anyFile: false }, async (workspace, signal) => {
        const { source, limit } = flags
        const search = {
          limit,
          ...(words.length === 0 ? {} : { query: words.join(' ') }),
          ...(source === undefined ? {} : { source }),
        }
        const page = await workspace.tables(search, contextOf(signal))
        await write(this.#output.out, renderTables(page, this.#output.widthColumns))
        if (page.tables.length < page.total)
          await say(this.#output, `${page.tables.length} of ${page.total} tables; raise --limit`)
        for (const { source: name, error } of page.unavailable)
          await say(this.#output, `warning: ${terminalText(`${name}: ${error}`)}`)
      }),
    )
    const describe = this.command
      .command('describe')
      .argument('<table>', 'such as sales.accounts')
      .argument('[sources...]', 'files and databases to use instead of a workspace file')
      .description('columns of a table, with how each may be filtered')
    addWorkspaceFlags(describe).action((table: string, sources: string[], flags: WorkspaceFlags) =>
      this.#withWorkspace({ flags, sources, anyFile: false }, async (workspace, signal) => {
        const described = await workspace.describe({ table }, contextOf(signal))
        await write(this.#output.out, renderTable(described, this.#output.widthColumns))
      }),
    )
    const explain = this.command
      .command('explain')
      .argument('<sql>', 'one SELECT statement; - reads it from standard input')
      .argument('[sources...]', 'files and databases to use instead of a workspace file')
      .option('-p, --param <name=value>', 'a value for $name', collect, [])
      .option('--json', 'print the plan as JSON')
      .description('what would be asked of whom; makes no request')
    addWorkspaceFlags(explain).action(
      async (sql: string, sources: string[], flags: WorkspaceFlags & { param: string[]; json?: boolean }) => {
        const params = parseParams(flags.param)
        const text = await readSql(sql)
        await this.#withWorkspace({ flags, sources, anyFile: true, optional: true }, async (workspace, signal) => {
          const explanation = await workspace.explain({ sql: text, params }, contextOf(signal))
          const lines =
            flags.json === true
              ? [JSON.stringify(explanation, undefined, 2)]
              : explanationLines(explanation).map((one) => terminalText(one))
          await write(this.#output.out, `${lines.join('\n')}\n`)
          if (explanation.refusal !== undefined) this.exitCode = exitCodes.refused
        })
      },
    )
    const check = this.command
      .command('check')
      .description('every fault of the workspace at once, then a probe of each source and its examples')
    addWorkspaceFlags(check).action((flags: WorkspaceFlags) =>
      this.#withWorkspace({ flags, sources: [], anyFile: false }, async (workspace, signal) => {
        const report = await workspace.check(signal)
        await write(this.#output.out, renderCheck(report))
        if (!report.ok) this.exitCode = exitCodes.unreachable
      }),
    )
  }

  #addServe(): void {
    const command = this.command
      .command('serve')
      .argument('[sources...]', 'files and databases to use instead of a workspace file')
      .description('serve MCP over standard input and output, or HTTP')
      .option('--http <[host:]port>', 'MCP at /mcp and the HTTP API at /v1')
      .addHelpText(
        'after',
        `
Examples:
  querent serve --config querent.yaml
  querent serve sales.duckdb data/*.parquet
  querent serve --http 8080
`,
      )
    addWorkspaceFlags(command).action((sources: string[], flags: WorkspaceFlags & { http?: string }) =>
      this.#withWorkspace({ flags, sources, anyFile: false, watch: true }, (workspace, signal) =>
        runServe(
          workspace,
          { signal, readWrite: flags.readWrite === true, ...(flags.http === undefined ? {} : { http: flags.http }) },
          this.#output,
        ),
      ),
    )
  }

  #addTrust(): void {
    this.command
      .command('trust')
      .description('accept the workspace file that was found here, with what it may do')
      .option('-c, --config <file>', 'workspace file')
      .option('-y, --yes', 'accept without asking')
      .action(async (flags: { config?: string; yes?: boolean }) => {
        const accepted = await runTrust({ ...flags, yes: flags.yes === true }, this.#output)
        if (!accepted) this.exitCode = exitCodes.refused
      })
  }

  #addAudit(): void {
    const command = this.command
      .command('audit')
      .description('print the audit log as JSON lines, oldest first')
      .option('--follow', 'go on with what is appended')
      .option('--limit <n>', 'records at most', wholeNumber, 100)
      .option('--caller <name>', 'records of this caller only')
      .option('--since <date>', 'records since then, such as 2026-01-31', dateText)
    addWorkspaceFlags(command).action(
      (flags: WorkspaceFlags & { follow?: boolean; limit: number; caller?: string; since?: Date }) =>
        this.#withWorkspace({ flags, sources: [], anyFile: false }, (workspace, signal) =>
          runAudit(workspace.audit, { ...flags, follow: flags.follow === true, signal }, this.#output),
        ),
    )
  }

  #addCompletion(): void {
    this.command
      .command('completion')
      .argument('<shell>', completionShells.join(', '))
      .description('print a completion script: eval "$(querent completion bash)"')
      .action(async (shell: string) => {
        await write(this.#output.out, `${completionScript(this.command, shell)}\n`)
      })
  }

  /** Opens the workspace, runs, and closes it, whatever happens. */
  async #withWorkspace(
    options: Omit<OpenCommandOptions, 'output'> & { readonly signals?: boolean },
    run: (workspace: OpenedWorkspace, signal: AbortSignal) => Promise<void>,
  ): Promise<void> {
    const workspace = await openCommandWorkspace({ ...options, output: this.#output })
    try {
      if (options.signals === false) await run(workspace, new AbortController().signal)
      else await this.#interruptible((signal) => run(workspace, signal))
    } finally {
      await workspace.close()
    }
  }

  async #interruptible(run: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const interrupt = interruptible()
    try {
      await run(interrupt.signal)
    } finally {
      interrupt.release()
    }
  }
}

interface QueryFlags extends WorkspaceFlags {
  readonly format: QueryFormat
  readonly output?: string
  readonly param: string[]
  readonly timeout?: number
}

function contextOf(signal: AbortSignal): CallContext {
  return { caller: localCaller, surface: 'cli', signal }
}

function collect(value: string, before: readonly string[]): string[] {
  return [...before, value]
}

function dateText(text: string): Date {
  const date = new Date(text)
  if (Number.isNaN(date.getTime())) throw usage(`${text} is not a date; write 2026-01-31.`)
  return date
}
