import type { Command } from 'commander'
import { printAudit } from '../audit/print-audit.js'
import type { CommandContext } from '../command-context.js'
import { usage, wholeNumber } from '../usage.js'
import { addConfigFlag, type ConfigFlags } from '../workspace-flags.js'

interface AuditFlags extends ConfigFlags {
  readonly follow?: boolean
  readonly limit: number
  readonly caller?: string
  readonly since?: Date
}

/** `querent audit`: the record of all queries. */
export function addAudit(program: Command, { output, withWorkspace }: CommandContext): void {
  const command = program
    .command('audit')
    .description('print the audit log as JSON lines, oldest first')
    .option('--follow', 'go on with what is appended')
    .option('--limit <n>', 'records at most', wholeNumber, 100)
    .option('--caller <name>', 'records of this caller only')
    .option('--since <date>', 'records since then, such as 2026-01-31 or 2026-01-31T12:00:00Z', dateOf)
    .addHelpText(
      'after',
      `
Examples:
  querent audit --since 2026-01-31 --caller local
  querent audit --follow | jq 'select(.outcome != "ok")'
`,
    )
  addConfigFlag(command).action((flags: AuditFlags) =>
    withWorkspace({ flags, sources: [], optional: true }, (workspace, signal) =>
      printAudit(workspace.audit, { ...flags, follow: flags.follow === true, signal }, output),
    ),
  )
}

function dateOf(text: string): Date {
  const date = new Date(text)
  if (!/^\d{4}-/.test(text) || Number.isNaN(date.getTime())) {
    throw usage(`${text} is not a date; write 2026-01-31 or 2026-01-31T12:00:00Z.`)
  }
  return date
}
