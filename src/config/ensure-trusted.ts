import { QuerentError } from '../errors/querent-error.js'
import type { LoadedSource } from './loaded-workspace.js'
import { isTrusted, trustSubject } from './trust.js'
import { replacedPathNeeds, trustNeeds, type TrustNeed } from './trust-needs.js'
import type { WorkspaceFile } from './workspace-file.js'

type Files = readonly [WorkspaceFile, ...WorkspaceFile[]]

const shownNeeds = 5

/**
 * For a workspace that was found: true when a person accepted exactly this content, false when it needs no trust.
 * Rejects with `config.foreign_owner` or `config.untrusted`.
 */
export async function ensureTrusted(files: Files, env: Readonly<Record<string, string | undefined>>): Promise<boolean> {
  for (const file of files) {
    if (file.ownerId !== undefined && file.ownerId !== process.getuid?.()) {
      throw new QuerentError('config.foreign_owner', { path: file.path })
    }
  }
  if (await isTrusted(trustSubject(files), env)) return true
  refuse(await trustNeeds(files), files[0])
  return false
}

/** Again for paths that only came about by replacing references. */
export async function ensureTrustedPaths(sources: readonly LoadedSource[], main: WorkspaceFile): Promise<void> {
  for (const source of sources) {
    refuse(await replacedPathNeeds(source.config, { root: main.folder, folder: source.folder, file: main.path }), main)
  }
}

function refuse(needs: readonly TrustNeed[], main: WorkspaceFile): void {
  if (needs.length === 0) return
  const messages = [...new Set(needs.map((need) => need.message))]
  const more = messages.length > shownNeeds ? [`${messages.length - shownNeeds} more`] : []
  throw new QuerentError('config.untrusted', {
    path: main.path,
    needs: [...messages.slice(0, shownNeeds), ...more].join(', '),
  })
}
