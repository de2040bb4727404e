import type { z } from 'zod'
import { QuerentError } from '../../errors/querent-error.js'
import { nearest } from '../../util/nearest.js'
import { formatOfName, type FileFormat } from './file-format.js'
import {
  manyFilesSchema,
  optionsSchemaOf,
  type CsvOptions,
  type JsonOptions,
  type ManyFilesOptions,
  type ParquetOptions,
} from './reader-options.js'

/** Table functions of DuckDB that may be written in a statement, with the format that they read. */
const formatByFunction: Readonly<Record<string, FileFormat>> = {
  read_csv: 'csv',
  read_csv_auto: 'csv',
  read_json: 'json',
  read_json_auto: 'json',
  read_ndjson: 'ndjson',
  read_ndjson_auto: 'ndjson',
  read_parquet: 'parquet',
  parquet_scan: 'parquet',
}

/** Other names of DuckDB's for the same option. */
const optionAliases: Readonly<Record<string, string>> = {
  delim: 'delimiter',
  sep: 'delimiter',
  dtypes: 'types',
  column_types: 'types',
  column_names: 'names',
  date_format: 'dateformat',
  timestamp_format: 'timestampformat',
  maximum_line_size: 'max_line_size',
}

export interface AdHocOptions {
  readonly format: FileFormat
  readonly options: CsvOptions | JsonOptions | ParquetOptions
  readonly shared: ManyFilesOptions
}

/** The format and options of a reference to files in a statement. Errors: file.unknown_format, file.bad_option. */
export function adHocOptions(
  functionName: string | undefined,
  paths: readonly string[],
  given: Readonly<Record<string, unknown>>,
): AdHocOptions {
  const format = functionName === undefined ? formatOfPaths(paths) : formatByFunction[functionName.toLowerCase()]
  const shown = functionName?.toLowerCase() ?? 'FROM'
  if (format === undefined)
    throw new QuerentError('file.unknown_format', { path: paths.join(', ') }, { hint: formatHint })
  const own: Record<string, unknown> = {}
  const shared: Record<string, unknown> = {}
  const ownSchema = optionsSchemaOf(format)
  const valid = [...Object.keys(ownSchema.shape), ...Object.keys(manyFilesSchema.shape)]
  for (const [written, value] of Object.entries(given)) {
    const lower = written.toLowerCase()
    const name = Object.hasOwn(optionAliases, lower) ? (optionAliases[lower] ?? lower) : lower
    if (!valid.includes(name)) throw unknownOption(shown, written, valid)
    if (name in own || name in shared)
      throw new QuerentError('file.bad_option', {
        function: shown,
        option: written,
        reason: ' twice',
        hint: 'Give it once.',
      })
    ;(name in manyFilesSchema.shape ? shared : own)[name] = value
  }
  return {
    format,
    options: checked<AdHocOptions['options']>(ownSchema, own, shown),
    shared: checked(manyFilesSchema, shared, shown),
  }
}

const formatHint = 'Write read_csv(…), read_json(…) or read_parquet(…) with the path.'

function formatOfPaths(paths: readonly string[]): FileFormat | undefined {
  const formats = new Set(paths.map(formatOfName))
  return formats.size === 1 ? [...formats][0] : undefined
}

function checked<Output>(schema: z.ZodType<Output>, value: unknown, shown: string): Output {
  const answer = schema.safeParse(value)
  if (answer.success) return answer.data
  const issue = answer.error.issues[0]
  const params = {
    function: shown,
    option: issue?.path.map(String).join('.') ?? '',
    reason: ` as it is: ${issue?.message ?? ''}`,
  }
  throw new QuerentError('file.bad_option', {
    ...params,
    hint: 'Give the option a constant of the type that it takes.',
  })
}

function unknownOption(shown: string, option: string, valid: readonly string[]): QuerentError {
  const near = nearest(option, valid)
  const hint = near.length > 0 ? `Did you mean ${near.join(' or ')}?` : `Its options are ${valid.join(', ')}.`
  return new QuerentError('file.bad_option', { function: shown, option, reason: '', hint })
}
