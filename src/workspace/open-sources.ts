import type { LoadedSource, LoadedWorkspace } from '../config/loaded-workspace.js'
import { builtinKinds } from '../sources/builtin.js'
import { LateSource } from '../sources/late-source.js'
import type { Introspection } from '../sources/source-context.js'
import type { Source } from '../sources/source.js'
import type { StateDir } from '../state/state-dir.js'

export interface OpenSourcesOptions {
  readonly state: StateDir
  readonly introspection: Introspection
  readonly readWrite: boolean
  readonly onChanged: () => void
}

/** The sources by lower-case name, each opened at its first use. */
export function openSources(loaded: LoadedWorkspace, options: OpenSourcesOptions): ReadonlyMap<string, Source> {
  const sources = loaded.sources.map((source) => new LateSource(source.name, () => openSource(source, loaded, options)))
  return new Map(sources.map((source) => [source.name.toLowerCase(), source]))
}

async function openSource(source: LoadedSource, loaded: LoadedWorkspace, options: OpenSourcesOptions): Promise<Source> {
  const { limits } = loaded
  const kind = builtinKinds.get(source.kind)
  if (kind === undefined) throw new TypeError(`no kind ${source.kind}`)
  return kind.open(source.config, {
    baseDir: source.folder,
    // Made when a source first asks: most remember nothing.
    get stateDir() {
      return options.state.folder('sources', source.name.toLowerCase())
    },
    introspection: options.introspection,
    limits: {
      maxBodyBytes: limits.maxBodyBytes,
      maxPages: limits.maxPages,
      maxRequests: limits.maxRequests,
      requestTimeoutMs: limits.requestTimeoutMs,
      concurrency: limits.requestConcurrency,
    },
    onChanged: options.onChanged,
    readWrite: options.readWrite,
  })
}
