import { distinctKeys } from './distinct.js'
import { toFault } from './duckdb-error.js'
import { EngineFault } from './engine-fault.js'
import { ExecutingInstances } from './executing-instances.js'
import { execute } from './execute.js'
import { FileLocks } from './file-locks.js'
import { ingestTexts } from './ingest/ingest.js'
import type { WorkerSettings } from './instance-settings.js'
import { introspect } from './introspect.js'
import { deparseTree, parseSql } from './parse.js'
import { planTree } from './plan.js'
import { PlanningInstances } from './planning-instances.js'
import type { CallAnswer, CallName, CallRequest, ExecuteRequest } from './protocol.js'
import { OpenQuery } from './query.js'
import { exportRows, fetchRows } from './results.js'
import { SpareDatabases } from './spare-databases.js'
import type { Task, Tasks } from './tasks.js'

type Handlers = { readonly [Name in CallName]: (request: CallRequest<Name>, task: Task) => Promise<CallAnswer<Name>> }

/** What the worker can do, on the DuckDB instances that it holds. */
export class Calls {
  /** Those that are being opened, too: a statement may be sent before its query is open. */
  private readonly queries = new Map<string, Promise<OpenQuery>>()
  private readonly executing: ExecutingInstances
  private readonly planning: PlanningInstances

  constructor(
    settings: WorkerSettings,
    private readonly tasks: Tasks,
  ) {
    const spares = new SpareDatabases(settings, 3)
    this.executing = new ExecutingInstances(settings, new FileLocks(), () => spares.take())
    this.planning = new PlanningInstances(settings, () => spares.take())
  }

  async answer(id: number, call: CallName, request: unknown): Promise<unknown> {
    // `interrupt` and `close` are not work of the query: an interrupt must not stop them.
    const queryId = call === 'interrupt' || call === 'close' ? undefined : queryIdOf(request)
    const handle = this.handlers[call] as (request: unknown, task: Task) => Promise<unknown>
    try {
      return await this.tasks.run(id, queryId, (task) => handle(request, task))
    } catch (error) {
      throw toFault(error)
    }
  }

  private readonly handlers: Handlers = {
    parse: async ({ sql }, task) => ({ tree: await this.planning.parse((instance) => parseSql(instance, sql, task)) }),
    deparse: async ({ tree }, task) => ({
      sql: await this.planning.parse((instance) => deparseTree(instance, tree, task)),
    }),
    plan: (request, task) => planTree(this.planning, request, task),
    open: async (request, task) => {
      const { queryId } = request
      if (this.queries.has(queryId)) throw unexpected(`query ${queryId} is open already`)
      const opening = OpenQuery.open(this.executing, request, task)
      this.queries.set(queryId, opening)
      try {
        await opening
      } catch (error) {
        if (this.queries.get(queryId) === opening) this.queries.delete(queryId)
        throw error
      }
      return undefined
    },
    ingest: async (request, task) => ingestTexts(await this.query(request.queryId), request, task),
    distinct: async (request, task) => distinctKeys(await this.query(request.queryId), request, task),
    execute: async (request, task) => {
      // Read off the tree while the query is still being opened.
      const sql = this.statementOf(request, task)
      sql.catch(() => undefined)
      const query = await this.query(request.queryId)
      return execute(query, await sql, request, task)
    },
    interrupt: async ({ queryId }) => {
      const opening = this.queries.get(queryId)
      this.tasks.interruptQuery(queryId)
      const query = await opening?.catch(() => undefined)
      if (query !== undefined) query.interrupted = true
      return undefined
    },
    close: async ({ queryId }) => {
      const opening = this.queries.get(queryId)
      this.queries.delete(queryId)
      this.tasks.interruptQuery(queryId)
      await this.tasks.idle(queryId)
      const query = await opening?.catch(() => undefined)
      await query?.close()
      return undefined
    },
    introspect: (request, task) => introspect(this.executing, request, task),
    fetch: (request, task) => fetchRows(this.executing, request, task),
    exportResult: (request, task) => exportRows(this.executing, request, task),
  }

  private statementOf({ statement, tree }: ExecuteRequest, task: Task): Promise<string> {
    if (statement !== undefined) return Promise.resolve(statement.sql)
    return this.planning.parse((instance) => deparseTree(instance, tree, task))
  }

  private async query(queryId: string): Promise<OpenQuery> {
    const query = await this.queries.get(queryId)
    // It was open in a process that is gone.
    if (query === undefined) throw new EngineFault('engine.restarted', { reason: 'its process was replaced' })
    if (query.interrupted) throw new EngineFault('engine.interrupted')
    return query
  }
}

function queryIdOf(request: unknown): string | undefined {
  if (typeof request !== 'object' || request === null || !('queryId' in request)) return undefined
  return typeof request.queryId === 'string' ? request.queryId : undefined
}

function unexpected(message: string): EngineFault {
  return new EngineFault('internal.unexpected', { message })
}
