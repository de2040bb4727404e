import { Option, type Command } from 'commander'
import type { CommandContext } from '../command-context.js'
import { parseParams } from '../query/params.js'
import { formatOf, queryFormats, type QueryFormat } from '../query/query-format.js'
import { readSql } from '../query/read-sql.js'
import { collect, usage } from '../usage.js'
import { addAnswerFlags, sourcesArgument, type AnswerFlags } from '../workspace-flags.js'

interface QueryCommandFlags extends AnswerFlags {
  readonly format?: QueryFormat
  readonly output?: string
  readonly param?: readonly string[]
  readonly timeout?: string
}

/** `querent query`: one statement, its rows to stdout or a file. */
export function addQuery(program: Command, context: CommandContext): void {
  const command = program
    .command('query')
    .argument('<sql>', 'one statement; - reads it from standard input')
    .argument(...sourcesArgument)
    .description('run one statement and print its rows')
    .addOption(
      new Option(
        '-f, --format <format>',
        'how rows are printed; else by the ending of the -o file, else a table',
      ).choices(queryFormats),
    )
    .option('-o, --output <file>', 'write the rows to a file; - is standard output')
    .option('-p, --param <name=value>', 'a value for $name, or for ? by its number; repeat it for more', collect)
    .addOption(new Option('--timeout <time>', 'the same as --query-timeout').conflicts('queryTimeout'))
    .addHelpText('after', examples)
  addAnswerFlags(command).action((sql: string, sources: readonly string[], flags: QueryCommandFlags) =>
    runQueryCommand(context, { sql, sources, flags }),
  )
}

const examples = `
A value of --param that is JSON (12, 1.5, true, null, "12", [1,2]) is that value; all else is text.
Without --max-rows at most 1024 rows come, and a warning says so; --max-rows also lifts --max-chars.

Examples:
  querent query "SELECT region, sum(amount) FROM 'sales.csv' GROUP BY 1"
  querent query "SELECT count(*) FROM orders" sales.duckdb
  querent query "SELECT * FROM github.pulls WHERE owner = 'duckdb' AND repo = $repo" -p repo=duckdb -f json
  echo "FROM files.a JOIN files.b USING (id)" | querent query - a.csv b.parquet -o joined.parquet --max-rows 1000000
`

async function runQueryCommand(
  context: CommandContext,
  { sql, sources, flags }: { sql: string; sources: readonly string[]; flags: QueryCommandFlags },
): Promise<void> {
  const { timeout } = flags
  const file = flags.output === '-' || flags.output === '/dev/stdout' ? undefined : flags.output
  const format = formatOf(flags.format, file)
  if (format === 'parquet' && file === undefined) throw usage('--format parquet needs -o FILE.')
  const params = parseParams(flags.param ?? [])
  const text = await readSql(sql)
  const { runQuery } = await import('../query/run-query.js')
  const queryFlags = timeout === undefined ? flags : { ...flags, queryTimeout: timeout }
  await context.withWorkspace(
    {
      flags: queryFlags,
      sources,
      anyFile: true,
      optional: true,
      forPeople: true,
      ...(format === 'parquet' ? { keptRows: ({ limits }) => flags.maxRows ?? limits.maxRows } : {}),
    },
    (workspace, signal) =>
      runQuery(
        workspace,
        { sql: text, params, format, signal, ...(file === undefined ? {} : { file }) },
        context.output,
      ),
  )
}
