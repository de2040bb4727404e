import { QuerentError } from '../../errors/querent-error.js'
import type { FileFormat } from './file-format.js'
import { canonicalColumns, columnsOf, type Probe } from './file-probe.js'
import type { ReadGroup, TypedColumn } from './file-reading.js'
import type { FoundFile } from './found-file.js'
import { readHeaderLine } from './header-line.js'
import type { LearnRequest, Learned } from './learn-request.js'
import { argumentsSql, filesSql, type CsvOptions } from './reader-options.js'
import { sniffCsv, type CsvDialect } from './sniff-csv.js'

/** Files looked at once. Sniffing holds a connection of the engine for some 10 ms; most need only their first line. */
const concurrentLooks = 8

/**
 * Learns the columns of CSV files as DuckDB's reader would find them, and the dialect of each file, so that no file is
 * sniffed again when a query runs. DuckDB matches the columns of several files by their headers; a reader that is told
 * its columns matches them by position. So files with different headers become groups of their own.
 */
export async function learnCsv(request: LearnRequest & { readonly options: CsvOptions }): Promise<Learned> {
  const { probe, schema } = request
  const options = withFormat(request.options, request.format)
  const files = request.files.filter((file) => file.sizeBytes > 0)
  if (options.columns !== undefined) return learnDeclared(request, options, options.columns, files)
  const declared = schema === undefined ? undefined : await declaredColumns(request, options, schema)
  if (declared !== undefined && files.length === 0) return { columns: declared, groups: [] }
  const first = files[0]
  if (first === undefined) throw new QuerentError('file.no_columns', { path: probe.show(request.files[0]?.path ?? '') })
  const dialects = await dialectsOf(
    files,
    declared === undefined ? options : { ...options, all_varchar: true },
    declared,
    probe,
  )
  refuseMixedDates(dialects, options, probe)
  const columns = declared ?? (await detectedColumns(request, options, files, dialects))
  const groups = groupsOf(dialects).map((group) => groupSql(group, columns, options, request))
  return { columns, groups, notes: notesOf(options) }
}

function withFormat(options: CsvOptions, format: FileFormat): CsvOptions {
  return format === 'tsv' && options.delimiter === undefined ? { ...options, delimiter: '\t' } : options
}

function notesOf(options: CsvOptions): readonly string[] {
  return options.ignore_errors === true ? ['rows that cannot be read are left out (ignore_errors)'] : []
}

/** `columns` says all: only what is not said of the dialect is left to the reader's defaults. */
async function learnDeclared(
  request: LearnRequest,
  options: CsvOptions,
  declared: Readonly<Record<string, string>>,
  files: readonly FoundFile[],
): Promise<Learned> {
  const list = Object.entries(declared).map(([name, type]) => ({ name, type }))
  const columns = await declaredColumns(request, options, list)
  const first = files[0]
  if (first === undefined) return { columns, groups: [] }
  const told = { ...options, columns: undefined, types: undefined, names: undefined, all_varchar: true }
  const dialects = await dialectsOf(files, told, columns, request.probe)
  const groups = groupsOf(dialects).map((group) => {
    if (
      group.dialect.columns.length !== list.length &&
      options.null_padding !== true &&
      options.ignore_errors !== true
    ) {
      throw countError(group.files[0], group.dialect, list, request.probe)
    }
    return groupSql({ ...group, dialect: { ...group.dialect, columns: list } }, columns, options, request)
  })
  return { columns, groups, notes: notesOf(options) }
}

/** The declared columns, and after them those that folders and file names give. */
async function declaredColumns(
  request: LearnRequest,
  options: CsvOptions,
  declared: readonly TypedColumn[],
): Promise<readonly TypedColumn[]> {
  const columns = await canonicalColumns(request.probe, declared)
  const known = new Set(columns.map((column) => column.name.toLowerCase()))
  if (!request.hasSharedColumns) return columns
  const asked = argumentsSql({ ...options, columns: undefined, types: undefined, all_varchar: true })
  const found = await columnsOf(
    request.probe,
    `read_csv(${filesSql(request.files)}${asked}${request.sharedSql})`,
    request.files,
  )
  const outside = new Set(request.sharedColumns(found))
  return [...columns, ...found.filter(({ name }) => outside.has(name.toLowerCase()) && !known.has(name.toLowerCase()))]
}

interface FileDialect {
  readonly file: FoundFile
  readonly dialect: CsvDialect
}

async function dialectsOf(
  files: readonly FoundFile[],
  options: CsvOptions,
  declared: readonly TypedColumn[] | undefined,
  probe: Probe,
): Promise<readonly FileDialect[]> {
  const known = new Map<string, CsvDialect>()
  const sniffAll = (some: readonly FoundFile[]): Promise<readonly FileDialect[]> =>
    Promise.all(some.map(async (file) => ({ file, dialect: await dialectOf(file, options, declared, probe, known) })))
  // The first file alone: most others have its header.
  const answers = [...(await sniffAll(files.slice(0, 1)))]
  for (let start = 1; start < files.length; start += concurrentLooks) {
    answers.push(...(await sniffAll(files.slice(start, start + concurrentLooks))))
  }
  return answers
}

