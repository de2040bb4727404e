import type { FileFormat } from './file-format.js'
import type { Probe } from './file-probe.js'
import type { ReadGroup, TypedColumn } from './file-reading.js'
import type { FoundFile } from './found-file.js'
import type { CsvOptions, JsonOptions, ManyFilesOptions, ParquetOptions } from './reader-options.js'

/** What is asked of the files of one table. */
export interface LearnRequest {
  readonly probe: Probe
  readonly files: readonly FoundFile[]
  readonly format: FileFormat
  readonly options: CsvOptions & JsonOptions & ParquetOptions
  readonly shared: ManyFilesOptions
  readonly schema: readonly TypedColumn[] | undefined
  /** `, hive_partitioning = …, filename = …` for readers; empty where nothing differs from a reader of one plain file. */
  readonly sharedSql: string
  /** The same for a scan: without types of partitions, which are told once they are learned. */
  readonly runSql: string
  /** Whether folders or file names give columns. */
  readonly hasSharedColumns: boolean
  /** Names, in lower case, of columns that do not come from the files' contents. */
  readonly sharedColumns: (columns: readonly TypedColumn[]) => readonly string[]
}

/** What the files answered. */
export interface Learned {
  readonly columns: readonly TypedColumn[]
  readonly groups: readonly ReadGroup[]
  readonly notes?: readonly string[]
}
