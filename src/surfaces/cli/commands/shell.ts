import type { Command } from 'commander'
import type { CommandContext } from '../command-context.js'
import { addAnswerFlags, sourcesArgument, type AnswerFlags } from '../workspace-flags.js'

/** `querent shell`: a prompt on a terminal; from a pipe, one statement after the other. */
export function addShell(program: Command, { output, withWorkspace, exitWith }: CommandContext): void {
  const command = program
    .command('shell')
    .argument(...sourcesArgument)
    .description('an interactive prompt with history and completion; from a pipe, runs each statement')
    .addHelpText(
      'after',
      `
Examples:
  querent shell sales.duckdb data/*.csv
  echo "SELECT 1; SELECT 2;" | querent shell
`,
    )
  addAnswerFlags(command).action(async (sources: readonly string[], flags: AnswerFlags) => {
    const { runShell } = await import('../shell/run-shell.js')
    await withWorkspace(
      { flags, sources, anyFile: true, optional: true, forPeople: true },
      async (workspace, signal) => {
        exitWith(await runShell(workspace, { input: process.stdin, signal }, output))
      },
    )
  })
}
