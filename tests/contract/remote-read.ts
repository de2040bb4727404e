import type { Table } from '../../src/model/table.js'
import type { ScanPlan, Source } from '../../src/sources/source.js'
import type { Engine } from '../../src/engine/client/engine.js'

export interface RemoteReadOptions {
  readonly engine: Engine
  readonly source: Source
  readonly tables: () => readonly Table[]
  readonly folder: string
}

/** Runs a remote plan, has the engine parse its batches, and asks the rows as `scan`. */
export function remoteRead(
  options: RemoteReadOptions,
): (plan: ScanPlan, sql: string) => Promise<readonly (readonly unknown[])[]> {
  const { engine, source } = options
  let count = 0
  return async (plan, sql) => {
    const queryId = `q_contract${count++}`
    const table = options.tables().find((one) => JSON.stringify(one.name) === JSON.stringify(plan.table))
    const columns = (table?.columns ?? []).map(({ name, type }) => ({ name, type }))
    const relation = { catalog: 0, schema: 'main', name: 'scan', columns }
    const callerDir = options.folder
    const clock = '2026-01-01 00:00:00.000000+00'
    try {
      await engine.call('open', {
        queryId,
        callerKey: 'c',
        callerDir,
        files: [],
        attach: [],
        relations: [relation],
        clock,
      })
      const meter = { request: () => undefined, received: () => undefined }
      const run = { signal: new AbortController().signal, caller: { id: 'local', roles: [], claims: {} }, meter }
      for await (const batch of source.scan(plan, run)) {
        const shape = plan.shape ?? { rowsPath: [], columns: [] }
        await engine.call('ingest', { queryId, catalog: 0, schema: 'main', name: 'scan', shape, ...batch })
      }
      const { tree } = await engine.call('parse', { sql })
      const answer = await engine.call('execute', { queryId, tree, maxRows: 100_000, maxChars: 50_000_000 })
      return answer.rows.map((row) => JSON.parse(row) as readonly unknown[])
    } finally {
      await engine.call('close', { queryId })
    }
  }
}
