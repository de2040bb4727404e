import type { AuditLog } from '../../../state/audit-log.js'
import { write, type Output } from '../output.js'
import { jsonText } from '../render/json-text.js'

export interface PrintAuditOptions {
  readonly follow: boolean
  readonly limit: number
  readonly caller?: string
  readonly since?: Date
  readonly signal: AbortSignal
}

/** Prints records as JSON lines, oldest first; `follow` goes on with what is appended until the signal is aborted. */
export async function printAudit(log: AuditLog, options: PrintAuditOptions, output: Output): Promise<void> {
  const { caller, since, limit, signal } = options
  // Begun before the log is read, so that nothing falls between the two; what both have is printed once.
  const appended = options.follow ? log.follow(signal) : undefined
  const printed = new Set<string>()
  const lines: string[] = []
  const query = { limit, ...(caller === undefined ? {} : { caller }), ...(since === undefined ? {} : { since }) }
  for await (const entry of log.read(query)) {
    printed.add(`${entry.event} ${entry.queryId}`)
    lines.push(line(entry))
  }
  await write(output.out, lines.reverse())
  if (appended === undefined) return
  for await (const record of appended) {
    const isNew = !printed.delete(`${record.event} ${record.queryId}`)
    if (isNew && (caller === undefined || record.caller === caller)) await write(output.out, line(record))
  }
}

function line(record: unknown): string {
  return `${jsonText(record)}\n`
}
