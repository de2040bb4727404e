import { quoteIdentifier } from '../../util/sql-text.js'
import type { FoundFile } from './found-file.js'
import { filesSql } from './reader-options.js'

export interface TypedColumn {
  readonly name: string
  /** As DuckDB prints it, so that it can stand in SQL. */
  readonly type: string
}

/** Files that one call of a reader reads, with everything said that the reader would otherwise have to find out. */
export interface ReadGroup {
  readonly files: readonly FoundFile[]
  /** The reader's arguments after the files: `, header = true, …`. */
  readonly argumentsSql: string
  /** Names, in lower case, of the columns that the reader yields; the table's other columns are NULL in these files. */
  readonly yields: ReadonlySet<string>
  /** The reader finds the types in the files, so that each column needs a cast to the table's type. */
  readonly cast: boolean
}

/** How a table's rows are read from its files; learned once for one state of the files. */
export interface FileReading {
  readonly reader: 'read_csv' | 'read_json' | 'read_parquet'
  readonly files: readonly FoundFile[]
  readonly columns: readonly TypedColumn[]
  readonly groups: readonly ReadGroup[]
  /** Columns whose values the folders give. */
  readonly partitions: ReadonlySet<string>
  /** The column that holds the file's path. */
  readonly filenameColumn: string | undefined
  /** Paths in that column count from here. */
  readonly folder: string
  readonly notes: readonly string[]
}

/** One SELECT that yields the table's columns from those of its files that are wanted. */
export function scanSql(reading: FileReading, wanted: readonly FoundFile[]): string {
  const chosen = new Set(wanted.map((file) => file.path))
  const selects: string[] = []
  for (const group of reading.groups) {
    const files = group.files.filter((file) => chosen.has(file.path))
    if (files.length === 0) continue
    const columns = reading.columns.map((column) => columnSql(column, group, reading))
    selects.push(`SELECT ${columns.join(', ')} FROM ${reading.reader}(${filesSql(files)}${group.argumentsSql})`)
  }
  if (selects.length > 0) return selects.join(' UNION ALL ')
  const empty = reading.columns.map((column) => `CAST(NULL AS ${column.type}) AS ${quoteIdentifier(column.name)}`)
  return `SELECT ${empty.join(', ')} WHERE false`
}

function columnSql(column: TypedColumn, group: ReadGroup, reading: FileReading): string {
  const name = quoteIdentifier(column.name)
  if (column.name === reading.filenameColumn) return `${shortPathSql(name, reading.folder)} AS ${name}`
  if (!group.yields.has(column.name.toLowerCase())) return `CAST(NULL AS ${column.type}) AS ${name}`
  return group.cast ? `CAST(${name} AS ${column.type}) AS ${name}` : name
}

/** Paths below the workspace's folder are shown from there on, as the workspace file writes them. */
function shortPathSql(name: string, folder: string): string {
  const prefix = `${folder.replaceAll("'", "''")}/`
  return `CASE WHEN starts_with(${name}, '${prefix}') THEN substr(${name}, ${Array.from(folder).length + 2}) ELSE ${name} END`
}
