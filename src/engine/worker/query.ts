import type { DuckDBConnection } from '@duckdb/node-api'
import { quoteIdentifier } from '../../util/sql-text.js'
import { databaseFiles } from './attachments.js'
import {
  attachStatements,
  catalogNames,
  relationName,
  schemaStatements,
  searchPath,
  sessionStatements,
  tableStatement,
  viewStatement,
} from './catalog-statements.js'
import { toFault, type Hidden } from './duckdb-error.js'
import type { ExecutingInstances, SharedInstance } from './executing-instances.js'
import type { OpenRequest } from './protocol.js'
import type { Task } from './tasks.js'

/** One query's place in an executing instance: a connection, catalogs, attached databases. */
export class OpenQuery {
  /** Told to stop: nothing more runs for it. */
  interrupted = false
  private readonly releases: (() => Promise<void>)[] = []

  private constructor(
    readonly request: OpenRequest,
    readonly shared: SharedInstance,
    readonly connection: DuckDBConnection,
  ) {}

  static async open(instances: ExecutingInstances, request: OpenRequest, task: Task): Promise<OpenQuery> {
    const files = [...request.files, ...request.attach.flatMap((database) => databaseFiles(database.path))]
    const needs = { callerKey: request.callerKey, folder: request.callerDir, files }
    const shared = await instances.acquire(needs)
    try {
      const query = new OpenQuery(request, shared, await shared.instance.connect())
      try {
        await task.on(query.connection, () => query.fill(task))
        return query
      } catch (error) {
        await query.close(false)
        throw error
      }
    } catch (error) {
      shared.release()
      throw error
    }
  }

  /** What messages of this query must not show. */
  get hidden(): Hidden {
    return { catalogs: catalogNames(this.request.queryId, this.request.relations), folders: [this.request.callerDir] }
  }

  /** Where names are looked up: for a writing statement its database first. */
  async setSearchPath(database?: string): Promise<void> {
    const { queryId, relations, clock } = this.request
    const path = searchPath(queryId, relations, database)
    try {
      await this.connection.run(sessionStatements(path, clock).join(';\n'))
    } catch (error) {
      // The clock's catalog is missing: no other query may come to this instance.
      this.shared.retire()
      throw error
    }
  }

  /** Attaches one more database until the query closes, or until the answered function runs. */
  async attach(path: string, alias: string, task: Task, options = ''): Promise<() => Promise<void>> {
    const release = await this.shared.attachments.attach({ path, alias, readOnly: false }, task, options)
    this.releases.push(release)
    return async () => {
      this.releases.splice(this.releases.indexOf(release), 1)
      await release()
    }
  }

  /** Never fails. P37: the catalogs are detached from another connection, in use or not. */
  async close(releaseInstance = true): Promise<void> {
    this.interrupted = true
    await this.connection.run('ROLLBACK').catch(() => undefined)
    this.connection.closeSync()
    for (const name of catalogNames(this.request.queryId, this.request.relations)) {
      await this.shared.instance.control(`DETACH DATABASE IF EXISTS ${quoteIdentifier(name)}`).catch(() => undefined)
    }
    for (const release of this.releases.splice(0)) await release()
    if (releaseInstance) this.shared.release()
  }

  private async fill(task: Task): Promise<void> {
    const { queryId, relations, attach } = this.request
    // In one order for all queries, so that two of them never wait for each other.
    for (const database of [...attach].sort((a, b) => (a.path < b.path ? -1 : 1))) {
      this.releases.push(await this.shared.attachments.attach(database, task))
    }
    const tables = relations.filter((relation) => relation.view === undefined)
    await this.run([
      ...attachStatements(queryId, relations),
      ...schemaStatements(queryId, relations),
      ...tables.map((relation) => tableStatement(relationName(queryId, relation), relation.columns)),
    ])
    await this.setSearchPath()
    for (const relation of relations) {
      task.check()
      if (relation.view === undefined) continue
      await this.run([viewStatement(relationName(queryId, relation), relation.view)])
    }
  }

  private async run(statements: readonly string[]): Promise<void> {
    try {
      await this.connection.run(statements.join(';\n'))
    } catch (error) {
      throw toFault(error, this.hidden)
    }
  }
}
