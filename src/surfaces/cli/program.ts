import { Command, CommanderError } from 'commander'
import { packageVersion } from '../../util/package-version.js'
import { createCommandContext, type CommandContext } from './command-context.js'
import { exitCodes, type ExitCode } from './exit-code.js'
import { isClosedPipe, reportError, type Output } from './output.js'
import { terminalText } from './render/terminal-text.js'

type AddCommand = (program: Command, context: CommandContext) => void

/** In the order of the help. */
const commands: Readonly<Record<string, () => Promise<AddCommand>>> = {
  demo: async () => (await import('./commands/demo.js')).addDemo,
  init: async () => (await import('./commands/init.js')).addInit,
  query: async () => (await import('./commands/query.js')).addQuery,
  shell: async () => (await import('./commands/shell.js')).addShell,
  tables: async () => (await import('./commands/tables.js')).addTables,
  describe: async () => (await import('./commands/describe.js')).addDescribe,
  explain: async () => (await import('./commands/explain.js')).addExplain,
  check: async () => (await import('./commands/check.js')).addCheck,
  serve: async () => (await import('./commands/serve.js')).addServe,
  trust: async () => (await import('./commands/trust.js')).addTrust,
  audit: async () => (await import('./commands/audit.js')).addAudit,
  completion: async () => (await import('./commands/completion.js')).addCompletion,
}

/** Runs the command line. Answers the process's exit code; never throws. */
export async function runProgram(argv: readonly string[], output: Output): Promise<ExitCode> {
  let exitCode: ExitCode = exitCodes.ok
  const program = createProgram(output)
  const context = createCommandContext(output, (code) => {
    exitCode = code
  })
  for (const add of await commandsFor(argv)) add(program, context)
  try {
    await program.parseAsync(argv, { from: 'user' })
    return exitCode
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage
    if (isClosedPipe(error)) return exitCodes.ok
    return reportError(error, output)
  }
}

/** Only the command that is called is loaded; all of them where they are listed. */
function commandsFor([called = '']: readonly string[]): Promise<readonly AddCommand[]> {
  const load = called === 'completion' ? undefined : new Map(Object.entries(commands)).get(called)
  return Promise.all((load === undefined ? Object.values(commands) : [load]).map((one) => one()))
}

/** Settings that the commands inherit when they are added. */
function createProgram(output: Output): Command {
  return new Command('querent')
    .description('One governed query workspace for AI agents: SQL over files, APIs and databases.')
    .version(packageVersion())
    .exitOverride()
    .showHelpAfterError('Run with --help for the options and examples.')
    .configureOutput({
      writeOut: (text) => output.out.write(text),
      writeErr: (text) => output.err.write(text),
      outputError: (text, writeError) => {
        writeError(terminalText(text, { multiline: true }))
      },
    })
    .addHelpText(
      'after',
      `
Start here:
  querent demo                                              see it work
  querent query "SELECT * FROM 'sales.csv' LIMIT 5"         ask a file
  querent init && querent check && querent serve            serve your own workspace to an agent

Exit codes: 0 ok, 1 the query failed, 2 usage or configuration, 3 refused by policy,
            4 a source is unreachable, 5 timed out or cancelled
`,
    )
}
