import { createInterface } from 'node:readline/promises'
import { findWorkspace } from '../../../config/find-workspace.js'
import { inspectTrust, trust } from '../../../config/trust.js'
import { say, type Output } from '../output.js'
import { terminalText } from '../render/terminal-text.js'
import { usage } from '../usage.js'

export interface AcceptOptions {
  readonly config?: string
  /** Accept without asking: for scripts of the person who wrote the file. */
  readonly yes: boolean
}

/** Shows what a workspace may do and records that this content is accepted. Answers false when the person declines. */
export async function acceptWorkspace(options: AcceptOptions, output: Output): Promise<boolean> {
  const { env } = process
  const found = await findWorkspace({ configFlag: options.config, env, cwd: process.cwd() })
  const inspection = await inspectTrust(found.path)
  const { files, needs } = inspection
  await say(output, `${terminalText(inspection.path)} with ${files.length === 1 ? '1 file' : `${files.length} files`}`)
  for (const need of needs) await say(output, `  - ${terminalText(need.message)}`)
  if (needs.length === 0) await say(output, '  needs no trust: it stays in its folder and reads no environment')
  if (!options.yes && !(await confirm(output))) {
    await say(output, 'Not accepted.')
    return false
  }
  await trust(inspection, env)
  await say(output, 'Accepted. A change of the file asks again.')
  return true
}

async function confirm(output: Output): Promise<boolean> {
  if (!process.stdin.isTTY) throw usage('There is no terminal to ask on; --yes accepts.')
  const prompt = createInterface({ input: process.stdin, output: output.err })
  const left = new AbortController()
  prompt.on('close', () => {
    left.abort()
  })
  try {
    const answer = await prompt.question('Accept this content? [y/N] ', { signal: left.signal })
    return /^y(es)?$/i.test(answer.trim())
  } catch (error) {
    // Ctrl-C and Ctrl-D are no.
    if (left.signal.aborted) return false
    throw error
  } finally {
    prompt.close()
  }
}
