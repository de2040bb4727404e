/** How the rows of a file are written. `tsv` is CSV with tabs; `ndjson` is one JSON value a line. */
export const fileFormats = ['csv', 'tsv', 'json', 'ndjson', 'parquet'] as const

export type FileFormat = (typeof fileFormats)[number]

export type FileCompression = 'gzip' | 'zstd' | 'none'

const formatByExtension: Readonly<Record<string, FileFormat>> = {
  csv: 'csv',
  tsv: 'tsv',
  json: 'json',
  ndjson: 'ndjson',
  jsonl: 'ndjson',
  parquet: 'parquet',
}

/** The format that a file's name tells, `.gz` and `.zst` put aside; undefined where it tells none. */
export function formatOfName(name: string): FileFormat | undefined {
  const extension = /\.([a-z]+)$/.exec(name.toLowerCase().replace(/\.(?:gz|zst)$/, ''))?.[1] ?? ''
  return Object.hasOwn(formatByExtension, extension) ? formatByExtension[extension] : undefined
}

export function compressionOfName(name: string): FileCompression {
  if (/\.gz$/i.test(name)) return 'gzip'
  return /\.zst$/i.test(name) ? 'zstd' : 'none'
}

/** DuckDB's table function that reads a format. */
export function readerOf(format: FileFormat): 'read_csv' | 'read_json' | 'read_parquet' {
  if (format === 'parquet') return 'read_parquet'
  return format === 'csv' || format === 'tsv' ? 'read_csv' : 'read_json'
}
