import { join } from 'node:path'
import type { Caller } from '../model/caller.js'
import type { CallerFolders } from './caller-folders.js'
import { HandleTable, type HandleLimits, type Lease } from './handle-table.js'
import { makePrivate, removeFiles } from './result-store.js'

/** 16 spaces and 2 GB per caller, 500 and 16 GB in all; an hour after the last use, a day after the first. */
export const defaultScratchLimits: HandleLimits = {
  maxCount: 16,
  maxBytes: 2_000_000_000,
  maxTotalCount: 500,
  maxTotalBytes: 16_000_000_000,
  idleMs: 3_600_000,
  maxAgeMs: 86_400_000,
}

/** A space for tables that a caller saves. `path` is a DuckDB file in the caller's folder, made by the first table. */
export interface ScratchSpace {
  readonly id: string
  readonly path: string
  readonly tables: readonly ScratchTable[]
  readonly bytes: number
}

export interface ScratchTable {
  readonly name: string
  readonly columns: readonly string[]
  readonly columnTypes: readonly string[]
  readonly rows: number
}

export interface ScratchRequest {
  /** A handle from an earlier answer. */
  readonly id?: string | undefined
  /** Without a handle: the session's own space. */
  readonly session?: string | undefined
}

export interface ScratchStore {
  /** The space that the request names, to read: undefined where a session has none yet. Throws `state.not_found`. */
  use(caller: Caller, request: ScratchRequest): Lease<ScratchSpace> | undefined
  /** The space to write to; a new one where none is named. Throws `state.not_found`, `state.unwritable`. */
  open(caller: Caller, request: ScratchRequest): Lease<ScratchSpace>
  /** Bytes that the space's file may come to. */
  maxBytes(space: ScratchSpace): number
  /** After a table was saved: `bytes` is the size of the file. A table of the same name is replaced. */
  saved(space: ScratchSpace, table: ScratchTable, bytes: number): void
}

export class ScratchSpaces implements ScratchStore {
  readonly table: HandleTable<ScratchSpace>
  /** Ids of the sessions' own spaces. */
  private readonly sessions = new Map<string, string>()

  constructor(
    private readonly folders: CallerFolders,
    limits: HandleLimits,
    nowMs?: () => number,
  ) {
    this.table = new HandleTable({
      thing: 'scratch space',
      prefix: 's',
      limits,
      // Nothing was saved: its caller was never told the handle.
      isEmpty: (space) => space.tables.length === 0,
      onRemoved: (space) => {
        removeFiles(space.path)
        this.forget(space.id)
      },
      ...(nowMs === undefined ? {} : { nowMs }),
    })
  }

  use(caller: Caller, request: ScratchRequest): Lease<ScratchSpace> | undefined {
    const key = this.folders.keyOf(caller)
    if (request.id !== undefined) return this.table.use(key, request.id)
    if (request.session === undefined) return undefined
    const own = this.sessions.get(sessionKey(key, request.session))
    return own !== undefined && this.table.has(key, own) ? this.table.use(key, own) : undefined
  }

  open(caller: Caller, request: ScratchRequest): Lease<ScratchSpace> {
    const found = this.use(caller, request)
    if (found !== undefined) return found
    const key = this.folders.keyOf(caller)
    const folder = this.folders.folderOf(caller)
    const lease = this.table.add(key, (id) => ({ id, path: join(folder, `${id}.duckdb`), tables: [], bytes: 0 }))
    if (request.session !== undefined) this.sessions.set(sessionKey(key, request.session), lease.id)
    return lease
  }

  maxBytes(space: ScratchSpace): number {
    return this.table.room(space.id)
  }

  saved(space: ScratchSpace, table: ScratchTable, bytes: number): void {
    const name = table.name.toLowerCase()
    makePrivate(space.path)
    this.table.change(space.id, (current) => ({
      ...current,
      tables: [...current.tables.filter((other) => other.name.toLowerCase() !== name), table],
      bytes,
    }))
  }

  private forget(id: string): void {
    for (const [session, space] of this.sessions) if (space === id) this.sessions.delete(session)
  }
}

function sessionKey(callerKey: string, session: string): string {
  return `${callerKey} ${session}`
}
