import type { Caller } from '../model/caller.js'
import { callerFolders } from './caller-folders.js'
import type { HandleLimits } from './handle-table.js'
import type { ProcessRegistry } from './process-registry.js'
import { defaultResultLimits, StoredResults, type ResultStore } from './result-store.js'
import { defaultScratchLimits, ScratchSpaces, type ScratchStore } from './scratch-store.js'
import type { StateDir } from './state-dir.js'

export interface HandlesOptions {
  readonly state: StateDir
  readonly processes: ProcessRegistry
  /** Default: `defaultResultLimits`. */
  readonly results?: HandleLimits
  /** Default: `defaultScratchLimits`. */
  readonly scratch?: HandleLimits
  /** Milliseconds since the epoch; for tests. */
  readonly nowMs?: () => number
}

/** Everything stored for callers. It lives as long as this process. */
export interface Handles {
  readonly results: ResultStore
  readonly scratch: ScratchStore
  /** Tells callers apart without showing who they are; never used for anything but equality. */
  callerKey(caller: Caller): string
  /** The one folder of this caller's files; made at first use. Throws `state.unwritable`, `state.unsafe_folder`. */
  callerDir(caller: Caller): string
  /** Removes all of it. */
  close(): void
}

const sweepMs = 60_000

/** Removes what processes that are gone have left, and from then on what expires. */
export function openHandles(options: HandlesOptions): Handles {
  const folders = callerFolders(options.state, options.processes)
  const results = new StoredResults(folders, options.results ?? defaultResultLimits, options.nowMs)
  const scratch = new ScratchSpaces(folders, options.scratch ?? defaultScratchLimits, options.nowMs)
  folders.sweep()
  options.processes.forgetDead()
  const sweep = setInterval(() => {
    results.table.removeExpired()
    scratch.table.removeExpired()
  }, sweepMs).unref()
  return {
    results,
    scratch,
    callerKey: (caller) => folders.keyOf(caller),
    callerDir: (caller) => folders.folderOf(caller),
    close() {
      clearInterval(sweep)
      results.table.clear()
      scratch.table.clear()
      folders.close()
    },
  }
}
