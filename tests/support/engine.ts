import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { createEngine, type Engine } from '../../src/engine/client/engine.js'
import type { EngineOptions } from '../../src/engine/client/engine-options.js'
import type { CallRequest, ExecuteAnswer, ExecuteRequest, OpenRequest } from '../../src/engine/worker/protocol.js'

export const clock = '2026-01-31 12:00:00.000000+00'

/** An engine with a worker of its own over a folder of its own. */
export interface TestEngine {
  readonly engine: Engine
  readonly folder: string
  readonly log: string[]
  /** A query from its text to its rows, through all calls of the worker. */
  query(sql: string, options?: QueryOptions): Promise<ExecuteAnswer>
  /** A writing statement on the database of `attach`. */
  write(sql: string, options: QueryOptions & { readonly database: string }): Promise<ExecuteAnswer>
  close(): Promise<void>
}

export interface QueryOptions extends Partial<Omit<OpenRequest, 'clock'>> {
  readonly ingest?: readonly Omit<CallRequest<'ingest'>, 'queryId'>[]
  readonly execute?: Partial<ExecuteRequest>
  readonly signal?: AbortSignal
}

let queries = 0

export function startTestEngine(options: Partial<EngineOptions> = {}): TestEngine {
  const folder = mkdtempSync(join(tmpdir(), 'querent-engine-'))
  const log: string[] = []
  const engine = createEngine({
    threads: 2,
    memoryLimitBytes: 256 * 1024 ** 2,
    maxConcurrentQueries: 16,
    stateDir: folder,
    onLog: (line) => log.push(line),
    ...options,
  })
  const run = async (
    execute: Partial<ExecuteRequest>,
    { ingest = [], signal, ...open }: QueryOptions,
  ): Promise<ExecuteAnswer> => {
    const queryId = open.queryId ?? `t${++queries}`
    const callerKey = open.callerKey ?? 'local'
    const callerDir = join(folder, callerKey)
    await engine.call('open', { callerDir, files: [], attach: [], relations: [], ...open, queryId, callerKey, clock })
    try {
      for (const part of ingest) await engine.call('ingest', { ...part, queryId })
      const request = { maxRows: 1024, maxChars: 50_000, ...open.execute, ...execute, queryId }
      return await engine.call('execute', request, signal === undefined ? {} : { signal })
    } finally {
      await engine.call('close', { queryId })
    }
  }
  return {
    engine,
    folder,
    log,
    async query(sql, query = {}) {
      const { tree } = await engine.call('parse', { sql })
      return run({ tree, sql }, query)
    },
    write: (sql, { database, ...query }) => run({ statement: { sql, database } }, query),
    async close() {
      await engine.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The code of the error that the promise rejects with. */
export async function codeOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise
    return 'no error'
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error)
  }
}

/** A DuckDB file made by these statements. */
export async function makeDatabase(path: string, sql: string): Promise<void> {
  const instance = await DuckDBInstance.create(path)
  const connection = await instance.connect()
  await connection.run(sql)
  connection.closeSync()
  instance.closeSync()
}
