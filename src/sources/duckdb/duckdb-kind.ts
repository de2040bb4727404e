import type { SourceKind } from '../source.js'
import { duckdbConfigSchema, type DuckdbConfig } from './duckdb-config.js'

/** A DuckDB database file. Read-only unless the workspace was opened with `--read-write`. */
export const duckdbKind: SourceKind<DuckdbConfig> = {
  kind: 'duckdb',
  configSchema: duckdbConfigSchema,
  async open(config, context) {
    const { DuckdbSource } = await import('./duckdb-source.js')
    return new DuckdbSource(config, context)
  },
}
