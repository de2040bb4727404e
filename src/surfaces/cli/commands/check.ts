import pc from 'picocolors'
import type { CheckReport } from '../../../workspace/workspace.js'
import { terminalText } from '../render/terminal-text.js'

export function renderCheck(report: CheckReport): string {
  const marks = { ok: pc.green('ok     '), warning: pc.yellow('warning'), error: pc.red('error  ') }
  const lines = report.findings.flatMap((finding) => [
    `${marks[finding.severity]} ${terminalText(finding.subject)}: ${terminalText(finding.message)}`,
    ...(finding.hint === undefined ? [] : [`        hint: ${terminalText(finding.hint)}`]),
  ])
  return `${lines.join('\n')}\n`
}
