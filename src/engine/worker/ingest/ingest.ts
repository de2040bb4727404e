import { LIST, VARCHAR, listValue, type DuckDBType, type DuckDBValue } from '@duckdb/node-api'
import type { Constant } from '../../../model/constant.js'
import { quoteIdentifier, quoteLiteral } from '../../../util/sql-text.js'
import { relationName } from '../catalog-statements.js'
import { readFailure } from '../duckdb-error.js'
import { EngineFault } from '../engine-fault.js'
import type { IngestRequest } from '../protocol.js'
import type { OpenQuery } from '../query.js'
import type { Task } from '../tasks.js'
import { explainFailure } from './explain-failure.js'
import { checkTypeName } from '../type-names.js'
import { quoteLongNumbers } from './long-numbers.js'
import { checkColumnSql } from './column-sql.js'
import type { Ingest, TextGroup } from './ingest-facts.js'
import { rowsOf } from './text-groups.js'
import { rowStructure } from './row-structure.js'
import { jsonPointer } from './value-sql.js'

/** Said by the statement when a row has no value at all: it may be no object. */
const emptyRow = 'querent: empty row'

/** Parses JSON texts into rows of a relation. All of them, or an error that says which value does not fit. */
export async function ingestTexts(query: OpenQuery, request: IngestRequest, task: Task): Promise<{ rows: number }> {
  const relation = query.request.relations.find(
    ({ catalog, schema, name }) => catalog === request.catalog && schema === request.schema && name === request.name,
  )
  if (relation === undefined || relation.view !== undefined) {
    throw new EngineFault('internal.unexpected', { message: `no relation ${request.schema}.${request.name} to fill` })
  }
  const declared = new Map(relation.columns.map((column) => [column.name, column.type]))
  const columns = request.shape.columns
    .filter((column) => declared.has(column.name))
    .map((column) => ({ ...column, type: declared.get(column.name) ?? column.type }))
  const table = `${relation.schema}.${relation.name}`
  const sqlTypes = new Map<string, string>()
  for (const column of columns) {
    if (column.sql === undefined) continue
    const options = { connection: query.connection, task, table }
    sqlTypes.set(column.name, await checkColumnSql(column, column.sql, options))
  }
  const ingest: Ingest = { query, request, relation, row: rowStructure(columns, sqlTypes), task }
  const texts = request.texts.map(quoteLongNumbers)
  const groups = await rowsOf(ingest, texts)
  let rows = 0
  for (const group of groups) rows += await insertGroup(ingest, columns, group)
  return { rows }
}

async function insertGroup(
  ingest: Ingest,
  columns: IngestRequest['shape']['columns'],
  group: TextGroup,
): Promise<number> {
  try {
    return await insert(ingest, columns, group, ingest.row.objects)
  } catch (error) {
    ingest.task.check()
    if (readFailure(error).message !== emptyRow) throw await explainFailure(ingest, columns, group, error)
  }
  try {
    await explainFailure(ingest, columns, group, undefined)
    return await insert(ingest, columns, group, false)
  } catch (error) {
    ingest.task.check()
    throw error instanceof EngineFault ? error : await explainFailure(ingest, columns, group, error)
  }
}

async function insert(
  ingest: Ingest,
  columns: IngestRequest['shape']['columns'],
  group: TextGroup,
  checkRows: boolean,
): Promise<number> {
  const { query, request, relation, row, task } = ingest
  const bound = new Bindings(group.texts)
  const raw = [...row.raw('row')].map(([, sql], index) => `${sql} AS v${index}`)
  const filled = columns.filter(({ name }) => constantOf(request, name) !== undefined)
  for (const { name, path } of filled) raw.push(`${carries(path)} AS ${quoteIdentifier(`has ${name}`)}`)
  const values = relation.columns.map((column) => {
    const index = columns.findIndex(({ name }) => name === column.name)
    const found = columns[index]
    const constant = constantOf(request, column.name)
    const own = found === undefined ? undefined : row.value(found, `v${index}`)
    const asked = constant === undefined ? 'NULL' : bound.constant(constant)
    const value =
      own === undefined || constant === undefined
        ? (own ?? asked)
        : `CASE WHEN ${quoteIdentifier(`has ${column.name}`)} THEN ${own} ELSE ${asked} END`
    return `CAST(${value} AS ${column.type}) AS ${quoteIdentifier(column.name)}`
  })
  if (raw.length === 0) raw.push('row AS v0')
  const nothing =
    columns.length === 0
      ? `coalesce(json_type(v0), 'NULL') <> 'OBJECT'`
      : columns.map((_, index) => `v${index} IS NULL`).join(' AND ')
  const check = checkRows ? ` WHERE CASE WHEN ${nothing} THEN error(${quoteLiteral(emptyRow)}) ELSE true END` : ''
  const rows =
    filled.length === 0
      ? `SELECT r AS row FROM (${group.rowsSql})`
      : `SELECT r AS row, j FROM (${group.rowsWithJsonSql})`
  const source = `SELECT ${raw.join(', ')} FROM (${rows})`
  const sql = `INSERT INTO ${relationName(query.request.queryId, relation)} SELECT * FROM (SELECT ${values.join(', ')} FROM (${source})${check})${matchSql(ingest, bound)}`
  const { connection } = query
  const result = await task.on(connection, () => connection.run(sql, bound.values, bound.types))
  return result.rowsChanged
}

/** A column may have the name of something that every object has, such as `constructor`. */
function constantOf({ constants = {} }: IngestRequest, column: string): Constant | undefined {
  return Object.hasOwn(constants, column) ? constants[column] : undefined
}

/** Whether a row has a value of its own there, also null: an API that ignores a parameter answers null for other rows. */
function carries(path: readonly (string | number)[]): string {
  return path.length === 0 ? 'true' : `coalesce(json_exists(j, ${quoteLiteral(jsonPointer(path))}), false)`
}

/** An API that matches loosely hands out rows that were not asked for. */
function matchSql({ request, relation }: Ingest, bound: Bindings): string {
  const wanted: Record<string, readonly Constant[]> = { ...request.matchAny }
  for (const [name, constant] of Object.entries(request.match ?? {})) wanted[name] = [constant]
  const conditions = Object.entries(wanted)
    .filter(([name]) => relation.columns.some((column) => column.name === name))
    .map(([name, values]) => `${quoteIdentifier(name)} IN (${values.map((value) => bound.constant(value)).join(', ')})`)
  return conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`
}

/** Parameters of a statement: `$1` the texts, then constants as texts. */
class Bindings {
  readonly values: DuckDBValue[]
  readonly types: DuckDBType[] = [LIST(VARCHAR)]

  constructor(texts: readonly string[]) {
    this.values = [listValue(texts)]
  }

  constant(constant: { readonly type: string; readonly text: string | undefined }): string {
    this.values.push(constant.text ?? null)
    this.types.push(VARCHAR)
    return `CAST($${this.values.length} AS ${checkTypeName(constant.type)})`
  }
}
