import { createHash } from 'node:crypto'
import { chmodSync, lstatSync, mkdirSync, realpathSync, statSync, type Stats } from 'node:fs'
import { dirname, join } from 'node:path'
import { QuerentError } from '../errors/querent-error.js'
import { stateFolder } from '../util/state-folder.js'
import { ioReason } from './io-reason.js'

/** The folder of one workspace's state. Nothing is made before `folder` is called. */
export interface StateDir {
  /** Absolute; need not exist yet. */
  readonly path: string
  /**
   * Absolute path of a folder below, made with mode 0700 where it is missing. Throws `state.unsafe_folder` where others
   * could write to it or own it, and `state.unwritable`.
   */
  folder(...names: readonly string[]): string
}

export interface StateDirOptions {
  /** Tells workspaces apart: the real path of the workspace file, or what was named instead of one. */
  readonly workspace: string
  readonly env: Readonly<Record<string, string | undefined>>
}

const writableByOthers = 0o022
const openToOthers = 0o077
const stickyBit = 0o1000
const writableByAll = 0o002

/**
 * `$QUERENT_STATE_DIR`, else the place for state that the system's conventions name, and in it one folder per
 * workspace, named by a hash.
 */
export function stateDir(options: StateDirOptions): StateDir {
  const root = stateFolder(options.env)
  const name = createHash('sha256').update(options.workspace).digest('hex').slice(0, 32)
  const path = join(root, 'workspaces', name)
  return {
    path,
    folder(...names) {
      makeRoot(root)
      let current = root
      for (const part of ['workspaces', name, ...names]) {
        current = join(current, part)
        makePrivate(current)
      }
      return current
    },
  }
}

/** The root may be a link and may be readable by others; nobody else may own it, write to it or put another in its place. */
function makeRoot(root: string): void {
  attempt(() => mkdirSync(root, { recursive: true, mode: 0o700 }))
  const real = attempt(() => realpathSync(root))
  const stats = attempt(() => statSync(real))
  if (!stats.isDirectory()) throw unsafe('it is no folder')
  checkOwner(stats)
  if ((permissions(stats) & writableByOthers) !== 0) throw unsafe('other users can write to it')
  for (let parent = dirname(real); ; parent = dirname(parent)) {
    const mode = permissions(attempt(() => statSync(parent)))
    if ((mode & writableByAll) !== 0 && (mode & stickyBit) === 0) throw unsafe('every user can replace it')
    if (parent === dirname(parent)) return
  }
}

/** One of Querent's own folders: never a link, and closed to others. */
function makePrivate(path: string): void {
  attempt(() => mkdirSync(path, { recursive: true, mode: 0o700 }))
  const stats = attempt(() => lstatSync(path))
  if (!stats.isDirectory()) throw unsafe('one of its folders is a link or a file')
  checkOwner(stats)
  if ((permissions(stats) & openToOthers) !== 0)
    attempt(() => {
      chmodSync(path, 0o700)
    })
}

function checkOwner(stats: Stats): void {
  const user = process.getuid?.()
  if (user !== undefined && stats.uid !== user) throw unsafe('it belongs to another user')
}

/** Windows has access lists instead of modes; its folders for programs' data are the user's own. */
function permissions(stats: Stats): number {
  return process.platform === 'win32' ? 0 : stats.mode
}

function unsafe(reason: string): QuerentError {
  return new QuerentError('state.unsafe_folder', { reason })
}

function attempt<Value>(act: () => Value): Value {
  try {
    return act()
  } catch (error) {
    throw new QuerentError('state.unwritable', { reason: ioReason(error) }, { cause: error })
  }
}
