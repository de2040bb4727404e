import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api'
import { z } from 'zod'
import type { Introspection, IntrospectionQuery } from '../../src/sources/source-context.js'

/**
 * DuckDB asked directly, on an instance of its own for each question that can open nothing but the files it names.
 * `statements` counts what was asked.
 */
export class DirectIntrospection implements Introspection {
  readonly statements: string[] = []

  async query(options: IntrospectionQuery): Promise<readonly (readonly unknown[])[]> {
    options.signal?.throwIfAborted()
    this.statements.push(options.sql)
    const instance = await DuckDBInstance.create(':memory:')
    const connection = await instance.connect()
    const stop = (): void => {
      connection.interrupt()
    }
    options.signal?.addEventListener('abort', stop)
    try {
      await harden(connection, options)
      return await rowsOf(connection, options.sql)
    } finally {
      options.signal?.removeEventListener('abort', stop)
      connection.closeSync()
      instance.closeSync()
    }
  }
}

async function harden(connection: DuckDBConnection, options: IntrospectionQuery): Promise<void> {
  const databases = (options.attach ?? []).flatMap(({ path }) => [path, `${path}.wal`])
  const allowed = [...options.files, ...databases].map((path) => `'${path.replaceAll("'", "''")}'`)
  await connection.run(`SET allowed_paths = [${allowed.join(', ')}]`)
  await connection.run('SET enable_external_access = false')
  for (const { alias, path, readOnly } of options.attach ?? []) {
    const mode = readOnly ? ' (READ_ONLY)' : ''
    await connection.run(`ATTACH '${path.replaceAll("'", "''")}' AS "${alias.replaceAll('"', '""')}"${mode}`)
  }
  await connection.run('SET lock_configuration = true')
}

const encodedRows = z.array(z.record(z.string(), z.unknown()))

/** Rows as JSON values: integers as numbers, lists as arrays, structs as objects. */
async function rowsOf(connection: DuckDBConnection, sql: string): Promise<readonly (readonly unknown[])[]> {
  const reader = await connection.runAndReadAll(sql)
  const names = reader.deduplicatedColumnNames()
  const types = reader.columnTypes().map(String)
  const rows = encodedRows.parse(reader.getRowObjectsJson())
  return rows.map((row) =>
    names.map((name, index) => {
      const value = row[name]
      return /^U?(?:BIG|HUGE)INT$/.test(types[index] ?? '') && typeof value === 'string' ? Number(value) : value
    }),
  )
}
