import { statSync } from 'node:fs'
import { QueryMeter } from '../engine/acquire/query-meter.js'
import { checkEstimate } from '../engine/acquire/check-estimate.js'
import { planReads } from '../engine/acquire/remote-read.js'
import { executeQuery, failureOf, type ExecutedQuery } from '../engine/pipeline/execute-query.js'
import type { PlannedQuery } from '../engine/pipeline/plan-query.js'
import { prepareDocument, prepareQuery, type ReadForm } from '../engine/pipeline/prepare.js'
import type { QueryScope } from '../engine/pipeline/query-scope.js'
import type { ExecuteRequest } from '../engine/worker/protocol.js'
import { QuerentError } from '../errors/querent-error.js'
import { formatTableName } from '../model/table-name.js'
import type { TreeNode } from '../model/tree.js'
import type { EffectiveLimits } from '../policy/limits.js'
import { maxPivotValues } from '../policy/pivot-question.js'
import type { Lease } from '../state/handle-table.js'
import type { Handles } from '../state/handles.js'
import type { PendingResult } from '../state/result-store.js'
import type { ScratchSpace } from '../state/scratch-store.js'
import { envelopeChars, sourceUses, toQueryResult } from './answer.js'
import type { Generation } from './generation.js'
import { scratchTable } from './scratch-tables.js'
import type { CallContext, QueryRequest, QueryResult } from './workspace.js'

export interface QueryCallOptions {
  readonly queryId: string
  readonly form: ReadForm
  readonly request: QueryRequest
  readonly context: CallContext
  readonly limits: EffectiveLimits
  readonly generation: Generation
  readonly handles: Handles
  readonly clock: string
  readonly signal: AbortSignal
  readonly startedMs: number
}

/** What a query touched, for the record; filled while it runs, so that a failure's record has it too. */
export interface QueryTrace {
  tables: readonly string[]
  readonly meter: QueryMeter
  /** Class of the statement; undefined until it is known. */
  statement: string | undefined
}

/** Runs one SELECT through the pipeline and shapes its answer. */
export async function runQueryCall(options: QueryCallOptions, trace: QueryTrace): Promise<QueryResult> {
  const call = new QueryCall(options, trace)
  try {
    return await call.run()
  } catch (error) {
    throw failureOf(error, options.signal)
  } finally {
    call.release()
  }
}

/** Names of tables that saveAs makes. */
const savedName = /^[A-Za-z_][A-Za-z0-9_]{0,62}$/

class QueryCall {
  readonly #options: QueryCallOptions
  readonly #trace: QueryTrace
  readonly #space: Lease<ScratchSpace> | undefined
  #pending: PendingResult | undefined

  constructor(options: QueryCallOptions, trace: QueryTrace) {
    const { request, context, handles } = options
    this.#options = options
    this.#trace = trace
    if (request.saveAs !== undefined && !savedName.test(request.saveAs)) {
      throw new QuerentError('sql.save_name', { name: request.saveAs })
    }
    const wanted = { id: request.scratch, session: context.session }
    this.#space =
      request.saveAs === undefined
        ? handles.scratch.use(context.caller, wanted)
        : handles.scratch.open(context.caller, wanted)
  }

  release(): void {
    this.#space?.release()
    this.#pending?.discard()
  }

