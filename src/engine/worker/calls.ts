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
import type { CallAnswer, CallName, CallRequest } from './protocol.js'
import { OpenQuery } from './query.js'
import { exportRows, fetchRows } from './results.js'
import { SpareDatabases } from './spare-databases.js'
import type { Task, Tasks } from './tasks.js'

type Handlers = { readonly [Name in CallName]: (request: CallRequest<Name>, task: Task) => Promise<CallAnswer<Name>> }

/** What the worker can do, on the DuckDB instances that it holds. */
export class Calls {
  private readonly queries = new Map<string, OpenQuery>()
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
      if (this.queries.has(request.queryId)) throw unexpected(`query ${request.queryId} is open already`)
      this.queries.set(request.queryId, await OpenQuery.open(this.executing, request, task))
      return undefined
    },
    ingest: (request, task) => ingestTexts(this.query(request.queryId), request, task),
    distinct: (request, task) => distinctKeys(this.query(request.queryId), request, task),
    execute: (request, task) => execute(this.query(request.queryId), request, task),
    interrupt: ({ queryId }) => {
      const query = this.queries.get(queryId)
      if (query !== undefined) query.interrupted = true
      this.tasks.interruptQuery(queryId)
      return Promise.resolve(undefined)
    },
    close: async ({ queryId }) => {
      const query = this.queries.get(queryId)
      this.queries.delete(queryId)
      this.tasks.interruptQuery(queryId)
      await this.tasks.idle(queryId)
      await query?.close()
      return undefined
    },
    introspect: (request, task) => introspect(this.executing, request, task),
    fetch: (request, task) => fetchRows(this.executing, request, task),
    exportResult: (request, task) => exportRows(this.executing, request, task),
  }

  private query(queryId: string): OpenQuery {
    const query = this.queries.get(queryId)
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
