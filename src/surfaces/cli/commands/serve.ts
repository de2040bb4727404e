import type { Command } from 'commander'
import type { CommandContext } from '../command-context.js'
import { parseAddress } from '../serve/parse-address.js'
import { addAnswerFlags, sourcesArgument, type AnswerFlags } from '../workspace-flags.js'

interface ServeFlags extends AnswerFlags {
  /** true: the address of the workspace file. */
  readonly http?: string | true
}

/** `querent serve`: MCP over standard input and output, or HTTP. */
export function addServe(program: Command, { output, withWorkspace }: CommandContext): void {
  const command = program
    .command('serve')
    .argument(...sourcesArgument)
    .description('serve MCP over standard input and output, or HTTP')
    .option('--http [[host:]port]', 'MCP at /mcp and the HTTP API at /v1; port 0 takes a free one; else server.port')
    .addHelpText(
      'after',
      `
Examples:
  querent serve --config querent.yaml
  querent serve sales.duckdb data/*.parquet
  querent serve sales.duckdb --read-write
  querent serve --http 8080
`,
    )
  addAnswerFlags(command).action(async (sources: readonly string[], flags: ServeFlags) => {
    const address = typeof flags.http === 'string' ? parseAddress(flags.http) : {}
    await withWorkspace({ flags, sources, watch: true }, async (workspace, signal) => {
      const options = { readWrite: flags.readWrite === true, signal }
      if (flags.http === undefined) {
        const { serveStdio } = await import('../serve/serve-stdio.js')
        await serveStdio(workspace, options, output)
      } else {
        const { serveHttp } = await import('../serve/serve-http.js')
        await serveHttp(workspace, { ...options, ...address }, output)
      }
    })
  })
}
