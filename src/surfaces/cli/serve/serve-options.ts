import { packageVersion } from '../../../util/package-version.js'
import type { OpenedWorkspace } from '../../../workspace/open-workspace.js'
import { say, type Output } from '../output.js'
import { terminalText } from '../render/terminal-text.js'

export interface ServeOptions {
  readonly readWrite: boolean
  readonly signal: AbortSignal
}

/** What both doors are told. */
export function doorOptions(
  workspace: OpenedWorkspace,
  { readWrite }: ServeOptions,
  output: Output,
): { version: string; readWrite: boolean; maxChars: number; onError: (error: Error) => void } {
  return {
    version: packageVersion(),
    readWrite,
    maxChars: workspace.limits.maxChars,
    onError: (error) => void say(output, terminalText(`connection: ${error.message}`)),
  }
}
