import type { Limits } from '../../config/limits.js'
import type { Source } from '../../sources/source.js'
import type { Catalog } from '../catalog/catalog.js'
import type { Engine } from '../client/engine.js'

/** What the pipeline works with; made once per workspace file, replaced whole when the file changes. */
export interface EngineServices {
  readonly engine: Engine
  readonly catalog: Catalog
  /** Open sources by lower-case name, Querent's own among them. */
  readonly sources: ReadonlyMap<string, Source>
  readonly limits: Limits
}

/** References to tables in one statement: each is a relation to be made and planned. */
export const maxReferences = 100
