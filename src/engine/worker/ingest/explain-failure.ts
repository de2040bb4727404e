import { LIST, VARCHAR, listValue, type DuckDBValue } from '@duckdb/node-api'
import type { JsonColumn } from '../../../model/batch.js'
import { readFailure, toFault } from '../duckdb-error.js'
import { EngineFault } from '../engine-fault.js'
import { shapeMismatch, tableOf, type Ingest, type TextGroup } from './ingest-facts.js'

const longestValue = 100

/**
 * Finds out, text by text and column by column, what a failed INSERT did not like, and answers the error to throw.
 * Without `error` it only looks for rows that are no objects, and throws.
 */
export async function explainFailure(
  ingest: Ingest,
  columns: readonly JsonColumn[],
  group: TextGroup,
  error: unknown,
): Promise<unknown> {
  for (const [index, text] of group.texts.entries()) {
    const number = group.numbers[index] ?? 0
    if (error !== undefined) {
      const invalid = await invalidJson(ingest, text, number)
      if (invalid !== undefined) return invalid
    }
    const wrong = ingest.row.objects ? await rowType(ingest, group, text) : undefined
    if (wrong !== undefined && error === undefined) throw shapeMismatch(ingest, number, wrong)
    if (wrong !== undefined) return shapeMismatch(ingest, number, wrong)
    const mismatch = error === undefined ? undefined : await valueMismatch(ingest, columns, group, text)
    if (mismatch !== undefined) return mismatch
  }
  return error === undefined ? undefined : toFault(error, ingest.query.hidden)
}

export async function explainInvalidJson(ingest: Ingest, texts: readonly string[], error: unknown): Promise<unknown> {
  for (const [index, text] of texts.entries()) {
    const invalid = await invalidJson(ingest, text, index)
    if (invalid !== undefined) return invalid
  }
  return toFault(error, ingest.query.hidden)
}

async function invalidJson(ingest: Ingest, text: string, number: number): Promise<EngineFault | undefined> {
  try {
    await ask(ingest, 'SELECT json_type(x) FROM (SELECT unnest($1) AS x)', text)
    return undefined
  } catch (error) {
    const message = (readFailure(error).message.split('Input:')[0] ?? '').replace(/^Malformed JSON /, '').trim()
    return new EngineFault('engine.invalid_json', { table: tableOf(ingest), text: number + 1, message })
  }
}

/** The JSON type of the first row that is no object. */
async function rowType(ingest: Ingest, group: TextGroup, text: string): Promise<string | undefined> {
  const type = `coalesce(json_type(r), 'NULL')`
  const sql = `SELECT ${type} FROM (${group.rowsAsJsonSql}) WHERE ${type} <> 'OBJECT' LIMIT 1`
  const [found] = await ask(ingest, sql, text)
  return typeof found === 'string' ? found : undefined
}

async function valueMismatch(
  ingest: Ingest,
  columns: readonly JsonColumn[],
  group: TextGroup,
  text: string,
): Promise<EngineFault | undefined> {
  const raws = ingest.row.raw('row')
  for (const column of columns) {
    const raw = raws.get(column.name) ?? 'NULL'
    const given = `v IS NOT NULL AND CAST(v AS VARCHAR) <> 'null'`
    const source = `SELECT ${raw} AS v FROM (SELECT r AS row FROM (${group.rowsSql}))`
    const sql = `SELECT CAST(v AS VARCHAR) FROM (${source}) WHERE ${given} AND TRY(${ingest.row.value(column, 'v')}) IS NULL LIMIT 1`
    const [value] = await askColumn(ingest, column, sql, text)
    if (typeof value !== 'string') continue
    const shown = value.length <= longestValue ? value : `${value.slice(0, longestValue)}…`
    const params = { table: tableOf(ingest), column: column.name, type: column.type, value: JSON.stringify(shown) }
    return new EngineFault('engine.value_mismatch', params)
  }
  return undefined
}

/** A column with SQL of its own may fail before there is a value. */
async function askColumn(ingest: Ingest, column: JsonColumn, sql: string, text: string): Promise<DuckDBValue[]> {
  try {
    return await ask(ingest, sql, text)
  } catch (error) {
    ingest.task.check()
    if (column.sql === undefined) throw error
    const message = readFailure(error).message.split('\n')[0] ?? ''
    throw new EngineFault('engine.column_sql', { table: tableOf(ingest), column: column.name, message })
  }
}

async function ask(ingest: Ingest, sql: string, text: string): Promise<DuckDBValue[]> {
  const { connection } = ingest.query
  const reader = await ingest.task.on(connection, () =>
    connection.runAndReadAll(sql, [listValue([text])], [LIST(VARCHAR)]),
  )
  return reader.getRows()[0] ?? []
}
