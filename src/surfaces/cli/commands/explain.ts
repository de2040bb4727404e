import type { Command } from 'commander'
import { isErrorCode, catalogue } from '../../../errors/catalogue.js'
import { localCaller } from '../../../model/caller.js'
import { explanationLines } from '../../../workspace/explanation-text.js'
import type { CommandContext } from '../command-context.js'
import { exitCodeOf, exitCodes, type ExitCode } from '../exit-code.js'
import { write } from '../output.js'
import { parseParams } from '../query/params.js'
import { readSql } from '../query/read-sql.js'
import { indentedJson } from '../render/json-text.js'
import { terminalText } from '../render/terminal-text.js'
import { collect } from '../usage.js'
import { addQueryFlags, sourcesArgument, type QueryFlags } from '../workspace-flags.js'

interface ExplainFlags extends QueryFlags {
  readonly param?: readonly string[]
  readonly json?: boolean
}

/** `querent explain`: the plan. It ends as the query would that it refuses. */
export function addExplain(program: Command, { output, withWorkspace, exitWith }: CommandContext): void {
  const command = program
    .command('explain')
    .argument('<sql>', 'one SELECT statement; - reads it from standard input')
    .argument(...sourcesArgument)
    .option('-p, --param <name=value>', 'a value for $name; repeat it for more', collect)
    .option('--json', 'print the plan as JSON')
    .description('what would be asked of whom; makes no request')
    .addHelpText(
      'after',
      `
Examples:
  querent explain "SELECT * FROM github.pulls WHERE owner = 'duckdb' AND repo = 'duckdb'"
  querent explain "SELECT * FROM orders WHERE id = $id" -p id=7 sales.duckdb --json
`,
    )
  addQueryFlags(command).action(async (sql: string, sources: readonly string[], flags: ExplainFlags) => {
    const params = parseParams(flags.param ?? [])
    const text = await readSql(sql)
    await withWorkspace({ flags, sources, anyFile: true, optional: true }, async (workspace, signal) => {
      const request = { sql: text, ...(flags.param === undefined ? {} : { params }) }
      const explanation = await workspace.explain(request, { caller: localCaller, surface: 'cli', signal })
      const lines =
        flags.json === true
          ? [indentedJson(explanation)]
          : explanationLines(explanation).map((one) => terminalText(one))
      await write(output.out, `${lines.join('\n')}\n`)
      if (explanation.refusal !== undefined) exitWith(exitCodeOfCode(explanation.refusal.code))
    })
  })
}

function exitCodeOfCode(code: string): ExitCode {
  return isErrorCode(code) ? exitCodeOf({ code, category: catalogue[code].category }) : exitCodes.failed
}
