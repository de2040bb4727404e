import { loadWorkspace, loadWorkspaceObject } from '../config/load-workspace.js'
import type { LoadedWorkspace } from '../config/loaded-workspace.js'
import { watchWorkspace } from '../config/watch-workspace.js'
import { createEngine, type Engine } from '../engine/client/engine.js'
import type { EngineOptions } from '../engine/client/engine-options.js'
import { redactLiterals } from '../policy/redact-literals.js'
import type { QueryLimits } from '../policy/limits.js'
import { builtinSchemas } from '../sources/builtin.js'
import { createAdmission } from '../state/admission.js'
import { openAuditLog, type AuditLog } from '../state/audit-log.js'
import { defaultResultLimits } from '../state/result-store.js'
import { openHandles } from '../state/handles.js'
import { defaultScratchLimits } from '../state/scratch-store.js'
import { openProcessFolder } from '../state/process-folder.js'
import { registerProcess } from '../state/process-registry.js'
import { stateDir } from '../state/state-dir.js'
import { toQuerentError } from './error-answer.js'
import { Generation, type GenerationOptions } from './generation.js'
import { RunningWorkspace } from './running-workspace.js'
import { systemTables } from './system-tables.js'
import type { Workspace } from './workspace.js'

export interface OpenWorkspaceOptions {
  /** Where `${env:…}`, secrets and the state folder are looked up. Default: the process's environment. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Folder that relative paths of a config object count from. Default: the working directory. */
  readonly folder?: string
  /** DuckDB databases take writing statements. */
  readonly readWrite?: boolean
  /** SQL may name any file that this user can read, not only those under `files.roots`. */
  readonly anyFile?: boolean
  /** Takes up changes of the workspace file. */
  readonly watch?: boolean
  /** The operator's caps in place of the workspace's. */
  readonly caps?: Partial<QueryLimits>
  /** The operator's own statements, such as SET or LOAD, which each DuckDB instance that runs queries begins with. */
  readonly initSql?: string
  /** What a person should know, without secrets. Default: nothing is said. */
  readonly onNotice?: (text: string) => void
}

/** A workspace with what an operator may see of it. */
export interface OpenedWorkspace extends Workspace {
  readonly loaded: LoadedWorkspace
  /** The caps in effect: the operator's, else the workspace's. */
  readonly limits: QueryLimits
  readonly audit: AuditLog
}

/**
 * Opens a workspace: the path of its file, the same as an object, or one that was loaded before. Nothing is asked of
 * any source yet, and DuckDB starts with the first query. Rejects with config.* errors, all faults at once.
 */
export async function openWorkspace(
  config: string | LoadedWorkspace | Readonly<Record<string, unknown>>,
  options: OpenWorkspaceOptions = {},
): Promise<OpenedWorkspace> {
  const loaded = await toLoaded(config, options)
  const notice = options.onNotice ?? (() => undefined)
  const env = options.env ?? process.env
  const state = stateDir({ workspace: loaded.path ?? loaded.folder, env })
  const processes = registerProcess(state)
  const { audit: auditConfig, limits } = loaded
  const audit = openAuditLog({ ...auditConfig, state, processes, redact: redactLiterals, onWarning: notice })
  const { maxCount, maxAgeMs } = limits.result
  const maxBytes = limits.tempBytes
  const results = { ...defaultResultLimits, maxCount, maxBytes, maxAgeMs, idleMs: maxAgeMs }
  const scratch = { ...defaultScratchLimits, maxBytes }
  const handles = openHandles({ state, processes, results, scratch })
  const engineFolder = openProcessFolder(state, processes, 'engine')
  const engine = startEngine(loaded, { stateDir: engineFolder.path, onLog: notice }, options.initSql)
  const parts = { engine, state, readWrite: options.readWrite === true, anyFile: options.anyFile === true }
  const open = (next: LoadedWorkspace): Generation => {
    const generation: GenerationOptions = {
      ...parts,
      ownSources: [systemTables(audit)],
      onChanged: () => {
        workspace.announceChange()
      },
    }
    return Generation.open(next, generation)
  }
  const workspace: RunningWorkspace = new RunningWorkspace(open(loaded), {
    ...parts,
    audit,
    handles,
    admission: createAdmission(limits),
    caps: options.caps ?? {},
    onClosed: () => {
      watcher?.close()
      engineFolder.close()
      processes.close()
    },
  })
  const watcher = options.watch === true ? watch(loaded, { open, workspace, notice }) : undefined
  return workspace
}

async function toLoaded(
  config: string | LoadedWorkspace | Readonly<Record<string, unknown>>,
  options: OpenWorkspaceOptions,
): Promise<LoadedWorkspace> {
  const env = options.env ?? process.env
  if (typeof config === 'string') return loadWorkspace({ path: config, kinds: builtinSchemas, env, trusted: true })
  if (isLoaded(config)) return config
  const folder = options.folder ?? process.cwd()
  return loadWorkspaceObject({ config, folder, kinds: builtinSchemas, env })
}

function isLoaded(config: LoadedWorkspace | Readonly<Record<string, unknown>>): config is LoadedWorkspace {
  return 'reload' in config && typeof config.reload === 'function'
}

function startEngine(
  { limits }: LoadedWorkspace,
  place: Pick<EngineOptions, 'stateDir' | 'onLog'>,
  initSql: string | undefined,
): Engine {
  return createEngine({
    ...place,
    ...(initSql === undefined ? {} : { initSql }),
    threads: limits.threads,
    memoryLimitBytes: limits.memoryBytes,
    maxConcurrentQueries: limits.concurrent,
    maxTempBytes: limits.tempBytes,
  })
}

function watch(
  loaded: LoadedWorkspace,
  parts: {
    readonly open: (next: LoadedWorkspace) => Generation
    readonly workspace: RunningWorkspace
    readonly notice: (text: string) => void
  },
): { close(): void } {
  const { open, workspace, notice } = parts
  return watchWorkspace(loaded, (change) => {
    if ('error' in change) {
      notice(`The workspace file changed and is not valid; the old one stays. ${toQuerentError(change.error).message}`)
      return
    }
    Promise.resolve(change.workspace)
      .then((next) => workspace.replace(open(next)))
      .catch((error: unknown) => {
        notice(`The changed workspace cannot be opened; the old one stays. ${toQuerentError(error).message}`)
      })
  })
}
