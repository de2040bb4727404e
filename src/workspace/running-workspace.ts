import { randomBytes } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import type { LoadedWorkspace } from '../config/loaded-workspace.js'
import type { Engine } from '../engine/client/engine.js'
import { QueryMeter } from '../engine/acquire/query-meter.js'
import type { QueryScope } from '../engine/pipeline/query-scope.js'
import { QuerentError } from '../errors/querent-error.js'
import { localCaller, type Caller } from '../model/caller.js'
import type { Table } from '../model/table.js'
import { effectiveLimits, type EffectiveLimits, type QueryLimits } from '../policy/limits.js'
import type { StatementForm } from '../policy/statement.js'
import type { Admission, Turn } from '../state/admission.js'
import type { AuditLog, AuditTrail } from '../state/audit-log.js'
import { outcomeOf, type AuditEnd } from '../state/audit-record.js'
import type { Handles } from '../state/handles.js'
import { clockText } from './clock.js'
import { toQuerentError } from './error-answer.js'
import type { Generation } from './generation.js'
import { parseTableName } from './parse-table-name.js'
import type { QueryTrace } from './query-call.js'
import type {
  CallContext,
  CheckFinding,
  CheckReport,
  Explanation,
  FetchResultRequest,
  QueryParams,
  QueryRequest,
  QueryResult,
  ResultPage,
  TablePage,
  TableSearch,
  Workspace,
} from './workspace.js'

export interface RunningWorkspaceParts {
  readonly engine: Engine
  readonly audit: AuditLog
  readonly handles: Handles
  readonly admission: Admission
  readonly caps: Partial<QueryLimits>
  readonly readWrite: boolean
  readonly onClosed: () => void
}

/** The one implementation of `Workspace`: every entry point comes through here. */
export class RunningWorkspace implements Workspace {
  readonly audit: AuditLog
  readonly #parts: RunningWorkspaceParts
  readonly #running = new Map<string, { readonly caller: string; readonly controller: AbortController }>()
  readonly #listeners = new Set<() => void>()
  readonly #closing = new AbortController()
  #generation: Generation

