import type { Command } from 'commander'
import { QuerentError } from '../../../errors/querent-error.js'
import { checkExitCode, checkLines, findingLines } from '../check/check-text.js'
import type { CommandContext } from '../command-context.js'
import { exitCodes } from '../exit-code.js'
import { say, write } from '../output.js'
import { addQueryFlags, sourcesArgument, type QueryFlags } from '../workspace-flags.js'

/** `querent check`: every fault of the workspace at once; then each source is probed and its examples run. */
export function addCheck(program: Command, context: CommandContext): void {
  const command = program
    .command('check')
    .argument(...sourcesArgument)
    .description('every fault of the workspace at once, then a probe of each source and its examples')
    .addHelpText(
      'after',
      `
Exit codes: 2 the workspace file is wrong, 4 a source is unreachable, 1 an example or a table's data fails.

Examples:
  querent check
  querent check --config team/querent.yaml
`,
    )
  addQueryFlags(command).action(async (sources: readonly string[], flags: QueryFlags) => {
    try {
      await check(context, sources, flags)
    } catch (error) {
      if (!(error instanceof QuerentError) || error.findings.length === 0) throw error
      await write(context.output.out, findingLines(error.findings))
      await say(context.output, `${error.findings.length} fault${error.findings.length === 1 ? '' : 's'}`)
      context.exitWith(exitCodes.usage)
    }
  })
}

async function check(context: CommandContext, sources: readonly string[], flags: QueryFlags): Promise<void> {
  await context.withWorkspace({ flags, sources }, async (workspace, signal) => {
    const report = await workspace.check(signal)
    await write(context.output.out, checkLines(report))
    context.exitWith(checkExitCode(report))
  })
}
