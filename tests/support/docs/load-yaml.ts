import { parse } from 'yaml'
import { loadWorkspace } from '../../../src/config/load-workspace.js'
import { builtinSchemas } from '../../../src/sources/builtin.js'
import { TempFolder } from '../temp-folder.js'

/** A number, so that it also fits where a port is wanted. */
const standIn = '8080'

/**
 * Loads a `yaml` block as a workspace file, in a folder where every file, variable and secret that it names is there. A
 * block that is a part (`limits:` alone, or a list of sources) is completed first. Rejects as loading does.
 */
export async function loadYaml(text: string): Promise<void> {
  const folder = new TempFolder()
  try {
    const whole = wholeFile(text)
    const env: Record<string, string> = { QUERENT_STATE_DIR: `${folder.path}/state` }
    for (const [, name = ''] of whole.matchAll(/\$\{(?:env|secret):(\w+)/g)) env[name] = standIn
    for (const [, name = ''] of whole.matchAll(/\$\{file:([^}:]+)/g)) folder.write(name, standIn)
    const path = folder.write('querent.yaml', whole)
    await loadWorkspace({ path, kinds: builtinSchemas, env, trusted: true })
  } finally {
    folder.remove()
  }
}

function wholeFile(text: string): string {
  const value: unknown = parse(text)
  if (Array.isArray(value)) return `version: 1\nsources:\n${indented(text)}`
  if (typeof value === 'object' && value !== null && 'version' in value) return text
  return `version: 1\n${text}`
}

function indented(text: string): string {
  return text
    .split('\n')
    .map((line) => `  ${line}`)
    .join('\n')
}