  constructor(generation: Generation, parts: RunningWorkspaceParts) {
    this.#generation = generation
    this.#parts = parts
    this.audit = parts.audit
    setMaxListeners(0, this.#closing.signal)
  }

  get name(): string {
    return this.loaded.name
  }

  get description(): string | undefined {
    return this.loaded.description
  }

  get loaded(): LoadedWorkspace {
    return this.#generation.loaded
  }

  get limits(): QueryLimits {
    return this.#limits({})
  }

  /** Queries that run keep what they began with. */
  async replace(generation: Generation): Promise<void> {
    const before = this.#generation
    this.#generation = generation
    this.announceChange()
    await before.retire()
  }

  announceChange(): void {
    for (const listener of this.#listeners) listener()
  }

  onChanged(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  async query(request: QueryRequest, context: CallContext): Promise<QueryResult> {
    const queryId = newQueryId()
    const startedMs = performance.now()
    const trace: QueryTrace = { tables: [], meter: new QueryMeter(this.loaded.limits), statement: undefined }
    const trail = this.#parts.audit.start({
      queryId,
      caller: context.caller,
      surface: context.surface,
      sql: this.loaded.redact(request.sql),
      ...(context.session === undefined ? {} : { session: context.session }),
    })
    this.#parts.engine.start()
    try {
      const result = await this.#admitted(queryId, request, context, { trace, startedMs })
      finishOk(trail, trace, result)
      return result
    } catch (error) {
      const failure = this.#failure(error, queryId)
      trail.finish({ ...recordOf(trace), outcome: outcomeOf(failure), code: failure.code })
      throw failure
    }
  }

  async #admitted(
    queryId: string,
    request: QueryRequest,
    context: CallContext,
    run: { readonly trace: QueryTrace; readonly startedMs: number },
  ): Promise<QueryResult> {
    const limits = this.#limits(request)
    const controller = new AbortController()
    const timer = setTimeout(() => {
      controller.abort(new QuerentError('limit.timeout', { timeoutMs: limits.timeoutMs }))
    }, limits.timeoutMs)
    const outer = [context.signal, this.#closing.signal].filter((one) => one !== undefined)
    const cancel = (): void => {
      controller.abort(new QuerentError('limit.cancelled'))
    }
    for (const signal of outer) {
      if (signal.aborted) cancel()
      else signal.addEventListener('abort', cancel)
    }
    this.#running.set(queryId, { caller: context.caller.id, controller })
    const generation = this.#generation
    const hold = generation.hold()
    let turn: Turn | undefined
    try {
      turn = await this.#parts.admission.enter(context.caller.id, controller.signal)
      const { signal } = controller
      return await this.#dispatch({ queryId, request, context, limits, generation, signal, ...run })
    } catch (error) {
      throw controller.signal.aborted ? controller.signal.reason : error
    } finally {
      turn?.release()
      hold.release()
      this.#running.delete(queryId)
      clearTimeout(timer)
      for (const signal of outer) signal.removeEventListener('abort', cancel)
    }
  }

  async #dispatch(call: QueryDispatch): Promise<QueryResult> {
    const { request, trace, generation } = call
    const { classify, explainedResult, explainQuery, runQueryCall, runWriteCall } = await loadCalls()
    const form = classify(request.sql, generation.loaded.limits)
    trace.statement = statementName(form)
    const options = { ...call, handles: this.#parts.handles, clock: clockText(new Date()) }
    if (form.kind === 'write') {
      return runWriteCall({ ...options, form, readWrite: this.#parts.readWrite }, trace)
    }
    if (form.kind === 'select') return runQueryCall({ ...options, form }, trace)
    const explanation = await explainQuery({
      form,
      sql: request.sql,
      params: request.params,
      services: generation.services,
      scope: this.#scope(call.queryId, call.context.caller, generation, call.signal),
    })
    const analysed = form.analyze ? await runQueryCall({ ...options, form }, trace) : undefined
    return explainedResult(explanation, analysed, call)
  }

  async explain(
    request: { readonly sql: string; readonly params?: QueryParams },
    context: CallContext,
  ): Promise<Explanation> {
    return this.#withSignal(context, async (signal, generation) => {
      const { classify, explainQuery } = await loadCalls()
      const form = classify(request.sql, generation.loaded.limits)
      if (form.kind === 'write')
        throw new QuerentError('policy.statement', { statement: form.statement, hint: 'Explain a SELECT.' })
      const scope = this.#scope(newQueryId(), context.caller, generation, signal)
      return explainQuery({ form, sql: request.sql, params: request.params, services: generation.services, scope })
    })
  }

  tables(request: TableSearch, context: CallContext): Promise<TablePage> {
    return this.#withSignal(context, async (signal, generation) => {
      const { searchTables } = await loadCalls()
      return searchTables(request, { ...generation.services, signal })
    })
  }

  describe(request: { readonly table: string }, context: CallContext): Promise<Table> {
    return this.#withSignal(context, async (signal, generation) => {
      const parts = parseTableName(request.table)
      const { table } = await generation.services.catalog.resolve(parts, { signal, learn: {} })
      return table
    })
  }

  fetchResult(request: FetchResultRequest, context: CallContext): Promise<ResultPage> {
    return this.#withSignal(context, async (signal) => {
      const { fetchKeptResult } = await loadCalls()
      return fetchKeptResult(request, { ...this.#parts, caller: context.caller, limits: this.#limits({}), signal })
    })
  }

  cancel(queryId: string, context: CallContext): boolean {
    const running = this.#running.get(queryId)
    if (running?.caller !== context.caller.id) return false
    running.controller.abort(new QuerentError('limit.cancelled'))
    return true
  }

  async check(signal: AbortSignal): Promise<CheckReport> {
    const { sources, notes } = this.#generation
    const { checkSource } = await loadCalls()
    const findings: CheckFinding[] = []
    for (const source of sources.values()) {
      const runExample = async (sql: string): Promise<string> => {
        const { rowCount } = await this.query({ sql, maxRows: 1 }, { caller: localCaller, surface: 'cli', signal })
        return `runs, ${rowCount === 0 ? 'no row' : 'rows come'}`
      }
      const examples = notes.get(source.name.toLowerCase())?.examples ?? []
      findings.push(...(await checkSource(source, { signal, examples, runExample })))
    }
    return { ok: findings.every((finding) => finding.severity !== 'error'), findings }
  }

  async close(): Promise<void> {
    this.#closing.abort(new QuerentError('limit.cancelled'))
    await this.#generation.retire()
    await this.#parts.engine.close()
    this.#parts.handles.close()
    this.#parts.audit.close()
    this.#parts.onClosed()
  }

  #limits(request: Pick<QueryRequest, 'maxRows' | 'maxChars' | 'timeoutMs'>): EffectiveLimits {
    const { maxRows, maxChars, timeoutMs } = this.loaded.limits
    return effectiveLimits({ maxRows, maxChars, timeoutMs, ...this.#parts.caps }, request)
  }

  #scope(queryId: string, caller: Caller, generation: Generation, signal: AbortSignal): QueryScope {
    const { handles } = this.#parts
    return {
      queryId,
      caller,
      callerKey: handles.callerKey(caller),
      callerDir: handles.callerDir(caller),
      clock: clockText(new Date()),
      signal,
      files: generation.files,
      ownTables: () => Promise.resolve(undefined),
      mayLearn: false,
    }
  }

  /** For calls that are no queries: no record, no admission, but a time-out and an end. */
  async #withSignal<T>(
    context: CallContext,
    act: (signal: AbortSignal, generation: Generation) => Promise<T>,
  ): Promise<T> {
    const { timeoutMs } = this.#limits({})
    const timeout = new AbortController()
    const timer = setTimeout(() => {
      timeout.abort(new QuerentError('limit.timeout', { timeoutMs }))
    }, timeoutMs)
    const signals = [context.signal, this.#closing.signal, timeout.signal].filter((one) => one !== undefined)
    const signal = AbortSignal.any(signals)
    const generation = this.#generation
    const hold = generation.hold()
    try {
      return await act(signal, generation)
    } catch (error) {
      throw this.#failure(
        timeout.signal.aborted ? timeout.signal.reason : signal.aborted ? new QuerentError('limit.cancelled') : error,
        undefined,
      )
    } finally {
      hold.release()
      clearTimeout(timer)
    }
  }

  /** The one place where failures leave: secrets are hidden in them as a last resort. */
  #failure(error: unknown, queryId: string | undefined): QuerentError {
    const failure = toQuerentError(error).redacted(this.loaded.redact)
    failure.queryId = queryId
    return failure
  }
}

