import { DuckDBInstance, type DuckDBConnection, type DuckDBValue } from '@duckdb/node-api'
import { quoteLiteral } from '../../util/sql-text.js'
import { readFailure } from './duckdb-error.js'
import { EngineFault } from './engine-fault.js'
import { clockStatements } from './clock-macros.js'
import { meaningSettings, startOptions, type WorkerSettings } from './instance-settings.js'

export interface Fence {
  /** Real paths of the only files that can be opened. */
  readonly files: readonly string[]
  /** The only folder that can be written. */
  readonly folder?: string
  /** Where large sorts and joins spill; absent: nowhere. */
  readonly tempFolder?: string
  readonly disabledOptimizers: readonly string[]
  /** Statements of the operator that run first. They cannot open the fence again: it is closed after them. */
  readonly initSql?: string
}

/** A DuckDB instance in memory whose fence SQL cannot undo. */
export class EngineInstance {
  private last: Promise<unknown> = Promise.resolve()

  private constructor(
    private readonly database: DuckDBInstance,
    private readonly ownConnection: DuckDBConnection,
  ) {}

  /** `database`: a fresh one, made with `startOptions`; the fence is put around it here. */
  static async open(
    fence: Fence,
    settings: WorkerSettings,
    database: Promise<DuckDBInstance> = createDatabase(settings),
  ): Promise<EngineInstance> {
    const opened = await database
    const connection = await opened.connect()
    try {
      const own = [...meaningSettings, ...clockStatements, ...fenceStatements(fence, settings)].join(';\n')
      if (fence.initSql === undefined) await connection.run(own)
      else await runInitSql(connection, fence.initSql, own)
      return new EngineInstance(opened, connection)
    } catch (error) {
      connection.closeSync()
      opened.closeSync()
      throw error
    }
  }

  connect(): Promise<DuckDBConnection> {
    return this.database.connect()
  }

  /** Rows of a statement on the instance's own connection, one at a time: ATTACH and DETACH for all queries (P37). */
  control(sql: string, values?: DuckDBValue[]): Promise<DuckDBValue[][]> {
    const run = this.last.then(async () => (await this.ownConnection.runAndReadAll(sql, values)).getRows())
    this.last = run.catch(() => undefined)
    return run
  }

  /** Nothing may run on it any more. */
  close(): void {
    this.ownConnection.closeSync()
    this.database.closeSync()
  }
}

/** What the operator's statements changed may keep Querent's own from running: then the instance does not open. */
async function runInitSql(connection: DuckDBConnection, sql: string, own: string): Promise<void> {
  try {
    await connection.run(sql)
    await connection.run(own)
  } catch (error) {
    throw new EngineFault('engine.init_sql', { reason: readFailure(error).message })
  }
}

export async function createDatabase(settings: WorkerSettings): Promise<DuckDBInstance> {
  try {
    return await DuckDBInstance.create(':memory:', startOptions(settings))
  } catch (error) {
    throw new EngineFault('engine.unavailable', { reason: readFailure(error).message })
  }
}

function fenceStatements(fence: Fence, settings: WorkerSettings): string[] {
  const temp = fence.tempFolder
  return [
    `SET disabled_optimizers = ${quoteLiteral(fence.disabledOptimizers.join(','))}`,
    `SET allowed_paths = ${listLiteral(fence.files)}`,
    `SET allowed_directories = ${listLiteral(fence.folder === undefined ? [] : [fence.folder])}`,
    `SET temp_directory = ${quoteLiteral(temp ?? '')}`,
    ...(temp === undefined ? [] : [`SET max_temp_directory_size = '${Math.floor(settings.maxTempBytes / 1024)}KiB'`]),
    'SET enable_external_access = false',
    'SET lock_configuration = true',
  ]
}

function listLiteral(items: readonly string[]): string {
  return `[${items.map(quoteLiteral).join(', ')}]`
}
