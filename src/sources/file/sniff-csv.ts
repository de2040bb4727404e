import { z } from 'zod'
import { QuerentError } from '../../errors/querent-error.js'
import { quoteLiteral } from '../../util/sql-text.js'
import { ask, type Probe } from './file-probe.js'
import type { TypedColumn } from './file-reading.js'
import type { FoundFile } from './found-file.js'
import { argumentsSql, type CsvOptions } from './reader-options.js'

/** How one CSV file is written, as DuckDB's sniffer found it. */
export interface CsvDialect {
  readonly delimiter: string
  readonly quote: string
  readonly escape: string
  readonly comment: string
  readonly skip: number
  readonly header: boolean
  /** Undefined for ISO dates: told of that format, DuckDB 1.5.6 reads `infinity` as 1900-01-01. */
  readonly dateformat: string | undefined
  readonly timestampformat: string | undefined
  readonly columns: readonly TypedColumn[]
}

const sniffedRow = z.tuple([
  z.string(),
  z.string(),
  z.string(),
  z.string(),
  z.coerce.number(),
  z.boolean(),
  z.array(z.object({ name: z.string(), type: z.string() })),
  z.string().nullable(),
  z.string().nullable(),
])

/**
 * The dialect of a file. With declared columns, a first line that holds all their names is a header even where the
 * sniffer, which goes by types, sees none. The line end is never told to the reader: a wrong one loses all rows.
 */
export async function sniffCsv(
  file: FoundFile,
  options: CsvOptions,
  declared: readonly TypedColumn[] | undefined,
  probe: Probe,
): Promise<CsvDialect> {
  const found = await sniff(file, options, probe)
  const dialect = await withQuotes(found, file, options, probe)
  if (declared === undefined || dialect.header || options.header !== undefined) return dialect
  const named = await sniff(file, { ...options, header: true }, probe)
  return hasNames(named, declared) ? { ...dialect, header: true, columns: named.columns } : dialect
}

/**
 * A sample without quotes is sniffed as `no quotes`, and a quoted value further on would keep its quotes. Where the
 * sample reads the same with the usual quotes, they are taken.
 */
async function withQuotes(found: CsvDialect, file: FoundFile, options: CsvOptions, probe: Probe): Promise<CsvDialect> {
  if (found.quote !== '' || options.quote !== undefined || options.escape !== undefined) return found
  try {
    const quoted = await sniff(file, { ...options, quote: '"', escape: '"' }, probe)
    const same = JSON.stringify({ ...quoted, quote: '', escape: '' }) === JSON.stringify({ ...found, escape: '' })
    return same ? quoted : found
  } catch (error) {
    if (error instanceof QuerentError) return found
    throw error
  }
}

async function sniff(file: FoundFile, options: CsvOptions, probe: Probe): Promise<CsvDialect> {
  const sql =
    'SELECT Delimiter, Quote, Escape, Comment, SkipRows, HasHeader, Columns, DateFormat, TimestampFormat ' +
    `FROM sniff_csv(${quoteLiteral(file.path)}${argumentsSql({ ...options, columns: undefined })})`
  const rows = await ask(probe, sql, [file])
  const [delimiter, quote, escape, comment, skip, header, columns, date, timestamp] = sniffedRow.parse(rows[0])
  return {
    ...{ delimiter, quote: character(quote), escape: character(escape), comment: character(comment) },
    ...{ skip, header, columns },
    dateformat: options.dateformat ?? (date === '%Y-%m-%d' ? undefined : (date ?? undefined)),
    timestampformat: options.timestampformat ?? timestamp ?? undefined,
  }
}

function character(text: string): string {
  return text === '(empty)' ? '' : text
}

function hasNames(dialect: CsvDialect, declared: readonly TypedColumn[]): boolean {
  const names = new Set(dialect.columns.map((column) => column.name.toLowerCase()))
  return declared.every((column) => names.has(column.name.toLowerCase()))
}
