import { chmodSync } from 'node:fs'
import { parse } from 'yaml'
import { z } from 'zod'
import { loadWorkspace } from '../../../src/config/load-workspace.js'
import { builtinSchemas } from '../../../src/sources/builtin.js'
import { TempFolder } from '../temp-folder.js'

/** What a block may name that has to be there. */
const named = z.looseObject({
  include: z.array(z.string()).default([]),
  secrets: z.array(z.looseObject({ kind: z.string(), path: z.string().optional() })).default([]),
  variables: z.record(z.string(), z.unknown()).default({}),
})

/**
 * Loads a `yaml` block as a workspace file, in a folder where every file, variable and secret that it names is there. A
 * block that is a part (`limits:` alone, or a list of sources) is completed first. Rejects as loading does.
 */
export async function loadYaml(text: string): Promise<void> {
  const folder = new TempFolder()
  try {
    const whole = wholeFile(text)
    const env: Record<string, string> = { QUERENT_STATE_DIR: `${folder.path}/state` }
    // Numbers, so that they also fit where a port is wanted; no two the same, as two callers may not share a token.
    let next = 8080
    const standIn = (): string => String(next++)
    for (const [, kind, name = ''] of whole.matchAll(/\$\{(env|secret):(\w+)/g)) {
      env[name] ??= kind === 'secret' ? `a-secret-of-the-docs-${standIn()}` : standIn()
    }
    for (const [, name = ''] of whole.matchAll(/\$\{file:([^}:]+)/g)) folder.write(name, standIn())
    const { include, secrets, variables } = named.parse(parse(whole))
    for (const file of include.filter((name) => !name.includes('*'))) folder.write(file, 'version: 1\n')
    const kept = Object.keys(variables).map((name) => `${name}: "${standIn()}"\n`)
    for (const { path: file } of secrets) if (file !== undefined) chmodSync(folder.write(file, kept.join('')), 0o600)
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
