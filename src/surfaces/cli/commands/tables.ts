import type { Command } from 'commander'
import { localCaller } from '../../../model/caller.js'
import { renderTables } from '../catalog/catalog-text.js'
import { looksLikeSource } from '../catalog/looks-like-source.js'
import type { CommandContext } from '../command-context.js'
import { say, warn, widthOf, write } from '../output.js'
import { terminalText } from '../render/terminal-text.js'
import { wholeNumber } from '../usage.js'
import { addQueryFlags, type QueryFlags } from '../workspace-flags.js'

interface TablesFlags extends QueryFlags {
  readonly source?: string
  readonly limit: number
}

/** `querent tables`: the catalog, ranked by words. */
export function addTables(program: Command, context: CommandContext): void {
  const command = program
    .command('tables')
    .argument('[words...]', 'rank the tables by these words; files and databases among them are searched instead')
    .option('--source <name>', 'tables of this source only')
    .option('--limit <n>', 'tables at most', wholeNumber, 100)
    .description('list the tables')
    .addHelpText(
      'after',
      `
Examples:
  querent tables
  querent tables customer revenue
  querent tables sales.duckdb data/*.parquet
`,
    )
  addQueryFlags(command).action((args: readonly string[], flags: TablesFlags) => listTables(context, args, flags))
}

async function listTables(context: CommandContext, args: readonly string[], flags: TablesFlags): Promise<void> {
  const { output } = context
  const sources = args.filter((argument) => looksLikeSource(argument))
  const words = args.filter((argument) => !sources.includes(argument))
  const { source, limit } = flags
  const search = {
    limit,
    ...(words.length === 0 ? {} : { query: words.join(' ') }),
    ...(source === undefined ? {} : { source }),
  }
  await context.withWorkspace({ flags, sources }, async (workspace, signal) => {
    const page = await workspace.tables(search, { caller: localCaller, surface: 'cli', signal })
    if (page.tables.length > 0) await write(output.out, renderTables(page, widthOf(output)))
    else await say(output, words.length === 0 ? 'There is no table.' : 'No table has these words.')
    if (page.tables.length < page.total) {
      await warn(output, `${page.tables.length} of ${page.total} tables are shown; --limit ${page.total} shows all.`)
    }
    for (const { source: name, error } of page.unavailable) {
      await say(output, `warning: ${terminalText(`${name}: ${error}`)}`)
    }
  })
}