/** What carries calls out is loaded with the first of them: a server answers its client's first messages without it. */
function loadCalls(): Promise<typeof import('./calls.js')> {
  return import('./calls.js')
}

interface QueryDispatch {
  readonly queryId: string
  readonly request: QueryRequest
  readonly context: CallContext
  readonly limits: EffectiveLimits
  readonly generation: Generation
  readonly signal: AbortSignal
  readonly trace: QueryTrace
  readonly startedMs: number
}

/** Unguessable, and a name that DuckDB takes without quotes. */
function newQueryId(): string {
  return `q_${randomBytes(8).toString('hex')}`
}

function statementName(form: StatementForm): string {
  if (form.kind === 'write') return form.statement
  return form.kind === 'select' ? 'SELECT' : form.analyze ? 'EXPLAIN ANALYZE' : 'EXPLAIN'
}

function recordOf(trace: QueryTrace): Omit<AuditEnd, 'outcome'> {
  return {
    tables: trace.tables,
    requests: trace.meter.total.requests,
    ...(trace.statement === undefined ? {} : { statement: trace.statement }),
  }
}

function finishOk(trail: AuditTrail, trace: QueryTrace, result: QueryResult): void {
  trail.finish({
    ...recordOf(trace),
    outcome: 'ok',
    rows: result.rowCount,
    bytes: Buffer.byteLength(JSON.stringify(result)),
    truncated: result.truncated === true,
    partial: result.partial === true,
  })
}
