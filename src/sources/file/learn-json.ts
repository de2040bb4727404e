import { QuerentError } from '../../errors/querent-error.js'
import { quoteIdentifier } from '../../util/sql-text.js'
import { ask, columnsOf } from './file-probe.js'
import type { ReadGroup, TypedColumn } from './file-reading.js'
import type { LearnRequest, Learned } from './learn-request.js'
import { argumentsSql, filesSql, type JsonOptions } from './reader-options.js'

/** Learns the columns of JSON files. They are matched by name in every file; declared ones that are missing are NULL. */
export async function learnJson(request: LearnRequest & { readonly options: JsonOptions }): Promise<Learned> {
  const { files, probe, schema } = request
  const { columns: named, ...rest } = request.options
  const options = { ...rest, format: rest.format ?? (request.format === 'ndjson' ? 'newline_delimited' : undefined) }
  const declared = schema === undefined ? named : Object.fromEntries(schema.map((column) => [column.name, column.type]))
  const told = declared === undefined ? '' : `, auto_detect = false${argumentsSql({ columns: declared })}`
  const from = `read_json(${filesSql(files)}${argumentsSql(options)}${told}${request.sharedSql})`
  const columns = await columnsOf(probe, from, files)
  const explicit = explicitGroup(request, columns, options)
  const detected = declared === undefined && options.dateformat === undefined && options.timestampformat === undefined
  const group =
    detected && (await readsDatesOtherwise(request, columns, explicit, from))
      ? detecting(explicit, request, options)
      : explicit
  const notes = options.ignore_errors === true ? ['lines that are not JSON are read as NULL (ignore_errors)'] : []
  return { columns, groups: [group], notes }
}

function explicitGroup(request: LearnRequest, columns: readonly TypedColumn[], options: JsonOptions): ReadGroup {
  const outside = new Set(request.sharedColumns(columns))
  const inFile = columns.filter((column) => !outside.has(column.name.toLowerCase()))
  const read = {
    ...options,
    ...{ sample_size: undefined, maximum_depth: undefined, maximum_sample_files: undefined },
    ...{ map_inference_threshold: undefined, field_appearance_threshold: undefined },
    ...{ convert_strings_to_integers: undefined, records: options.records ?? 'auto', format: options.format ?? 'auto' },
    columns: Object.fromEntries(inFile.map((column) => [column.name, column.type])),
  }
  return {
    files: request.files,
    argumentsSql: `, auto_detect = false${argumentsSql(read)}${request.runSql}`,
    yields: new Set(columns.map((column) => column.name.toLowerCase())),
    cast: false,
  }
}

/** A reader that looks at the files again at each run: only it knows the date format of each column. */
function detecting(group: ReadGroup, request: LearnRequest, options: JsonOptions): ReadGroup {
  return { ...group, argumentsSql: `${argumentsSql(options)}${request.runSql}`, cast: true }
}

const sampleRows = 20_480

/**
 * Whether dates come out differently when the reader is told the columns. It detects a format for each column of dates
 * but takes one for all of them, and none is known to us.
 */
async function readsDatesOtherwise(
  request: LearnRequest,
  columns: readonly TypedColumn[],
  group: ReadGroup,
  detectingFrom: string,
): Promise<boolean> {
  const dates = columns
    .filter((column) => /\b(?:DATE|TIMESTAMP)\b/.test(column.type))
    .map((column) => quoteIdentifier(column.name))
  if (dates.length === 0) return false
  const explicitFrom = `read_json(${filesSql(group.files)}${group.argumentsSql})`
  const sample = (from: string): string => `(SELECT ${dates.join(', ')} FROM ${from} LIMIT ${sampleRows})`
  const differs = dates.map((name) => `a.${name} IS DISTINCT FROM b.${name}`).join(' OR ')
  const sql = `SELECT count(*) FROM ${sample(detectingFrom)} a POSITIONAL JOIN ${sample(explicitFrom)} b WHERE ${differs}`
  try {
    const rows = await ask(request.probe, sql, request.files)
    return Number(rows[0]?.[0]) > 0
  } catch (error) {
    if (error instanceof QuerentError) return true
    throw error
  }
}
