import { access, constants } from 'node:fs/promises'
import path from 'node:path'
import { QuerentError } from '../../errors/querent-error.js'
import type { Batch } from '../../model/batch.js'
import { formatTableName } from '../../model/table-name.js'
import type { Table, TableName, TableSummary } from '../../model/table.js'
import { nearest } from '../../util/nearest.js'
import { quoteIdentifier } from '../../util/sql-text.js'
import type { SourceContext } from '../source-context.js'
import type { AttachedDatabase, DescribeOptions, ScanPlan, ScanRequest, Source } from '../source.js'
import { DatabaseCatalog, relationKey, type DatabaseState } from './database-catalog.js'
import { summaryOf, type NamedRelation } from './describe-relation.js'
import type { DuckdbConfig } from './duckdb-config.js'

/** The tables and views of a DuckDB database file, read in place. */
export class DuckdbSource implements Source {
  readonly name: string
  readonly #config: DuckdbConfig
  readonly #context: SourceContext
  readonly #catalog: DatabaseCatalog

  constructor(config: DuckdbConfig, context: SourceContext) {
    this.name = config.name
    this.#config = config
    this.#context = context
    this.#catalog = new DatabaseCatalog(config, context)
  }

  /** Where writing statements go; undefined where the source is read-only. Rejects as `check` does for such a path. */
  async writeTarget(): Promise<AttachedDatabase | undefined> {
    return this.#context.readWrite ? this.#catalog.writeTarget() : undefined
  }

  async listTables(signal: AbortSignal): Promise<readonly TableSummary[]> {
    const state = await this.#catalog.load(signal)
    return [...state.relations.values()].map(summaryOf)
  }

  async describeTables(names: readonly TableName[], options: DescribeOptions): Promise<readonly Table[]> {
    const state = await this.#catalog.load(options.signal)
    const relations = names.map((name) => this.#find(state, name))
    const tables: Table[] = []
    // One after another: each view that is bound attaches the file.
    for (const relation of relations) tables.push(await this.#catalog.describe(state, relation, options.signal))
    return tables
  }

  planScan(request: ScanRequest): ScanPlan {
    const { name } = request.table
    const described = this.#catalog.describedBefore(relationKey(name.schema, name.table))
    const shown = formatTableName(name)
    if (described === undefined) {
      throw new QuerentError('internal.unexpected', { message: `${shown} was planned before it was described` })
    }
    if (described.broken !== undefined) {
      throw new QuerentError('catalog.broken_view', { table: shown, reason: described.broken })
    }
    const { schema, name: relation } = described.named.relation
    const attached = this.#catalog.attachment(described.path, !this.#context.readWrite)
    const from = [attached.alias, schema, relation].map(quoteIdentifier).join('.')
    const columns = described.table.columns.map((column) => quoteIdentifier(column.name)).join(', ')
    return {
      table: name,
      residual: request.filters,
      requests: { estimate: 0, max: 0 },
      preview: [`read ${schema}.${relation} of ${path.basename(described.path)}`],
      inPlace: { sql: `SELECT ${columns} FROM ${from}`, files: [], attach: [attached] },
    }
  }

  // eslint-disable-next-line require-yield -- tables in place have no batches; a generator so that it rejects when read
  async *scan(plan: ScanPlan): AsyncGenerator<Batch> {
    await Promise.resolve()
    throw new QuerentError('internal.unexpected', { message: `${formatTableName(plan.table)} is read in place` })
  }

  /** Reads the catalog; tables that the workspace file lists must be there. */
  async check(signal: AbortSignal): Promise<void> {
    const state = await this.#catalog.load(signal)
    for (const table of this.#config.tables ?? []) {
      const parts = table.name.split('.')
      const known = [...state.relations.values()].some(({ config }) => config === table)
      if (!known) throw this.#unknown(state, { source: this.name, table: parts.join('.') })
    }
    if (state.file.version === 'missing') await this.#assertCanCreate(state.file.path)
  }

  close(): Promise<void> {
    return Promise.resolve()
  }

  async #assertCanCreate(file: string): Promise<void> {
    try {
      await access(path.dirname(file), constants.W_OK)
    } catch (cause) {
      const hint = 'Make its folder, with the right to write in it.'
      const params = { path: path.basename(file), reason: 'it does not exist and cannot be made there', hint }
      throw new QuerentError('file.unreadable', params, { cause })
    }
  }

  #find(state: DatabaseState, name: TableName): NamedRelation {
    const relation = name.source === this.name ? state.relations.get(relationKey(name.schema, name.table)) : undefined
    if (relation === undefined) throw this.#unknown(state, name)
    return relation
  }

  #unknown(state: DatabaseState, name: TableName): QuerentError {
    const shown = [...state.relations.values()].map((relation) => formatTableName(relation.name))
    const near = nearest(formatTableName(name), shown)
    const listed = (near.length > 0 ? near : shown.slice(0, 10)).join(', ')
    const hint = listed === '' ? `${this.name} has no tables.` : `Did you mean ${listed}?`
    return new QuerentError('catalog.unknown_table', { table: formatTableName(name), hint })
  }
}
