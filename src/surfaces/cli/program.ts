import { Command, CommanderError } from 'commander'
import { packageVersion } from '../../util/package-version.js'
import { createCommandContext } from './command-context.js'
import { addAudit } from './commands/audit.js'
import { addCheck } from './commands/check.js'
import { addCompletion } from './commands/completion.js'
import { addDemo } from './commands/demo.js'
import { addDescribe } from './commands/describe.js'
import { addExplain } from './commands/explain.js'
import { addInit } from './commands/init.js'
import { addQuery } from './commands/query.js'
import { addServe } from './commands/serve.js'
import { addShell } from './commands/shell.js'
import { addTables } from './commands/tables.js'
import { addTrust } from './commands/trust.js'
import { exitCodes, type ExitCode } from './exit-code.js'
import { isClosedPipe, reportError, type Output } from './output.js'
import { terminalText } from './render/terminal-text.js'

const commands = [
  addDemo,
  addInit,
  addQuery,
  addShell,
  addTables,
  addDescribe,
  addExplain,
  addCheck,
  addServe,
  addTrust,
  addAudit,
  addCompletion,
]

/** Runs the command line. Answers the process's exit code; never throws. */
export async function runProgram(argv: readonly string[], output: Output): Promise<ExitCode> {
  let exitCode: ExitCode = exitCodes.ok
  const program = createProgram(output)
  const context = createCommandContext(output, (code) => {
    exitCode = code
  })
  for (const add of commands) add(program, context)
  try {
    await program.parseAsync(argv, { from: 'user' })
    return exitCode
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage
    if (isClosedPipe(error)) return exitCodes.ok
    return reportError(error, output)
  }
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
