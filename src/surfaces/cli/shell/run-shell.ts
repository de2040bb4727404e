import type { OpenedWorkspace } from '../../../workspace/open-workspace.js'
import type { ExitCode } from '../exit-code.js'
import type { Output } from '../output.js'
import { PromptedLines } from './prompted-lines.js'
import { pipedLines } from './piped-lines.js'
import { ShellSession } from './shell-session.js'

export interface RunShellOptions {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean }
  readonly signal: AbortSignal
}

/** Takes statements until the input ends or the person leaves. From a pipe, answers the code of the first failure. */
export async function runShell(
  workspace: OpenedWorkspace,
  options: RunShellOptions,
  output: Output,
): Promise<ExitCode> {
  const { input, signal } = options
  const session = new ShellSession(workspace, output, signal)
  if (input.isTTY !== true) return session.runScript(pipedLines(input))
  const lines = new PromptedLines(workspace, { input, output, signal })
  try {
    return await session.runPrompt(lines)
  } finally {
    lines.close()
  }
}
