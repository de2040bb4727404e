import { createHash, randomBytes } from 'node:crypto'
import { linkSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { QuerentError } from '../errors/querent-error.js'
import type { Caller } from '../model/caller.js'
import { errorCode, ioReason } from './io-reason.js'
import type { ProcessRegistry } from './process-registry.js'
import type { StateDir } from './state-dir.js'

/** A folder per caller and process: `callers/<hash of the caller>/<process>`. */
export interface CallerFolders {
  /** The hash, for whatever must be kept apart by caller without showing who it is. */
  keyOf(caller: Caller): string
  /** Absolute path, made with mode 0700 where it is missing. Throws `state.unwritable` and `state.unsafe_folder`. */
  folderOf(caller: Caller): string
  /** Removes the folders of processes that are gone. */
  sweep(): void
  /** Removes this process's folders. */
  close(): void
}

export function callerFolders(state: StateDir, processes: ProcessRegistry): CallerFolders {
  let salt: string | undefined
  const keys = new Map<string, string>()

  function keyOf(caller: Caller): string {
    const known = keys.get(caller.id)
    if (known !== undefined) return known
    salt ??= workspaceSalt(state.folder())
    const key = createHash('sha256').update(`${salt}\0${caller.id}`).digest('hex').slice(0, 32)
    keys.set(caller.id, key)
    return key
  }

  return {
    keyOf,
    folderOf: (caller) => state.folder('callers', keyOf(caller), processes.id),
    sweep() {
      for (const caller of names(join(state.path, 'callers'))) {
        for (const owner of names(join(state.path, 'callers', caller))) {
          if (!processes.isAlive(owner)) remove(join(state.path, 'callers', caller, owner))
        }
      }
    },
    close() {
      for (const caller of names(join(state.path, 'callers'))) remove(join(state.path, 'callers', caller, processes.id))
    },
  }
}

/** Without it, a caller's folder could be guessed from the caller's name. The first process of a workspace makes it. */
function workspaceSalt(folder: string): string {
  const path = join(folder, 'salt')
  const draft = join(folder, `salt-${randomBytes(8).toString('hex')}`)
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw unwritable(error)
  }
  try {
    writeFileSync(draft, randomBytes(32).toString('hex'), { mode: 0o600 })
    // A link appears whole or not at all, and never replaces the salt of another process.
    linkSync(draft, path)
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw unwritable(error)
  } finally {
    rmSync(draft, { force: true })
  }
  return readFileSync(path, 'utf8')
}

function unwritable(error: unknown): QuerentError {
  return new QuerentError('state.unwritable', { reason: ioReason(error) }, { cause: error })
}

function names(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** What cannot be removed now is left to the next sweep. */
function remove(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true })
  } catch {
    return
  }
}
