import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { ProcessRegistry } from './process-registry.js'
import type { StateDir } from './state-dir.js'

/** A private folder of this process, for what need not outlive it. */
export interface ProcessFolder {
  readonly path: string
  /** Removes the folder. */
  close(): void
}

/** Makes `<name>/<process>` in the state folder, and removes what processes that are gone have left there. */
export function openProcessFolder(state: StateDir, processes: ProcessRegistry, name: string): ProcessFolder {
  for (const owner of entries(join(state.path, name))) {
    if (!processes.isAlive(owner)) remove(join(state.path, name, owner))
  }
  const path = state.folder(name, processes.id)
  return {
    path,
    close: () => {
      remove(path)
    },
  }
}

function entries(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** What cannot be removed now is left to the next process. */
function remove(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true })
  } catch {
    return
  }
}
