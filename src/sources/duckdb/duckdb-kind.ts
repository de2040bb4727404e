import type { SourceKind } from '../source.js'
import { duckdbConfigSchema, type DuckdbConfig } from './duckdb-config.js'
import { DuckdbSource } from './duckdb-source.js'

/** A DuckDB database file. Read-only unless the workspace was opened with `--read-write`. */
export const duckdbKind: SourceKind<DuckdbConfig> = {
  kind: 'duckdb',
  configSchema: duckdbConfigSchema,
  open: (config, context) => Promise.resolve(new DuckdbSource(config, context)),
}
