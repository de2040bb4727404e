import { z } from 'zod'
import { quoteLiteral } from '../../util/sql-text.js'
import type { FileFormat } from './file-format.js'

const types = z.record(z.string(), z.string().min(1))
const text = z.string()
const count = z.int().min(0)

/**
 * Options of DuckDB's readers that the workspace file and `read_csv(…)` in a statement may set, under DuckDB's names
 * (`delimiter` beside `delim`). Whatever writes, names other files or changes what a row is behind the reader's back is
 * left out.
 */
export const csvOptionsSchema = z.strictObject({
  delimiter: text.min(1).max(4).optional().describe('What stands between two values. Detected by default.'),
  quote: text.max(1).optional().describe('The quote character; empty for none. Detected by default.'),
  escape: text.max(1).optional().describe('Escapes a quote inside quotes. Detected by default.'),
  comment: text.max(1).optional().describe('Lines that begin with it are skipped.'),
  header: z.boolean().optional().describe('Whether the first line names the columns. Detected by default.'),
  names: z.array(text.min(1)).min(1).optional().describe('Column names, in place of those in the file.'),
  skip: count.optional().describe('Lines to leave out at the start.'),
  nullstr: z
    .union([text, z.array(text)])
    .optional()
    .describe('Texts that stand for NULL.'),
  encoding: z.enum(['utf-8', 'utf-16', 'latin-1']).optional(),
  dateformat: text.min(1).optional().describe('Such as %d/%m/%Y.'),
  timestampformat: text.min(1).optional().describe('Such as %d/%m/%Y %H:%M.'),
  decimal_separator: z.enum([',', '.']).optional(),
  thousands: text.length(1).optional().describe('Separates thousands in numbers.'),
  types: types.optional().describe('Types of some columns, by name. The others are detected.'),
  columns: types.optional().describe('Names and types of all columns, in order. Nothing is detected then.'),
  all_varchar: z.boolean().optional().describe('All columns are VARCHAR.'),
  auto_type_candidates: z.array(text.min(1)).min(1).optional(),
  sample_size: z.int().min(-1).optional().describe('Rows looked at to detect types; -1 for all. Default 20480.'),
  files_to_sniff: z.int().min(-1).optional().describe('Files looked at to detect types. DuckDB decides by default.'),
  ignore_errors: z.boolean().optional().describe('Leaves out rows that cannot be read. A note says so with each plan.'),
  null_padding: z.boolean().optional().describe('Fills missing values at the end of a row with NULL.'),
  strict_mode: z.boolean().optional().describe('false also reads rows that break the rules of CSV.'),
  allow_quoted_nulls: z.boolean().optional(),
  force_not_null: z.array(text.min(1)).optional().describe('Columns whose nullstr stays text.'),
  normalize_names: z.boolean().optional(),
  max_line_size: z.int().min(1).max(1_000_000_000).optional().describe('Bytes of one line. Default 2 MB.'),
  compression: z.enum(['auto', 'none', 'gzip', 'zstd']).optional().describe('From the file name by default.'),
})
export type CsvOptions = z.infer<typeof csvOptionsSchema>

export const jsonOptionsSchema = z.strictObject({
  format: z.enum(['auto', 'array', 'newline_delimited', 'unstructured']).optional(),
  records: z
    .union([z.boolean(), z.literal('auto')])
    .optional()
    .describe('Whether objects become rows with columns.'),
  columns: types.optional().describe('Names and types of the columns to read. Nothing is detected then.'),
  maximum_object_size: z.int().min(1).max(4_000_000_000).optional().describe('Bytes of one value. Default 16 MB.'),
  maximum_depth: z.int().min(-1).optional(),
  sample_size: z.int().min(-1).optional().describe('Values looked at to detect types; -1 for all. Default 20480.'),
  maximum_sample_files: z.int().min(1).optional(),
  map_inference_threshold: z.int().min(-1).optional(),
  field_appearance_threshold: z.number().min(0).max(1).optional(),
  convert_strings_to_integers: z.boolean().optional(),
  dateformat: text.min(1).optional(),
  timestampformat: text.min(1).optional(),
  ignore_errors: z.boolean().optional().describe('Lines that are not JSON become NULL. Only with newline_delimited.'),
  compression: z.enum(['auto', 'none', 'gzip', 'zstd']).optional(),
})
export type JsonOptions = z.infer<typeof jsonOptionsSchema>

export const parquetOptionsSchema = z.strictObject({
  binary_as_string: z.boolean().optional(),
  file_row_number: z.boolean().optional().describe('Adds the column file_row_number.'),
})
export type ParquetOptions = z.infer<typeof parquetOptionsSchema>

/** What all readers take; in the workspace file these stand beside `path`. */
export const manyFilesSchema = z.strictObject({
  hive_partitioning: z.boolean().optional().describe('Folders such as year=2024 become columns. Detected by default.'),
  hive_types: types.optional().describe('Types of the columns that folders give.'),
  union_by_name: z.boolean().optional().describe('Columns are matched by name over all files; missing ones are NULL.'),
  filename: z
    .union([z.boolean(), text.min(1)])
    .optional()
    .describe('Adds a column with the path of each row, named filename or as given.'),
})
export type ManyFilesOptions = z.infer<typeof manyFilesSchema>

export function optionsSchemaOf(
  format: FileFormat,
): typeof csvOptionsSchema | typeof jsonOptionsSchema | typeof parquetOptionsSchema {
  if (format === 'parquet') return parquetOptionsSchema
  return format === 'csv' || format === 'tsv' ? csvOptionsSchema : jsonOptionsSchema
}

export type OptionValue = string | number | boolean | readonly string[] | Readonly<Record<string, string>> | undefined

/** `, name = value` for each option that is set. */
export function argumentsSql(options: Readonly<Record<string, OptionValue>>): string {
  return Object.entries(options)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `, ${duckdbName(name)} = ${valueSql(value)}`)
    .join('')
}

function duckdbName(name: string): string {
  return name === 'delimiter' ? 'delim' : name
}

function valueSql(value: OptionValue): string {
  if (typeof value === 'string') return quoteLiteral(value)
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (Array.isArray(value)) return `[${value.map((item: string) => quoteLiteral(item)).join(', ')}]`
  const entries = Object.entries(value ?? {})
  return `{${entries.map(([key, item]) => `${quoteLiteral(key)}: ${quoteLiteral(item)}`).join(', ')}}`
}

/** A list of files as a reader's first argument. */
export function filesSql(files: readonly { readonly path: string }[]): string {
  return `[${files.map((file) => quoteLiteral(file.path)).join(', ')}]`
}
