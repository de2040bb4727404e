import type { DuckDBConnection } from '@duckdb/node-api'
import { quoteIdentifier } from '../../util/sql-text.js'
import {
  attachStatements,
  catalogNames,
  relationName,
  schemaStatements,
  searchPath,
  sessionStatements,
  tableStatement,
} from './catalog-statements.js'
import { connected } from './connected.js'
import { failureToFault, fromFields, toFault, type DuckDBFailure } from './duckdb-error.js'
import { EngineFault } from './engine-fault.js'
import type { EngineInstance } from './instance.js'
import { deparseTree } from './parse.js'
import { errorPosition } from './tree-text.js'
import type { PlanningInstances } from './planning-instances.js'
import type { PlanAnswer, PlanRequest } from './protocol.js'
import { Serial } from './serial.js'
import type { Task } from './tasks.js'

type Level = PlanAnswer['level']

/** P2: from the optimised plan down to the unoptimised one, until DuckDB can print it. */
const fallbacks: readonly { readonly level: Level; readonly instance: 0 | 1; readonly optimize: boolean }[] = [
  { level: 0, instance: 0, optimize: true },
  { level: 1, instance: 1, optimize: true },
  { level: 2, instance: 0, optimize: false },
]

export async function planTree(planners: PlanningInstances, request: PlanRequest, task: Task): Promise<PlanAnswer> {
  let failure: DuckDBFailure | undefined
  for (const { level, instance, optimize } of fallbacks) {
    if (optimize && !request.optimize) continue
    const outcome = await planners.plan(request.callerKey, instance, (planner) =>
      planOnce(planner, request, optimize, task),
    )
    if ('plan' in outcome) return { plan: outcome.plan, level }
    failure = outcome
    if (failure.type !== 'internal') break
  }
  if (failure === undefined || failure.type === 'not implemented') return { plan: undefined, level: 2 }
  throw failureToFault(failure, hiddenFor(request))
}

interface Planned {
  readonly plan: string | undefined
}

/** Databases of writing statements keep their own names, so two such plans of one caller must not meet. */
const writing = new Serial()

function planOnce(
  instance: EngineInstance,
  request: PlanRequest,
  optimize: boolean,
  task: Task,
): Promise<Planned | DuckDBFailure> {
  const work = (): Promise<Planned | DuckDBFailure> =>
    connected(instance, task, async (connection) => {
      // Read off the tree while the catalogs are made: the one takes as long as the other.
      const text = planText(instance, request, task)
      text.catch(() => undefined)
      try {
        await prepareCatalogs(connection, request)
        return await serializePlan(connection, { request, text: await text, optimize })
      } finally {
        await dropCatalogs(instance, request)
      }
    })
  return request.statement === undefined ? work() : writing.run(work)
}

async function prepareCatalogs(connection: DuckDBConnection, request: PlanRequest): Promise<void> {
  const { queryId, relations, statement, clock } = request
  const statements = [
    ...attachStatements(queryId, relations),
    ...schemaStatements(queryId, relations),
    ...relations.map((relation) => tableStatement(relationName(queryId, relation), relation.columns)),
    ...(statement === undefined ? [] : databaseStatements(statement)),
    ...sessionStatements(searchPath(queryId, relations, statement?.database), clock),
  ]
  try {
    await connection.run(statements.join(';\n'))
  } catch (error) {
    throw toFault(error, hiddenFor(request))
  }
}

function databaseStatements(statement: NonNullable<PlanRequest['statement']>): string[] {
  const database = quoteIdentifier(statement.database)
  const nameOf = (table: { readonly schema: string; readonly name: string }): string =>
    `${database}.${quoteIdentifier(table.schema)}.${quoteIdentifier(table.name)}`
  const schemas = new Set(statement.tables.map((table) => table.schema))
  return [
    `ATTACH ':memory:' AS ${database}`,
    ...[...schemas].map((schema) => `CREATE SCHEMA IF NOT EXISTS ${database}.${quoteIdentifier(schema)}`),
    ...statement.tables.map((table) => tableStatement(nameOf(table), table.columns)),
  ]
}

async function dropCatalogs(instance: EngineInstance, request: PlanRequest): Promise<void> {
  const names = catalogNames(request.queryId, request.relations)
  if (request.statement !== undefined) names.push(request.statement.database)
  for (const name of names) {
    await instance.control(`DETACH DATABASE IF EXISTS ${quoteIdentifier(name)}`).catch(() => undefined)
  }
}

function planText(instance: EngineInstance, { statement, tree }: PlanRequest, task: Task): Promise<string> {
  return statement === undefined ? deparseTree(instance, tree, task) : Promise.resolve(statement.sql)
}

async function serializePlan(
  connection: DuckDBConnection,
  { request, text, optimize }: { readonly request: PlanRequest; readonly text: string; readonly optimize: boolean },
): Promise<Planned | DuckDBFailure> {
  const flags = `skip_null := true, skip_default := true, optimize := ${optimize}`
  const sql = `SELECT CAST(json_serialize_plan(CAST($1 AS VARCHAR), ${flags}) AS VARCHAR)`
  let printed: string
  try {
    const reader = await connection.runAndReadAll(sql, [text])
    printed = String(reader.getRows()[0]?.[0] ?? '')
  } catch (error) {
    throw toFault(error, hiddenFor(request))
  }
  // P7: a constant that DuckDB cannot print (BIT, BIGNUM) leaves an empty text.
  if (printed === '') return { plan: undefined }
  if (!printed.startsWith('{"error":true')) return { plan: printed }
  const failure = fromFields(JSON.parse(printed) as Record<string, unknown>, 'error_')
  if (failure.type === 'internal' || failure.type === 'not implemented') return failure
  throw await positioned(connection, request, failure)
}

async function positioned(
  connection: DuckDBConnection,
  request: PlanRequest,
  failure: DuckDBFailure,
): Promise<EngineFault> {
  return failureToFault(failure, hiddenFor(request), await errorPosition(connection, request, failure))
}

function hiddenFor(request: PlanRequest): {
  readonly catalogs: readonly string[]
  readonly folders: readonly string[]
} {
  return { catalogs: catalogNames(request.queryId, request.relations), folders: [] }
}
