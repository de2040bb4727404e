import type { DuckDBConnection } from '@duckdb/node-api'
import type { JsonColumn } from '../../../model/batch.js'
import { readFailure } from '../duckdb-error.js'
import { EngineFault } from '../engine-fault.js'
import type { Task } from '../tasks.js'
import { fromJson, fromText, needsJson } from './value-sql.js'

const maxLength = 10_000
const maxKnown = 500

/** Result types of expressions that were checked, by text. They depend on nothing else. */
const known = new Map<string, string>()

export interface ColumnSqlOptions {
  readonly connection: DuckDBConnection
  readonly task: Task
  /** Of messages. */
  readonly table: string
}

/**
 * Checks a column's SQL as a statement of a caller is checked, since it runs beside the caller's data: one expression over
 * `row` alone, of allowed functions, one value for each row. Answers DuckDB's type of its result, or throws engine.column_sql.
 */
export async function checkColumnSql(column: JsonColumn, sql: string, options: ColumnSqlOptions): Promise<string> {
  const checked = known.get(sql)
  if (checked !== undefined) return checked
  const fail = (message: string): EngineFault =>
    new EngineFault('engine.column_sql', { table: options.table, column: column.name, message })
  if (sql.length > maxLength) throw fail(`it is longer than ${maxLength} characters`)
  await checkTree(sql, options, fail)
  const type = await bind(sql, options, fail)
  if (known.size >= maxKnown) known.clear()
  known.set(sql, type)
  return type
}

/** The expression as a part of a statement. The line's end closes a comment. */
export function expressionSql(sql: string): string {
  return `(${sql}\n)`
}

/** SQL that makes a value of the column's type from the expression's result, or fails. */
export function convertResult(value: string, resultType: string, type: string): string {
  if (resultType === 'JSON')
    return needsJson(type) ? fromJson(value, type) : fromText(`json_extract_string(${value}, '$')`, type)
  // By its text: DuckDB would round a fraction where a whole number is declared.
  if (!needsJson(type) && /^(?:VARCHAR|DOUBLE|FLOAT|DECIMAL)/.test(resultType)) {
    return fromText(resultType === 'VARCHAR' ? value : `CAST(${value} AS VARCHAR)`, type)
  }
  return `CAST(${value} AS ${type})`
}

type Fail = (message: string) => EngineFault

async function checkTree(sql: string, { connection, task }: ColumnSqlOptions, fail: Fail): Promise<void> {
  const statement = `SELECT ${expressionSql(sql)}`
  const serialize =
    'SELECT CAST(json_serialize_sql(CAST($1 AS VARCHAR), skip_null := true, skip_default := true) AS VARCHAR)'
  const reader = await task.on(connection, () => connection.runAndReadAll(serialize, [statement]))
  // Loaded on demand: a worker that meets no such column starts without it.
  const { rowExpressionFault } = await import('../../../policy/row-expression.js')
  const fault = rowExpressionFault(String(reader.getRows()[0]?.[0] ?? ''))
  if (fault !== undefined) throw fail(fault)
}

/** A WHERE takes no aggregate, window or UNNEST, which would change the number of rows. No row is read. */
async function bind(sql: string, { connection, task }: ColumnSqlOptions, fail: Fail): Promise<string> {
  const value = expressionSql(sql)
  const statement = `SELECT ${value} AS v FROM (SELECT CAST(NULL AS JSON) AS row) WHERE ${value} IS NOT NULL LIMIT 0`
  try {
    const reader = await task.on(connection, () => connection.runAndReadAll(statement))
    return reader.columnTypes()[0]?.alias ?? reader.columnTypes()[0]?.toString() ?? 'VARCHAR'
  } catch (error) {
    task.check()
    throw fail(readFailure(error).message.split('\n')[0] ?? 'it cannot be bound')
  }
}
