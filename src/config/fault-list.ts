import { relative, sep } from 'node:path'
import { QuerentError } from '../errors/querent-error.js'
import type { Finding } from '../errors/finding.js'
import type { WorkspaceFile } from './workspace-file.js'
import type { Path } from './yaml-document.js'

export interface FaultText {
  readonly message: string
  readonly hint?: string | undefined
}

/** A message says no more than these; `findings` has all. */
const shownFaults = 50

/** Gathers every fault of a workspace, so that one error can report them all. */
export class FaultList {
  private readonly findings: Finding[] = []

  get length(): number {
    return this.findings.length
  }

  /** At a value of a file, or at its key. */
  at(file: WorkspaceFile, path: Path, text: FaultText, part: 'key' | 'value' = 'value'): void {
    this.add(file.path, file.positionOf(path, part), text)
  }

  add(file: string, position: { readonly line: number; readonly column: number } | undefined, text: FaultText): void {
    this.findings.push({
      file,
      ...position,
      message: text.message,
      ...(text.hint === undefined ? {} : { hint: text.hint }),
    })
  }

  /** `redact` hides secrets that a message may hold in spite of all. */
  throwIfAny(folder: string, redact: (text: string) => string): void {
    if (this.findings.length === 0) return
    const findings = unique(this.findings).map((finding) => ({
      ...finding,
      message: redact(finding.message),
      ...(finding.hint === undefined ? {} : { hint: redact(finding.hint) }),
    }))
    findings.sort(
      (a, b) => compare(a.file, b.file) || (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0),
    )
    const lines = findings.slice(0, shownFaults).map((finding) => line(finding, folder, findings.length > 1))
    if (findings.length > shownFaults) lines.push(`and ${findings.length - shownFaults} more`)
    const message =
      lines.length === 1 ? `${lines[0] ?? ''}.` : `The workspace has ${findings.length} faults:\n${lines.join('\n')}`
    const hint =
      findings.length === 1 ? findings[0]?.hint : 'Mend each line that is named; `querent check` lists them again.'
    throw new QuerentError('config.invalid', { message, hint }, { findings })
  }
}

function line(finding: Finding, folder: string, withHint: boolean): string {
  const inside = relative(folder, finding.file)
  const shown = inside === '' || inside === '..' || inside.startsWith(`..${sep}`) ? finding.file : inside
  const place = finding.line === undefined ? shown : `${shown}:${finding.line}:${finding.column ?? 1}`
  return `${place}: ${finding.message}${withHint && finding.hint !== undefined ? `. ${finding.hint}` : ''}`
}

function unique(findings: readonly Finding[]): Finding[] {
  return [...new Map(findings.map((finding) => [JSON.stringify(finding), finding])).values()]
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
