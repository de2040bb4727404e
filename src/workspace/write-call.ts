import { failureOf } from '../engine/pipeline/execute-query.js'
import type { Relation } from '../engine/worker/protocol.js'
import { parameterSql } from '../engine/rewrite/parameters.js'
import { QuerentError } from '../errors/querent-error.js'
import { checkWrite } from '../policy/check-write.js'
import { checkWritePlan } from '../policy/check-write-plan.js'
import { tokenize } from '../policy/lexer.js'
import type { EffectiveLimits } from '../policy/limits.js'
import { refuseWrite, type WriteForm } from '../policy/statement.js'
import type { AttachedDatabase, Source } from '../sources/source.js'
import type { Handles } from '../state/handles.js'
import { envelopeChars, toQueryResult } from './answer.js'
import type { Generation } from './generation.js'
import type { QueryTrace } from './query-call.js'
import type { CallContext, QueryRequest, QueryResult } from './workspace.js'

export interface WriteCallOptions {
  readonly queryId: string
  readonly form: WriteForm
  readonly request: QueryRequest
  readonly context: CallContext
  readonly limits: EffectiveLimits
  readonly generation: Generation
  readonly handles: Handles
  readonly clock: string
  readonly signal: AbortSignal
  readonly startedMs: number
  readonly readWrite: boolean
}

interface WriteTarget {
  readonly source: Source
  readonly database: AttachedDatabase
}

/** Runs a writing statement on the database that is open for writing: checked on its text and on its plan. */
export async function runWriteCall(options: WriteCallOptions, trace: QueryTrace): Promise<QueryResult> {
  const { form, request, generation, handles, queryId, context, signal, clock, limits } = options
  if (!options.readWrite) refuseWrite(form)
  if (request.saveAs !== undefined) throw new QuerentError('sql.save_write')
  const checked = checkWrite(request.sql, form)
  const sql = parameterSql(checked.sql, checked.parameters, request.params)
  const { source, database } = await findTarget(generation, request.sql)
  const { engine } = generation.services
  const callerKey = handles.callerKey(context.caller)
  const statement = { sql, database: database.alias }
  const tables = await tablesOf(source, signal)
  try {
    const { plan } = await engine.call(
      'plan',
      {
        queryId,
        callerKey,
        statement: { ...statement, tables },
        relations: [],
        clock,
        optimize: false,
        sql: request.sql,
      },
      { signal },
    )
    if (plan === undefined)
      throw new QuerentError('policy.write', { problem: 'it cannot be planned', hint: 'Write it more simply.' })
    const verdict = checkWritePlan(plan, { statement: checked.statement, database: database.alias })
    trace.tables = [`${source.name}.${verdict.target.table}`]
    const callerDir = handles.callerDir(context.caller)
    await engine.call(
      'open',
      { queryId, callerKey, callerDir, files: [], attach: [database], relations: [], clock },
      { signal },
    )
    const envelope = envelopeChars({ queryId, elapsedMs: 999_999.999, sources: [], warnings: [], partial: false })
    const answer = await engine.call(
      'execute',
      {
        queryId,
        statement,
        sql: request.sql,
        maxRows: limits.maxRows,
        maxChars: Math.max(1, limits.maxChars - envelope),
      },
      { signal },
    )
    generation.services.catalog.invalidate()
    return toQueryResult(answer, {
      queryId,
      elapsedMs: Math.round((performance.now() - options.startedMs) * 1000) / 1000,
      sources: [],
      warnings: [],
      partial: false,
    })
  } catch (error) {
    throw failureOf(error, signal)
  } finally {
    await engine.call('close', { queryId }).catch(() => undefined)
  }
}

/** The one database that is open for writing, or the one that the statement names. */
async function findTarget(generation: Generation, sql: string): Promise<WriteTarget> {
  const targets: WriteTarget[] = []
  for (const source of generation.sources.values()) {
    const database = await source.writeTarget?.()
    if (database !== undefined) targets.push({ source, database })
  }
  const [only] = targets
  if (only === undefined) throw new QuerentError('policy.no_write_target')
  if (targets.length === 1) return only
  const words = new Set(tokenize(sql).map((token) => token.value.toLowerCase()))
  const named = targets.filter((target) => words.has(target.source.name.toLowerCase()))
  const [match] = named
  if (match === undefined || named.length > 1) {
    throw new QuerentError('policy.which_database', { choices: targets.map((target) => target.source.name).join(', ') })
  }
  return match
}

async function tablesOf(source: Source, signal: AbortSignal): Promise<readonly Relation[]> {
  const summaries = await source.listTables(signal)
  const tables = await source.describeTables(
    summaries.map((summary) => summary.name),
    { signal },
  )
  return tables.map((table) => ({
    catalog: 0,
    schema: table.name.schema ?? 'main',
    name: table.name.table,
    columns: table.columns.map(({ name, type }) => ({ name, type })),
  }))
}
