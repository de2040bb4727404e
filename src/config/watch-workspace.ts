import { type FSWatcher, lstatSync, watch } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import type { LoadedWorkspace } from './loaded-workspace.js'

/** What a change of the files led to. After an error the workspace before it stays in force. */
export type WorkspaceChange = { readonly workspace: LoadedWorkspace } | { readonly error: unknown }

export interface WorkspaceWatcher {
  close(): void
}

const settleMs = 100
/** A server answers its client's first messages before it reads everything again. */
const firstLookMs = 1000
const maxFolders = 2000

/**
 * Watches the workspace file, its includes and every place where a new include may appear. Folders are watched, not
 * files: editors replace files. Calls `onChange` one at a time, and never twice for the same content.
 */
export function watchWorkspace(loaded: LoadedWorkspace, onChange: (change: WorkspaceChange) => void): WorkspaceWatcher {
  const watching = new Watching(loaded, onChange)
  watching.start()
  return {
    close: () => {
      watching.close()
    },
  }
}

class Watching {
  private current: LoadedWorkspace
  private readonly onChange: (change: WorkspaceChange) => void
  private readonly watchers = new Map<string, FSWatcher>()
  /** By folder: the names that matter there; undefined: all do. */
  private names = new Map<string, Set<string> | undefined>()
  private timer: NodeJS.Timeout | undefined
  private lastError: string | undefined
  private reading = false
  private readAgain = false
  private closed = false

  constructor(loaded: LoadedWorkspace, onChange: (change: WorkspaceChange) => void) {
    this.current = loaded
    this.onChange = onChange
  }

  /** The first look catches what changed between reading the workspace and watching it. */
  start(): void {
    void this.watchFolders().then(() => {
      this.schedule(firstLookMs)
    })
  }

  close(): void {
    this.closed = true
    clearTimeout(this.timer)
    for (const watcher of this.watchers.values()) watcher.close()
    this.watchers.clear()
  }

  private schedule(delayMs = settleMs): void {
    if (this.closed) return
    clearTimeout(this.timer)
    this.timer = setTimeout(() => void this.read(), delayMs)
    this.timer.unref()
  }

  private async read(): Promise<void> {
    if (this.reading) {
      this.readAgain = true
      return
    }
    this.reading = true
    await this.watchFolders()
    const change = await this.load()
    this.reading = false
    if (this.closed) return
    if (change !== undefined) {
      if ('workspace' in change) {
        this.current = change.workspace
        await this.watchFolders()
      }
      this.onChange(change)
    }
    if (this.readAgain) {
      this.readAgain = false
      this.schedule()
    }
  }

  /** undefined: nothing is new. */
  private async load(): Promise<WorkspaceChange | undefined> {
    try {
      const workspace = await this.current.reload()
      const isSame = workspace.revision === this.current.revision && this.lastError === undefined
      this.lastError = undefined
      return isSame ? undefined : { workspace }
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error)
      if (text === this.lastError) return undefined
      this.lastError = text
      return { error }
    }
  }

  private async watchFolders(): Promise<void> {
    this.names = await namesByFolder(this.current)
    if (this.closed) return
    for (const [folder, watcher] of this.watchers) {
      if (this.names.has(folder)) continue
      watcher.close()
      this.watchers.delete(folder)
    }
    for (const folder of this.names.keys()) this.open(folder)
  }

  private open(folder: string): void {
    if (this.watchers.has(folder)) return
    try {
      const watcher = watch(folder, { persistent: false }, (_, name) => {
        const wanted = this.names.get(folder)
        if (name === null || wanted === undefined || wanted.has(name)) this.schedule()
      })
      this.watchers.set(folder, watcher)
      watcher.on('error', () => {
        watcher.close()
        this.watchers.delete(folder)
        this.schedule()
      })
    } catch {
      // A folder that is not there yet is looked for again with the next change.
    }
  }
}

async function namesByFolder(loaded: LoadedWorkspace): Promise<Map<string, Set<string> | undefined>> {
  const names = new Map<string, Set<string> | undefined>()
  for (const file of loaded.watch.files) {
    const folder = dirname(file)
    const wanted = names.has(folder) ? names.get(folder) : new Set<string>()
    wanted?.add(basename(file))
    names.set(folder, isLink(file) ? undefined : wanted)
  }
  for (const pattern of loaded.watch.patterns) {
    if (pattern.glob === undefined) continue
    for (const folder of await foldersOf(pattern.folder, pattern.glob)) {
      if (names.size < maxFolders) names.set(folder, undefined)
    }
  }
  return names
}

/** The folders in which a file that matches may appear, and those above them down from `folder`. */
async function foldersOf(folder: string, pattern: string): Promise<string[]> {
  const steps = pattern.split('/').slice(0, -1)
  const globs = steps.map((_, index) => steps.slice(0, index + 1).join('/'))
  if (globs.length === 0) return [folder]
  const { glob } = await import('tinyglobby')
  try {
    const found = await glob(globs, { cwd: folder, absolute: true, onlyDirectories: true, expandDirectories: false })
    return [folder, ...found.map((path) => resolve(path))]
  } catch {
    // Folders may go away while they are listed; the change that this is brings the next look.
    return [folder]
  }
}

/** What a link points to may be exchanged under another name, as mounted configuration is. */
function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink()
  } catch {
    return false
  }
}
