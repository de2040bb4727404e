import type { LoadedSource, LoadedWorkspace } from '../config/loaded-workspace.js'
import { BrokenSource } from '../sources/broken-source.js'
import { builtinKinds } from '../sources/builtin.js'
import type { Introspection } from '../sources/source-context.js'
import type { Source } from '../sources/source.js'
import type { StateDir } from '../state/state-dir.js'

export interface OpenSourcesOptions {
  readonly state: StateDir
  readonly introspection: Introspection
  readonly readWrite: boolean
  readonly onChanged: () => void
}

/** The sources by lower-case name. One that cannot be opened stands there broken, and the others work. */
export async function openSources(
  loaded: LoadedWorkspace,
  options: OpenSourcesOptions,
): Promise<ReadonlyMap<string, Source>> {
  const opened = await Promise.all(loaded.sources.map((source) => openSource(source, loaded, options)))
  return new Map(opened.map((source) => [source.name.toLowerCase(), source]))
}

async function openSource(source: LoadedSource, loaded: LoadedWorkspace, options: OpenSourcesOptions): Promise<Source> {
  const { limits } = loaded
  try {
    const kind = builtinKinds.get(source.kind)
    if (kind === undefined) throw new TypeError(`no kind ${source.kind}`)
    return await kind.open(source.config, {
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
  } catch (error) {
    return new BrokenSource(source.name, error)
  }
}
