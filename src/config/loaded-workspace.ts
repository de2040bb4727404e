import type { Secret } from '../util/secret.js'
import type { AuditConfig } from './audit-config.js'
import type { FilePattern } from './file-pattern.js'
import type { Limits } from './limits.js'
import type { ServerConfig } from './server-config.js'

/** A checked workspace: everything is known, nothing is open yet. */
export interface LoadedWorkspace {
  /** The workspace file, absolute; undefined for sources named on the command line or a config object. */
  readonly path: string | undefined
  /** Folder of the workspace file, or the one given with a config object; a real path. */
  readonly folder: string
  readonly name: string
  readonly description: string | undefined
  /** In the order of the files; names are unique without regard to case. */
  readonly sources: readonly LoadedSource[]
  readonly limits: Limits
  readonly audit: Audit
  readonly server: ServerConfig
  readonly files: {
    /** What statements may name by path. Without a glob: that file, or everything under that folder. */
    readonly roots: readonly FilePattern[]
    /** Absolute paths that no root may open: the workspace file, its includes, `.env` and files that hold secrets. */
    readonly never: readonly string[]
  }
  /** Every secret in use. */
  readonly secrets: readonly Secret[]
  /** Hides every secret in use in an outgoing text; for errors and logs. */
  readonly redact: (text: string) => string
  /** To be said to the person, on standard error. */
  readonly notices: readonly string[]
  readonly watch: WatchList
  /** Changes when any byte that the workspace was made of changes. */
  readonly revision: string
  /** Reads the same files again, under the same conditions. */
  readonly reload: () => Promise<LoadedWorkspace>
}

export interface LoadedSource {
  readonly name: string
  readonly kind: string
  /** What the kind's schema made of the whole entry. */
  readonly config: unknown
  /** Folder that relative paths of the entry count from: that of the file it stands in. */
  readonly folder: string
  /** Where the entry stands, for people: `querent.yaml:12`. */
  readonly place: string
}

export interface Audit extends Omit<AuditConfig, 'path'> {
  /** Absolute; undefined: in the state folder of the workspace. */
  readonly path: string | undefined
}

/** What to watch for changes. */
export interface WatchList {
  /** The workspace file, its includes, and files whose text is part of it. */
  readonly files: readonly string[]
  /** A new file that matches one of these belongs to the workspace, too. */
  readonly patterns: readonly FilePattern[]
}
