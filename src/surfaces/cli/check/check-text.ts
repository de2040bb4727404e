import { relative, sep } from 'node:path'
import { catalogue, isErrorCode } from '../../../errors/catalogue.js'
import type { Finding } from '../../../errors/finding.js'
import type { CheckFinding, CheckReport } from '../../../workspace/workspace.js'
import { exitCodeOf, exitCodes, type ExitCode } from '../exit-code.js'
import { terminalText } from '../render/terminal-text.js'

const marks = { ok: 'ok     ', warning: 'warning', error: 'error  ' }

/** One line per finding, and one for its hint. */
export function* checkLines({ findings }: CheckReport): Generator<string> {
  for (const { severity, subject, message, hint } of findings) {
    yield `${marks[severity]} ${terminalText(subject)}: ${terminalText(message)}\n`
    if (hint !== undefined) yield `        hint: ${terminalText(hint)}\n`
  }
  if (findings.length === 0) yield 'ok      the workspace is valid; it has no source yet\n'
}

/** Faults of the workspace file, as compilers print them: `file:line:column: message`. */
export function* findingLines(findings: readonly Finding[]): Generator<string> {
  for (const { file, line, column, message, hint } of findings) {
    const place = line === undefined ? shown(file) : `${shown(file)}:${line}:${column ?? 1}`
    yield `${terminalText(place)}: ${terminalText(message)}\n`
    if (hint !== undefined && hint !== '') yield `    hint: ${terminalText(hint)}\n`
  }
}

/** The gravest: a wrong workspace, then a source that cannot be reached, then what failed on the way. */
const byGravity: readonly ExitCode[] = [
  exitCodes.usage,
  exitCodes.unreachable,
  exitCodes.refused,
  exitCodes.stopped,
  exitCodes.failed,
]

export function checkExitCode({ findings }: CheckReport): ExitCode {
  const codes = findings.filter((finding) => finding.severity === 'error').map(exitCodeOfFinding)
  return byGravity.find((code) => codes.includes(code)) ?? exitCodes.ok
}

function exitCodeOfFinding({ code, example }: CheckFinding): ExitCode {
  if (example === true || code === undefined || !isErrorCode(code)) return exitCodes.failed
  const { category } = catalogue[code]
  // What a declaration says and its source does not have is the declaration's fault.
  return category === 'user' ? exitCodes.usage : exitCodeOf({ code, category })
}

function shown(file: string): string {
  const inside = relative(process.cwd(), file)
  return inside === '' || inside === '..' || inside.startsWith(`..${sep}`) ? file : inside
}
