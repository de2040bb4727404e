import type { Command } from 'commander'
import { localCaller } from '../../../model/caller.js'
import { renderDescription } from '../catalog/catalog-text.js'
import type { CommandContext } from '../command-context.js'
import { widthOf, write } from '../output.js'
import { addQueryFlags, sourcesArgument, type QueryFlags } from '../workspace-flags.js'

/** `querent describe`: one table of the catalog. */
export function addDescribe(program: Command, { output, withWorkspace }: CommandContext): void {
  const command = program
    .command('describe')
    .argument('<table>', 'such as sales.accounts')
    .argument(...sourcesArgument)
    .description('columns of a table, with how each may be filtered')
    .addHelpText(
      'after',
      `
Examples:
  querent describe sales.accounts
  querent describe files.orders data/orders.parquet
`,
    )
  addQueryFlags(command).action((table: string, sources: readonly string[], flags: QueryFlags) =>
    withWorkspace({ flags, sources }, async (workspace, signal) => {
      const described = await workspace.describe({ table }, { caller: localCaller, surface: 'cli', signal })
      await write(output.out, renderDescription(described, widthOf(output)))
    }),
  )
}
