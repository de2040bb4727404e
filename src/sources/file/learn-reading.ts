import { verifyCompressed } from './compressed-file.js'
import { compressionOfName, readerOf, type FileFormat } from './file-format.js'
import type { Probe } from './file-probe.js'
import type { FileReading, ReadGroup, TypedColumn } from './file-reading.js'
import type { LearnRequest, Learned } from './learn-request.js'
import type { FoundFile } from './found-file.js'
import { areHivePartitioned, partitionValuesOf } from './hive-partitions.js'
import { learnCsv } from './learn-csv.js'
import { learnJson } from './learn-json.js'
import { learnParquet } from './learn-parquet.js'
import {
  argumentsSql,
  type CsvOptions,
  type JsonOptions,
  type ManyFilesOptions,
  type ParquetOptions,
} from './reader-options.js'

export interface ReadingOptions {
  readonly format: FileFormat
  readonly options: CsvOptions | JsonOptions | ParquetOptions
  readonly shared: ManyFilesOptions
  /** Declared columns: only these are read. */
  readonly schema: readonly TypedColumn[] | undefined
  /** Real path of the folder that paths in a filename column count from. */
  readonly folder: string
}

/** Asks DuckDB once how the files are written, and gives all that later scans need. */
export async function learnReading(
  files: readonly FoundFile[],
  options: ReadingOptions,
  probe: Probe,
): Promise<FileReading> {
  await verifyAll(files, options, probe)
  const paths = files.map((file) => file.path)
  const hive = options.shared.hive_partitioning ?? areHivePartitioned(paths)
  const keys = new Set(hive ? paths.slice(0, 1).flatMap((file) => [...partitionValuesOf(file).keys()]) : [])
  const filenameColumn = filenameOf(options.shared)
  const fixed = new Set(
    [...keys, ...(filenameColumn === undefined ? [] : [filenameColumn])].map((name) => name.toLowerCase()),
  )
  const request: LearnRequest = {
    ...{
      probe,
      files,
      format: options.format,
      options: options.options,
      shared: options.shared,
      schema: options.schema,
    },
    sharedSql: sharedSql(options.shared, hive, paths.length),
    runSql: sharedSql({ ...options.shared, hive_types: undefined }, hive, paths.length),
    hasSharedColumns: fixed.size > 0,
    sharedColumns: (columns) => columns.map((column) => column.name.toLowerCase()).filter((name) => fixed.has(name)),
  }
  const learned = await learn(request)
  const partitions = learned.columns.filter((column) => keys.has(column.name))
  const types = Object.fromEntries(partitions.map((column) => [column.name, column.type]))
  const groups = partitions.length === 0 ? learned.groups : learned.groups.map((group) => withTypes(group, types))
  return {
    ...{ reader: readerOf(options.format), files, columns: learned.columns, groups, filenameColumn },
    partitions: new Set(partitions.map((column) => column.name)),
    folder: options.folder,
    notes: learned.notes ?? [],
  }
}

async function learn(request: LearnRequest): Promise<Learned> {
  const reader = readerOf(request.format)
  if (reader === 'read_csv') return learnCsv(request)
  return reader === 'read_json' ? learnJson(request) : learnParquet(request)
}

/** The types of partitions are told: a part of the files alone could look like another type. */
function withTypes(group: ReadGroup, types: Readonly<Record<string, string>>): ReadGroup {
  return { ...group, argumentsSql: `${group.argumentsSql}${argumentsSql({ hive_types: types })}` }
}

function filenameOf(shared: ManyFilesOptions): string | undefined {
  if (shared.filename === undefined || shared.filename === false) return undefined
  return shared.filename === true ? 'filename' : shared.filename
}

function sharedSql(shared: ManyFilesOptions, hive: boolean, files: number): string {
  const union = files > 1 && shared.union_by_name === true ? true : undefined
  const told = { hive_types: hive ? shared.hive_types : undefined, union_by_name: union, filename: shared.filename }
  return `${hive || shared.hive_partitioning === false || files > 1 ? `, hive_partitioning = ${hive}` : ''}${argumentsSql(told)}`
}

async function verifyAll(files: readonly FoundFile[], options: ReadingOptions, probe: Probe): Promise<void> {
  if (options.format === 'parquet') return
  const told = 'compression' in options.options ? options.options.compression : undefined
  for (const file of files) {
    if (file.sizeBytes === 0) continue
    const compression = told === undefined || told === 'auto' ? compressionOfName(file.path) : told
    await verifyCompressed(file, compression, probe)
  }
}
