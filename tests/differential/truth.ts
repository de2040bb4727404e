import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api'
import { createRowEncoder } from '../../src/engine/encode/row-encoder.js'
import type { Random } from '../planner/random.js'
import { columnsOf, createTables, randomRows, tableNames } from '../planner/tables.js'

/** One row of a table: column name to DuckDB's text of the value, null for NULL. */
export type TextRow = Readonly<Record<string, string | null>>

/** A bare DuckDB that holds every row of every table. */
export class Truth {
  readonly #instance: DuckDBInstance
  readonly connection: DuckDBConnection

  private constructor(instance: DuckDBInstance, connection: DuckDBConnection) {
    this.#instance = instance
    this.connection = connection
  }

  static async open(): Promise<Truth> {
    const instance = await DuckDBInstance.create(':memory:', { threads: '1' })
    const connection = await instance.connect()
    // P20: DuckDB's own wrong result.
    await connection.run("SET TimeZone = 'UTC'; SET disabled_optimizers = 'join_filter_pushdown'")
    await connection.run(createTables(''))
    return new Truth(instance, connection)
  }

  /** New rows in every table. @param keys columns of which rows with NULL are left out, as `table.column` */
  async fill(random: Random, keys: readonly string[]): Promise<void> {
    const statements = [...randomRows(random)].flatMap(([table, rows]) => [
      `DELETE FROM ${table}`,
      ...(rows.length === 0 ? [] : [`INSERT INTO ${table} VALUES ${rows.join(', ')}`]),
    ])
    for (const key of keys) {
      const [table = '', column = ''] = key.split('.')
      statements.push(`DELETE FROM ${table} WHERE ${column} IS NULL`)
    }
    await this.connection.run(statements.join('; '))
  }

  async textRows(table: string): Promise<readonly TextRow[]> {
    const columns = columnsOf(table).map(({ name }) => name)
    const items = columns.map((name) => `CAST(${name} AS VARCHAR)`)
    const reader = await this.connection.runAndReadAll(`SELECT ${items.join(', ')} FROM ${table} ORDER BY rowid`)
    return reader
      .getRows()
      .map((row) => Object.fromEntries(columns.map((name, index) => [name, row[index] as string | null])))
  }

  /** Rows as the JSON of an answer; undefined where DuckDB refuses the statement. */
  async rows(sql: string): Promise<readonly string[] | undefined> {
    try {
      return await this.#read(sql)
    } catch (error) {
      if (!String(error).includes('INTERNAL')) return undefined
    }
    // P21: an internal error of the optimizer's making.
    await this.connection.run('PRAGMA disable_optimizer')
    try {
      return await this.#read(sql).catch(() => undefined)
    } finally {
      await this.connection.run('PRAGMA enable_optimizer')
    }
  }

  async #read(sql: string): Promise<readonly string[]> {
    const result = await this.connection.run(sql)
    const encoder = createRowEncoder(result.columnTypes(), { maxCellChars: 1_000_000 })
    const chunks = await result.fetchAllChunks()
    return chunks.flatMap((chunk) => encoder.encodeChunk(chunk))
  }

  close(): void {
    this.connection.closeSync()
    this.#instance.closeSync()
  }
}

export { tableNames }
