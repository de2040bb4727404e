import { z } from 'zod'
import type { LoadedWorkspace } from '../config/loaded-workspace.js'
import { Catalog } from '../engine/catalog/catalog.js'
import { informationSchema } from '../engine/catalog/information-schema.js'
import type { Engine } from '../engine/client/engine.js'
import type { FileFinder } from '../engine/pipeline/reference-finder.js'
import type { EngineServices } from '../engine/pipeline/services.js'
import type { Source } from '../sources/source.js'
import type { StateDir } from '../state/state-dir.js'
import type { SourceNotes } from '../engine/catalog/catalog-index.js'
import { adHocFiles } from './ad-hoc-files.js'
import { engineIntrospection } from './engine-introspection.js'
import { openSources } from './open-sources.js'

export interface GenerationOptions {
  readonly engine: Engine
  readonly state: StateDir
  readonly readWrite: boolean
  /** SQL may name any file that the person can read, not only those under `files.roots`. */
  readonly anyFile: boolean
  /** Sources of Querent's own, such as `system`. */
  readonly ownSources: readonly Source[]
  readonly onChanged: () => void
}

/** What one reading of the workspace file made: a change of the file makes a new one, and queries keep theirs. */
export class Generation {
  readonly loaded: LoadedWorkspace
  readonly services: EngineServices
  readonly files: FileFinder
  /** The sources that the file names. */
  readonly sources: ReadonlyMap<string, Source>
  /** What the file says of whole sources, by lower-case name. */
  readonly notes: ReadonlyMap<string, SourceNotes>
  #users = 0
  #retired = false
  #closing: Promise<void> | undefined

  private constructor(loaded: LoadedWorkspace, parts: Pick<Generation, 'services' | 'files' | 'sources' | 'notes'>) {
    this.loaded = loaded
    this.services = parts.services
    this.files = parts.files
    this.sources = parts.sources
    this.notes = parts.notes
  }

  static open(loaded: LoadedWorkspace, options: GenerationOptions): Generation {
    const { engine, state } = options
    const introspection = engineIntrospection(engine, loaded.limits.timeoutMs)
    const named = openSources(loaded, {
      ...options,
      introspection,
      onChanged: () => {
        catalog.invalidate()
        options.onChanged()
      },
    })
    const sources = new Map(named)
    for (const source of options.ownSources) sources.set(source.name, source)
    const notes = sourceNotes(loaded)
    const catalog = new Catalog(sources, notes)
    sources.set('information_schema', informationSchema(catalog, sources))
    const files = adHocFiles({
      roots: options.anyFile ? 'any' : loaded.files.roots,
      folder: loaded.folder,
      forbidden: [...loaded.files.never, state.path],
      introspection,
    })
    return new Generation(loaded, {
      services: { engine, catalog, sources, limits: loaded.limits },
      files,
      sources: named,
      notes,
    })
  }

  /** Keeps the sources open until `release`. */
  hold(): { release(): void } {
    this.#users++
    let held = true
    return {
      release: () => {
        if (!held) return
        held = false
        this.#users--
        if (this.#retired && this.#users === 0) void this.#close()
      },
    }
  }

  /** Closes the sources once nobody uses them. */
  async retire(): Promise<void> {
    this.#retired = true
    if (this.#users === 0) await this.#close()
  }

  #close(): Promise<void> {
    this.#closing ??= Promise.allSettled([...this.sources.values()].map((source) => source.close())).then(
      () => undefined,
    )
    return this.#closing
  }
}

/** Every kind takes these keys for a whole source, and checks them itself. */
const notesSchema = z.looseObject({
  description: z.string().optional(),
  wiki: z.string().optional(),
  examples: z.array(z.string()).optional(),
})

function sourceNotes(loaded: LoadedWorkspace): ReadonlyMap<string, SourceNotes> {
  return new Map(loaded.sources.map(({ name, config }) => [name.toLowerCase(), notesSchema.catch({}).parse(config)]))
}
