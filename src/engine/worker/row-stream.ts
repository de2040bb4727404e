import type { DuckDBConnection, DuckDBDataChunk, DuckDBResult, DuckDBType } from '@duckdb/node-api'
import { typeName } from '../encode/type-name.js'
import type { Task } from './tasks.js'

/** A stream that ended in the middle. DuckDB does not say why (P36a). */
export class BrokenStream extends Error {
  override readonly name = 'BrokenStream'
}

/**
 * Rows of one statement, inside a transaction that the caller has begun. No other statement may run on the connection
 * while it is read: that would end it silently (P36).
 */
export class RowStream {
  private ended = false

  private constructor(
    private readonly connection: DuckDBConnection,
    private readonly result: DuckDBResult,
    private readonly task: Task,
  ) {}

  static async open(connection: DuckDBConnection, sql: string, task: Task): Promise<RowStream> {
    return new RowStream(connection, await task.on(connection, () => connection.stream(sql)), task)
  }

  get names(): string[] {
    return this.result.columnNames()
  }

  get types(): DuckDBType[] {
    return this.result.columnTypes()
  }

  get typeNames(): string[] {
    return this.types.map(typeName)
  }

  /** The next rows; undefined after the last one, once it is sure that it was the last. Throws BrokenStream. */
  async next(): Promise<DuckDBDataChunk | undefined> {
    if (this.ended) return undefined
    const chunk = await this.task.on(this.connection, () => this.result.fetchChunk())
    this.task.check()
    if (chunk !== null && chunk.rowCount > 0) return chunk
    this.ended = true
    await this.checkWhole()
    return undefined
  }

  /** P36a: a broken stream ends like a whole one, but leaves its transaction aborted. */
  private async checkWhole(): Promise<void> {
    try {
      await this.task.on(this.connection, () => this.connection.run('SELECT 1'))
    } catch (error) {
      this.task.check()
      throw new BrokenStream('the stream broke', { cause: error })
    }
  }
}
