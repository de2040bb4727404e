import type { AuditLog } from '../../../state/audit-log.js'
import { write, type Output } from '../output.js'
import { terminalText } from '../render/terminal-text.js'

export interface AuditCommandOptions {
  readonly follow: boolean
  readonly limit: number
  readonly caller?: string
  readonly since?: Date
  readonly signal: AbortSignal
}

/** Prints records as JSON lines, oldest first; `follow` goes on with what is appended. */
export async function runAudit(log: AuditLog, options: AuditCommandOptions, output: Output): Promise<void> {
  const { caller, since, limit } = options
  const lines: string[] = []
  const query = { limit, ...(caller === undefined ? {} : { caller }), ...(since === undefined ? {} : { since }) }
  for await (const entry of log.read(query)) lines.push(line(entry))
  await write(output.out, lines.reverse().join(''))
  if (!options.follow) return
  for await (const record of log.follow(options.signal)) {
    if (caller === undefined || record.caller === caller) await write(output.out, line(record))
  }
}

function line(record: unknown): string {
  return `${terminalText(JSON.stringify(record))}\n`
}
