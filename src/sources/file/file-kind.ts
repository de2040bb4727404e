import { realpath } from 'node:fs/promises'
import path from 'node:path'
import type { SourceKind } from '../source.js'
import { fileConfigSchema, type FileConfig } from './file-config.js'

/** CSV, TSV, JSON, NDJSON and Parquet files, read where they lie. */
export const fileKind: SourceKind<FileConfig> = {
  kind: 'file',
  configSchema: fileConfigSchema,
  async open(config, context) {
    const { FileSource } = await import('./file-source.js')
    // A folder that is gone is reported by the tables, each by its own path.
    const folder = await realpath(context.baseDir).catch(() => path.resolve(context.baseDir))
    return new FileSource(config, context, folder)
  },
}
