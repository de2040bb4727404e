import type { Engine } from '../engine/client/engine.js'
import type { Introspection } from '../sources/source-context.js'

/** Fixed statements of the sources, run by the engine. */
export function engineIntrospection(engine: Engine, timeoutMs: number): Introspection {
  return {
    async query({ sql, files, attach, signal }) {
      const { rows } = await engine.call(
        'introspect',
        { sql, files, attach: attach ?? [], timeoutMs },
        signal === undefined ? {} : { signal },
      )
      return JSON.parse(rows) as readonly (readonly unknown[])[]
    },
  }
}
