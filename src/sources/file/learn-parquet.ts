import { QuerentError } from '../../errors/querent-error.js'
import { canonicalColumns, columnsOf } from './file-probe.js'
import type { TypedColumn } from './file-reading.js'
import type { LearnRequest, Learned } from './learn-request.js'
import { argumentsSql, filesSql, type ParquetOptions } from './reader-options.js'

/** Learns the columns of Parquet files, which know them; declared ones are cast. */
export async function learnParquet(request: LearnRequest & { readonly options: ParquetOptions }): Promise<Learned> {
  const { files, probe, schema } = request
  const own = argumentsSql(request.options)
  const found = await columnsOf(probe, `read_parquet(${filesSql(files)}${own}${request.sharedSql})`, files)
  const columns = schema === undefined ? found : await declaredColumns(request, found, schema)
  const yields = new Set(found.map((column) => column.name.toLowerCase()))
  const cast = files.length > 1 || schema !== undefined
  const group = { files, argumentsSql: `${own}${request.runSql}`, yields, cast }
  const missing = columns.find((column) => !yields.has(column.name.toLowerCase()))
  if (missing !== undefined) {
    const names = found.map((column) => column.name).join(', ')
    throw new QuerentError('file.missing_column', {
      path: probe.show(files[0]?.path ?? ''),
      column: missing.name,
      columns: names,
    })
  }
  return { columns, groups: [group] }
}

/** The declared columns, and after them those that folders and file names give. */
async function declaredColumns(
  request: LearnRequest,
  found: readonly TypedColumn[],
  declared: readonly TypedColumn[],
): Promise<readonly TypedColumn[]> {
  const columns = await canonicalColumns(request.probe, declared)
  const known = new Set(columns.map((column) => column.name.toLowerCase()))
  const outside = new Set(request.sharedColumns(found))
  return [...columns, ...found.filter(({ name }) => outside.has(name.toLowerCase()) && !known.has(name.toLowerCase()))]
}
