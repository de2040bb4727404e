import { QuerentError } from '../../errors/querent-error.js'
import { formatTableName } from '../../model/table-name.js'
import type { AttachedDatabase } from '../../sources/source.js'
import { acquire } from '../acquire/acquire.js'
import type { QueryMeter, ScanUse } from '../acquire/query-meter.js'
import type { RemoteRead } from '../acquire/remote-read.js'
import type { CallRequest, ExecuteAnswer } from '../worker/protocol.js'
import type { PlannedQuery } from './plan-query.js'
import type { QueryScope } from './query-scope.js'
import type { EngineServices } from './services.js'

export type ExecuteOptions = Omit<CallRequest<'execute'>, 'queryId' | 'tree' | 'statement'>

export interface ExecutedQuery {
  readonly answer: ExecuteAnswer
  /** What each table's scan cost, in the statement's order. */
  readonly uses: readonly TableUse[]
  /** Why rows are missing; empty: the answer is whole. */
  readonly partial: readonly string[]
}

export interface TableUse extends ScanUse {
  readonly table: string
}

export interface ExecuteHooks {
  /** A table got more rows. */
  readonly onProgress?: (use: ScanUse, table: string) => void
  /** What was asked so far, also when the query fails. */
  readonly meter: QueryMeter
  /**
   * The answer need not wait until the query's catalog is gone: nothing else is asked under this id. It still waits
   * where files must be free afterwards.
   */
  readonly isLast?: boolean
}

/** acquire, execute: fills the query's catalog and runs the tree. The catalog goes afterwards, whatever happens. */
export async function executeQuery(
  query: PlannedQuery,
  reads: readonly RemoteRead[],
  options: ExecuteOptions,
  services: EngineServices,
  scope: QueryScope,
  hooks: ExecuteHooks,
): Promise<ExecutedQuery> {
  const { engine } = services
  const { queryId, signal } = scope
  const request = openRequest(query, scope)
  let mustWait = hooks.isLast !== true || request.attach.length > 0 || options.saveAs !== undefined
  try {
    const opened = engine.call('open', request, { signal })
    const execute = (): Promise<ExecuteAnswer> =>
      engine.call('execute', { queryId, tree: query.tree, ...options }, { signal })
    if (reads.length === 0) {
      const [, answer] = await Promise.all([opened, execute()])
      return { answer, uses: tableUses(query, []), partial: [] }
    }
    await opened
    const acquired = await acquire(reads, {
      engine,
      queryId,
      caller: scope.caller,
      signal,
      meter: hooks.meter,
      scans: query.scans,
      maxFanout: services.limits.maxFanout,
      onLimit: services.limits.onLimit,
      onProgress: (table) => hooks.onProgress?.(hooks.meter.total, table),
    })
    return {
      answer: await execute(),
      uses: tableUses(query, acquired),
      partial: acquired.flatMap((read) => read.partial ?? []),
    }
  } catch (error) {
    mustWait = true
    throw error
  } finally {
    const closed = engine.call('close', { queryId }, {}).catch(() => undefined)
    if (mustWait) await closed
  }
}

function openRequest(query: PlannedQuery, scope: QueryScope): CallRequest<'open'> {
  const inPlace = query.references.flatMap((reference) => reference.inPlace ?? [])
  const attach = new Map<string, AttachedDatabase>()
  for (const database of inPlace.flatMap((table) => table.attach ?? [])) attach.set(database.alias, database)
  return {
    queryId: scope.queryId,
    callerKey: scope.callerKey,
    callerDir: scope.callerDir,
    clock: scope.clock,
    files: [...new Set(inPlace.flatMap((table) => table.files))],
    attach: [...attach.values()],
    relations: query.references.map((reference) => reference.relation),
  }
}

function tableUses(query: PlannedQuery, acquired: readonly { table: string; use: ScanUse }[]): readonly TableUse[] {
  const remaining = [...acquired]
  return query.references.map((reference) => {
    const table = formatTableName(reference.table.name)
    const index = remaining.findIndex((entry) => entry.table === table)
    const [entry] = index < 0 ? [] : remaining.splice(index, 1)
    return { table, ...(entry?.use ?? { requests: 0, rows: 0, bytes: 0 }) }
  })
}

/** The signal's reason where it is a QuerentError; what a source threw may only say that it was aborted. */
export function failureOf(error: unknown, signal: AbortSignal): unknown {
  return signal.aborted && signal.reason instanceof QuerentError ? signal.reason : error
}
