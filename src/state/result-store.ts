import { chmodSync, readdirSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Caller } from '../model/caller.js'
import type { CallerFolders } from './caller-folders.js'
import { HandleTable, type HandleLimits, type Lease } from './handle-table.js'

/** 32 results and 1 GB per caller, 1,000 and 8 GB in all, one hour. */
export const defaultResultLimits: HandleLimits = {
  maxCount: 32,
  maxBytes: 1_000_000_000,
  maxTotalCount: 1000,
  maxTotalBytes: 8_000_000_000,
  idleMs: 3_600_000,
  maxAgeMs: 3_600_000,
}

export interface ResultInfo {
  readonly columns: readonly string[]
  readonly columnTypes: readonly string[]
  readonly rows: number
  readonly bytes: number
  /** false: the result has more rows than were kept. */
  readonly complete: boolean
}

/** A kept result. `path` is a DuckDB file in the caller's folder. */
export interface StoredResult extends ResultInfo {
  readonly id: string
  readonly path: string
}

/** A result that is being written. One of `keep` and `discard` ends it. */
export interface PendingResult {
  readonly id: string
  /** Where the DuckDB file is to be made. */
  readonly path: string
  /** Bytes that there is room for. */
  readonly maxBytes: number
  /** false: there was no room after all, and the file is gone. */
  keep(info: ResultInfo): boolean
  discard(): void
}

export interface ResultStore {
  /** Room for a new result. Throws `state.unwritable`. */
  begin(caller: Caller): PendingResult
  /** Throws `state.not_found`. */
  use(caller: Caller, id: string): Lease<StoredResult>
  /** Where an export of a held result is to be made; it goes with the result. */
  exportPath(result: StoredResult, format: 'csv' | 'json' | 'parquet'): string
  /** Counts an export's bytes. false: there is no room; remove the file. */
  addExport(result: StoredResult, bytes: number): boolean
}

export class StoredResults implements ResultStore {
  readonly table: HandleTable<StoredResult>

  constructor(
    private readonly folders: CallerFolders,
    limits: HandleLimits,
    nowMs?: () => number,
  ) {
    this.table = new HandleTable({
      thing: 'result',
      prefix: 'r',
      limits,
      onRemoved: (result) => {
        removeFiles(result.path)
      },
      ...(nowMs === undefined ? {} : { nowMs }),
    })
  }

  begin(caller: Caller): PendingResult {
    const folder = this.folders.folderOf(caller)
    const lease = this.table.add(this.folders.keyOf(caller), (id) => ({
      id,
      path: join(folder, `${id}.duckdb`),
      columns: [],
      columnTypes: [],
      rows: 0,
      bytes: 0,
      complete: false,
    }))
    const { id, path } = lease.value
    const discard = (): void => {
      this.table.remove(id)
      lease.release()
    }
    return {
      id,
      path,
      maxBytes: this.table.room(id),
      keep: (info) => {
        makePrivate(path)
        const kept = this.table.change(id, () => ({ ...info, id, path }))
        if (kept) lease.release()
        else discard()
        return kept
      },
      discard,
    }
  }

  use(caller: Caller, id: string): Lease<StoredResult> {
    return this.table.use(this.folders.keyOf(caller), id)
  }

  exportPath(result: StoredResult, format: 'csv' | 'json' | 'parquet'): string {
    return join(dirname(result.path), `${result.id}.${format}`)
  }

  addExport(result: StoredResult, bytes: number): boolean {
    if (result.bytes + bytes > this.table.room(result.id)) return false
    makePrivate(result.path)
    return this.table.change(result.id, (current) => ({ ...current, bytes: current.bytes + bytes }))
  }
}

/** Closes the database and whatever stands beside it to others; the folder is closed to them anyway. */
export function makePrivate(databasePath: string): void {
  for (const file of filesOf(databasePath)) {
    try {
      chmodSync(file, 0o600)
    } catch {
      // A write-ahead log may be gone by now.
    }
  }
}

/** The database and whatever stands beside it under its name: a write-ahead log, exports. */
export function removeFiles(databasePath: string): void {
  for (const file of filesOf(databasePath)) {
    try {
      rmSync(file, { force: true, recursive: true })
    } catch {
      // Whatever cannot be removed now goes with the process's folder.
    }
  }
}

function filesOf(databasePath: string): readonly string[] {
  const start = `${basename(databasePath, '.duckdb')}.`
  const folder = dirname(databasePath)
  try {
    return readdirSync(folder)
      .filter((name) => name.startsWith(start))
      .map((name) => join(folder, name))
  } catch {
    return []
  }
}
