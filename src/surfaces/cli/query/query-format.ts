import { extname } from 'node:path'
import { rowFormats } from '../render/rows.js'

export const queryFormats = ['table', ...rowFormats, 'parquet'] as const
export type QueryFormat = (typeof queryFormats)[number]

const byEnding: Readonly<Record<string, QueryFormat>> = {
  '.csv': 'csv',
  '.json': 'json',
  '.ndjson': 'ndjson',
  '.jsonl': 'ndjson',
  '.md': 'markdown',
  '.parquet': 'parquet',
}

/** The format asked for, else the one that the output file's name says, else a table. */
export function formatOf(asked: QueryFormat | undefined, file: string | undefined): QueryFormat {
  return asked ?? byEnding[extname(file ?? '').toLowerCase()] ?? 'table'
}
