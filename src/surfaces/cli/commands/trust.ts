import { createInterface } from 'node:readline/promises'
import { findWorkspace } from '../../../config/find-workspace.js'
import { inspectTrust, trust } from '../../../config/trust.js'
import { say, type Output } from '../output.js'
import { terminalText } from '../render/terminal-text.js'
import { usage } from '../workspace-arguments.js'

export interface TrustCommandOptions {
  readonly config?: string
  /** Accept without asking: for scripts of the person who wrote the file. */
  readonly yes: boolean
}

/** Shows what a workspace may do and records that this content is accepted. Answers false when the person declines. */
export async function runTrust(options: TrustCommandOptions, output: Output): Promise<boolean> {
  const { env } = process
  const found = await findWorkspace({ configFlag: options.config, env, cwd: process.cwd() })
  const inspection = await inspectTrust(found.path)
  await say(output, `${terminalText(inspection.path)} with ${inspection.files.length} file(s)`)
  for (const need of inspection.needs) await say(output, `  - ${terminalText(need.message)}`)
  if (inspection.needs.length === 0)
    await say(output, '  needs no trust: it stays in its folder and reads no environment')
  if (!options.yes && !(await confirm(output))) return false
  await trust(inspection, env)
  await say(output, 'Accepted. A change of the file asks again.')
  return true
}

async function confirm(output: Output): Promise<boolean> {
  if (!process.stdin.isTTY) throw usage('There is no terminal to ask on; --yes accepts.')
  const prompt = createInterface({ input: process.stdin, output: output.err })
  try {
    return /^y(es)?$/i.test((await prompt.question('Accept this content? [y/N] ')).trim())
  } finally {
    prompt.close()
  }
}