/** A file whose header line equals that of a file before it has the same dialect: sniffing costs 200 times as much. */
async function dialectOf(
  file: FoundFile,
  options: CsvOptions,
  declared: readonly TypedColumn[] | undefined,
  probe: Probe,
  known: Map<string, CsvDialect>,
): Promise<CsvDialect> {
  const header = await readHeaderLine(file, options, probe.signal)
  const same = header === undefined ? undefined : known.get(header)
  if (same !== undefined) return same
  const dialect = await sniffCsv(file, options, declared, probe)
  // Lines that were skipped before the header could differ from file to file.
  if (header !== undefined && dialect.header && dialect.skip === (options.skip ?? 0)) known.set(header, dialect)
  return dialect
}

/** The types that DuckDB gives the columns over all files; one file's are known from its dialect. */
async function detectedColumns(
  request: LearnRequest,
  options: CsvOptions,
  files: readonly FoundFile[],
  dialects: readonly FileDialect[],
): Promise<readonly TypedColumn[]> {
  const only = dialects[0]?.dialect
  if (files.length === 1 && only !== undefined && request.sharedSql === '') return only.columns
  return columnsOf(request.probe, `read_csv(${filesSql(files)}${argumentsSql(options)}${request.sharedSql})`, files)
}

interface DialectGroup {
  readonly files: readonly FoundFile[]
  readonly dialect: CsvDialect
}

function groupsOf(dialects: readonly FileDialect[]): readonly DialectGroup[] {
  const groups = new Map<string, { readonly files: FoundFile[]; readonly dialect: CsvDialect }>()
  for (const { file, dialect } of dialects) {
    const key = JSON.stringify([{ ...dialect, columns: dialect.columns.map((column) => column.name) }])
    const group = groups.get(key)
    if (group === undefined) groups.set(key, { files: [file], dialect })
    else group.files.push(file)
  }
  return [...groups.values()]
}

function groupSql(
  group: DialectGroup,
  columns: readonly TypedColumn[],
  options: CsvOptions,
  request: LearnRequest,
): ReadGroup {
  const { dialect, files } = group
  const types = new Map(columns.map((column) => [column.name.toLowerCase(), column.type]))
  const names = namesOf(group, columns, request)
  const yields = new Set([...names.map((name) => name.toLowerCase()), ...request.sharedColumns(columns)])
  const missing = columns.find((column) => !yields.has(column.name.toLowerCase()))
  if (missing !== undefined && request.shared.union_by_name !== true) throw missingColumn(group, missing, request)
  const read = Object.fromEntries(names.map((name) => [name, types.get(name.toLowerCase()) ?? 'VARCHAR']))
  const told = {
    ...options,
    ...{ types: undefined, names: undefined, all_varchar: undefined, auto_type_candidates: undefined },
    ...{ sample_size: undefined, files_to_sniff: undefined, normalize_names: undefined },
    ...{ delimiter: dialect.delimiter, quote: dialect.quote, escape: dialect.escape, comment: dialect.comment },
    ...{ skip: dialect.skip, header: dialect.header, columns: read },
    ...{ dateformat: dialect.dateformat, timestampformat: dialect.timestampformat },
  }
  return { files, argumentsSql: `, auto_detect = false${argumentsSql(told)}${request.runSql}`, yields, cast: false }
}

/** The names to give a file's columns: those of its header, or the declared ones where it has none. */
function namesOf(group: DialectGroup, columns: readonly TypedColumn[], request: LearnRequest): readonly string[] {
  const found = group.dialect.columns.map((column) => column.name)
  if (request.schema === undefined || group.dialect.header || request.options.names !== undefined) return found
  if (found.length !== request.schema.length) throw countError(group.files[0], group.dialect, columns, request.probe)
  return request.schema.map((column) => column.name)
}

function missingColumn(group: DialectGroup, column: TypedColumn, request: LearnRequest): QuerentError {
  const path = request.probe.show(group.files[0]?.path ?? '')
  if (request.schema === undefined) {
    return new QuerentError('file.mixed_schema', { path, reason: `column "${column.name}" is missing` })
  }
  const columns = group.dialect.columns.map((known) => known.name).join(', ')
  return new QuerentError('file.missing_column', { path, column: column.name, columns })
}

function countError(
  file: FoundFile | undefined,
  dialect: CsvDialect,
  columns: readonly TypedColumn[],
  probe: Probe,
): QuerentError {
  const params = { path: probe.show(file?.path ?? ''), found: dialect.columns.length, declared: columns.length }
  return new QuerentError('file.column_count', params)
}

/** 01/02 is a day in January in one order and in February in the other: two orders in one table are a trap. */
function refuseMixedDates(dialects: readonly FileDialect[], options: CsvOptions, probe: Probe): void {
  for (const key of ['dateformat', 'timestampformat'] as const) {
    if (options[key] !== undefined) continue
    let first: string | undefined
    for (const { file, dialect } of dialects) {
      const format = dialect[key]
      if (format !== undefined && first !== undefined && format !== first) {
        throw new QuerentError('file.mixed_dates', { path: probe.show(file.path), format, other: first })
      }
      first ??= format
    }
  }
}
