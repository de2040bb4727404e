import path from 'node:path'
import { QuerentError } from '../../errors/querent-error.js'
import type { Column, FilterOperator } from '../../model/column.js'
import type { Table, TableName, TableSummary } from '../../model/table.js'
import type { SourceContext } from '../source-context.js'
import { configuredFormat, type FileTableConfig } from './file-config.js'
import { formatOfName, type FileFormat } from './file-format.js'
import type { Probe } from './file-probe.js'
import type { FileReading, TypedColumn } from './file-reading.js'
import { findFiles, isInside } from './find-files.js'
import { versionOf, type FoundFile } from './found-file.js'
import { learnReading } from './learn-reading.js'
import { optionsSchemaOf, type ManyFilesOptions } from './reader-options.js'

/** A table as it was described, with what its scans need. */
export interface DescribedFiles {
  readonly version: string
  readonly table: Table
  readonly reading: FileReading
}

/** One table of a file source. What is learned of its files holds until one of them changes. */
export class FileTable {
  readonly name: TableName
  readonly config: FileTableConfig
  readonly #context: SourceContext
  readonly #folder: string
  #described: DescribedFiles | undefined
  #learning: { readonly version: string; readonly answer: Promise<DescribedFiles> } | undefined

  /** `folder`: the real path of the context's `baseDir`. */
  constructor(source: string, config: FileTableConfig, context: SourceContext, folder: string) {
    this.name = { source, table: config.name }
    this.config = config
    this.#context = context
    this.#folder = folder
  }

  /** What the last describe learned. */
  get described(): DescribedFiles | undefined {
    return this.#described
  }

  summary(): TableSummary {
    const names = this.#described?.table.columnNames ?? this.config.schema?.map((column) => column.name)
    return {
      name: this.name,
      ...(this.config.description === undefined ? {} : { description: this.config.description }),
      ...(names === undefined ? {} : { columnNames: names }),
    }
  }

  /** Looks at the files and asks DuckDB only where they are not those of the last time. */
  async describe(signal: AbortSignal): Promise<Table> {
    const files = await this.#find(signal)
    const version = versionOf(files)
    if (this.#described?.version === version) return this.#described.table
    const before = this.#described
    const described = await this.#learnOnce(version, files, signal)
    if (before !== undefined && !sameColumns(before.table.columns, described.table.columns)) this.#context.onChanged()
    return described.table
  }

  async #find(signal: AbortSignal): Promise<readonly FoundFile[]> {
    return findFiles([this.config.path].flat(), {
      folder: this.#folder,
      format: configuredFormat(this.config),
      signal,
    })
  }

  /** One that asks while another learns the same waits with it, and learns itself where the other was cancelled. */
  async #learnOnce(version: string, files: readonly FoundFile[], signal: AbortSignal): Promise<DescribedFiles> {
    const running = this.#learning
    if (running?.version === version) {
      try {
        return await running.answer
      } catch {
        signal.throwIfAborted()
      }
    }
    const answer = this.#learn(version, files, signal)
    const mine = { version, answer }
    this.#learning = mine
    try {
      this.#described = await answer
      return this.#described
    } finally {
      if (this.#learning === mine) this.#learning = undefined
    }
  }

  async #learn(version: string, files: readonly FoundFile[], signal: AbortSignal): Promise<DescribedFiles> {
    const format = formatOf(this.config, files)
    const show = (file: string): string => shownPath(file, this.#folder)
    const probe: Probe = { introspection: this.#context.introspection, signal, show }
    const options = {
      ...{ format, options: optionsSchemaOf(format).parse(this.config.options ?? {}), shared: sharedOf(this.config) },
      ...{ schema: this.config.schema, folder: this.#folder },
    }
    const reading = await learnReading(files, options, probe)
    return { version, reading, table: this.#tableOf(reading) }
  }

  #tableOf(reading: FileReading): Table {
    const { description, wiki, examples, schema, safety } = this.config
    const required = new Set(safety?.require_filters_on?.map((name) => name.toLowerCase()))
    const descriptions = new Map(schema?.map((column) => [column.name.toLowerCase(), column.description]))
    const columns = reading.columns.map((column): Column => {
      const described = columnOf(column, reading, descriptions.get(column.name.toLowerCase()))
      const isRequired = required.has(column.name.toLowerCase())
      return isRequired ? { ...described, filtering: { kind: 'required', operators: anyOperator } } : described
    })
    return {
      name: this.name,
      columnNames: columns.map((column) => column.name),
      columns,
      access: 'inPlace',
      ...(safety === undefined && reading.partitions.size === 0 ? {} : { dependsOnFilters: true }),
      ...(description === undefined ? {} : { description }),
      ...(wiki === undefined ? {} : { wiki }),
      ...(examples === undefined ? {} : { examples }),
      cost: costOf(reading.files),
      freshness: 'read in place',
    }
  }
}

const anyOperator: readonly FilterOperator[] = [
  '=',
  '<>',
  '<',
  '<=',
  '>',
  '>=',
  'in',
  'not in',
  'is null',
  'is not null',
  'prefix',
]

/** A real path as people write it: from the workspace's folder on where it lies below. */
export function shownPath(file: string, folder: string): string {
  return isInside(file, folder) ? path.relative(folder, file) : file
}

export function columnOf(column: TypedColumn, reading: FileReading, description?: string): Column {
  return {
    name: column.name,
    type: column.type,
    ...(description === undefined ? {} : { description }),
    filtering: reading.partitions.has(column.name) ? { kind: 'pushed', operators: anyOperator } : { kind: 'local' },
  }
}

export function costOf(files: readonly FoundFile[]): string {
  const bytes = files.reduce((sum, file) => sum + file.sizeBytes, 0)
  const size = bytes < 1_000_000 ? `${Math.ceil(bytes / 1_000)} kB` : `${Math.round(bytes / 1_000_000)} MB`
  return files.length === 1 ? `1 file, ${size}` : `${files.length} files, ${size}`
}

function formatOf(config: Pick<FileTableConfig, 'format' | 'path'>, files: readonly FoundFile[]): FileFormat {
  const configured = configuredFormat(config)
  if (configured !== undefined) return configured
  const formats = new Set(files.map((file) => formatOfName(file.path)))
  const shown = [config.path].flat().join(', ')
  const only = [...formats][0]
  if (formats.size > 1) {
    throw new QuerentError('file.mixed_formats', {
      path: shown,
      formats: [...formats].map((one) => one ?? 'unknown').join(', '),
    })
  }
  if (only === undefined) throw new QuerentError('file.unknown_format', { path: shown })
  return only
}

function sharedOf(config: FileTableConfig): ManyFilesOptions {
  const { hive_partitioning, hive_types, union_by_name, filename } = config
  return { hive_partitioning, hive_types, union_by_name, filename }
}

function sameColumns(before: readonly Column[], after: readonly Column[]): boolean {
  const text = (columns: readonly Column[]): string => JSON.stringify(columns.map(({ name, type }) => [name, type]))
  return text(before) === text(after)
}