  async run(): Promise<QueryResult> {
    const { form, request, generation } = this.#options
    const planned = await prepareQuery(
      { form, sql: request.sql, params: request.params, askValues: (document) => this.#askValues(document) },
      generation.services,
      this.#scope(this.#options.queryId),
    )
    const executed = await this.#execute(planned)
    return this.#answer(executed)
  }

  async #execute(planned: PlannedQuery): Promise<ExecutedQuery> {
    const { queryId, limits, context, generation, request } = this.#options
    this.#trace.tables = planned.references.map((reference) => formatTableName(reference.table.name))
    const reads = planReads(planned.candidates)
    checkEstimate(reads, generation.services.limits.maxRequests)
    const envelope = envelopeChars({
      queryId,
      elapsedMs: 999_999.999,
      result: 'r'.repeat(32),
      scratch: 's'.repeat(32),
      warnings: [],
      partial: true,
      sources: sourceUses({
        uses: this.#trace.tables.map((table) => ({ table, requests: 1e6, rows: 1e9, bytes: 1e12 })),
      }),
    })
    const options: Omit<ExecuteRequest, 'queryId' | 'tree' | 'statement'> = {
      sql: request.sql,
      maxRows: limits.maxRows,
      maxChars: Math.max(1, limits.maxChars - envelope - reservedChars),
      ...this.#destination(),
    }
    return executeQuery(planned, reads, options, generation.services, this.#scope(queryId), {
      meter: this.#trace.meter,
      isLast: true,
      onProgress: ({ requests, rows }, table) => {
        context.onProgress?.({ message: `reading ${table}`, requests, rows })
      },
    })
  }

  /** Where rows beyond the answer go. */
  #destination(): Pick<ExecuteRequest, 'keep' | 'saveAs'> {
    const { request, handles, generation, context } = this.#options
    const { result } = generation.services.limits
    if (request.saveAs !== undefined && this.#space !== undefined) {
      const { value } = this.#space
      const maxBytes = Math.max(0, handles.scratch.maxBytes(value) - value.bytes)
      return { saveAs: { path: value.path, name: request.saveAs, maxRows: result.maxRows, maxBytes } }
    }
    this.#pending = handles.results.begin(context.caller)
    const maxBytes = Math.min(result.maxBytes, this.#pending.maxBytes)
    return { keep: { path: this.#pending.path, maxRows: result.maxRows, maxBytes, always: request.keep === true } }
  }

  #answer(executed: ExecutedQuery): QueryResult {
    const { queryId, startedMs, limits } = this.#options
    const { answer } = executed
    const warnings = executed.partial.map((reason) => `The answer is partial: ${reason}`)
    if (limits.lowered.length > 0) {
      const caps = limits.lowered.map((name) => `${name} ${limits[name]}`).join(', ')
      warnings.push(`The workspace's caps hold: ${caps}.`)
    }
    const result = this.#keep(executed)
    if (answer.truncated && result === undefined && answer.keepError !== undefined) {
      warnings.push('The rest of the result could not be kept.')
    }
    const scratch = this.#saved(executed)
    return toQueryResult(answer, {
      queryId,
      elapsedMs: Math.round((performance.now() - startedMs) * 1000) / 1000,
      sources: sourceUses(executed),
      partial: executed.partial.length > 0,
      warnings,
      ...(result === undefined ? {} : { result }),
      ...(scratch === undefined ? {} : { scratch }),
    })
  }

  #keep({ answer }: ExecutedQuery): string | undefined {
    const pending = this.#pending
    if (pending === undefined || answer.kept === undefined) return undefined
    this.#pending = undefined
    const { columns, columnTypes, kept } = answer
    return pending.keep({ columns, columnTypes, ...kept }) ? pending.id : undefined
  }

  #saved({ answer }: ExecutedQuery): string | undefined {
    const { request, handles } = this.#options
    if (request.saveAs === undefined || this.#space === undefined) return undefined
    const { value, id } = this.#space
    const bytes = statSync(value.path, { throwIfNoEntry: false })?.size ?? 0
    const { columns, columnTypes } = answer
    handles.scratch.saved(value, { name: request.saveAs, columns, columnTypes, rows: answer.totalRows ?? 0 }, bytes)
    return id
  }

  /** Distinct values of a PIVOT's column: a statement of its own, through the same pipeline. */
  async #askValues(document: TreeNode): Promise<readonly string[]> {
    const { form, request, generation, queryId } = this.#options
    const scope = this.#scope(`${queryId}_p`)
    const planned = await prepareDocument(
      document,
      { form, sql: request.sql, params: request.params, ignoreExtraParams: true },
      generation.services,
      scope,
    )
    const reads = planReads(planned.candidates)
    const { answer } = await executeQuery(
      planned,
      reads,
      { maxRows: maxPivotValues + 1, maxChars: 1_000_000 },
      generation.services,
      scope,
      { meter: this.#trace.meter },
    )
    return answer.rows.map((row) => String((JSON.parse(row) as readonly unknown[])[0]))
  }

  #scope(queryId: string): QueryScope {
    const { context, handles, clock, signal, generation, request } = this.#options
    return {
      queryId,
      caller: context.caller,
      callerKey: handles.callerKey(context.caller),
      callerDir: handles.callerDir(context.caller),
      clock,
      signal,
      files: generation.files,
      ownTables: (parts) =>
        Promise.resolve(scratchTable(parts, this.#space?.value, { forWriting: request.saveAs !== undefined })),
      mayLearn: true,
    }
  }
}

/** Room for warnings that are only known after the rows. */
const reservedChars = 600
