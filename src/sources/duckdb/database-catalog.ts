import path from 'node:path'
import { z } from 'zod'
import { QuerentError } from '../../errors/querent-error.js'
import { formatTableName } from '../../model/table-name.js'
import type { Table } from '../../model/table.js'
import { quoteIdentifier } from '../../util/sql-text.js'
import type { SourceContext } from '../source-context.js'
import type { AttachedDatabase } from '../source.js'
import { databaseErrorOf, firstLine, unknownDatabaseError } from './database-error.js'
import { findDatabase, type DatabaseFile } from './database-file.js'
import { defaultSchema, tableNameOf, tableOf, type NamedRelation } from './describe-relation.js'
import type { DuckdbConfig } from './duckdb-config.js'
import { catalogSql, relationsOf, type CatalogColumn, type CatalogRelation } from './read-catalog.js'

/** What one state of the file holds. */
export interface DatabaseState {
  readonly file: DatabaseFile
  /** By `relationKey`. */
  readonly relations: ReadonlyMap<string, NamedRelation>
  /** Tables that were described, by `relationKey`. */
  readonly described: Map<string, DescribedRelation>
}

export interface DescribedRelation {
  readonly named: NamedRelation
  readonly table: Table
  readonly path: string
  /** Why a view cannot be read. */
  readonly broken: string | undefined
}

const describedRow = z.tuple([z.string(), z.string()]).rest(z.unknown())

export function relationKey(schema: string | undefined, name: string): string {
  return JSON.stringify([(schema ?? defaultSchema).toLowerCase(), name.toLowerCase()])
}

/** The catalog of a database file, read again whenever the file changed. The file is attached only meanwhile. */
export class DatabaseCatalog {
  readonly #config: DuckdbConfig
  readonly #path: string
  readonly #context: SourceContext
  #state: DatabaseState | undefined
  #loading: { readonly version: string; readonly answer: Promise<DatabaseState> } | undefined

  constructor(config: DuckdbConfig, context: SourceContext) {
    this.#config = config
    this.#path = config.path ?? config.config?.path ?? ''
    this.#context = context
  }

  /** Where writing statements go. A file that does not exist is made by whoever attaches it. */
  async writeTarget(): Promise<AttachedDatabase> {
    const file = await findDatabase(this.#path, this.#context.baseDir)
    return this.attachment(file?.path ?? path.resolve(this.#context.baseDir, this.#path), false)
  }

  /** The name of the source is the name of the catalog: views that say `sales.main.orders` find it in `sales`. */
  attachment(file: string, readOnly: boolean): AttachedDatabase {
    return { alias: this.#config.name, path: file, readOnly }
  }

  /** Error where the file is missing, unless it is open for writing: then it is still to be made, and empty. */
  async load(signal: AbortSignal): Promise<DatabaseState> {
    signal.throwIfAborted()
    const file = await findDatabase(this.#path, this.#context.baseDir)
    if (file === undefined) return this.#missing()
    if (this.#state?.file.version === file.version && this.#state.file.path === file.path) return this.#state
    const before = this.#state
    const state = await this.#loadOnce(file, signal)
    if (before !== undefined && before !== state && namesOf(before) !== namesOf(state)) this.#context.onChanged()
    return state
  }

  /** The table as it was described last, for planning. */
  describedBefore(key: string): DescribedRelation | undefined {
    return this.#state?.described.get(key)
  }

  /** Binds a view, which is the only way to learn whether it still works. */
  async describe(state: DatabaseState, named: NamedRelation, signal: AbortSignal): Promise<Table> {
    const { schema, name } = named.relation
    const known = state.described.get(relationKey(schema, name))
    if (known !== undefined) return known.table
    const shape = named.relation.kind === 'table' ? named.relation : await this.#bindView(state, named.relation, signal)
    const broken = 'broken' in shape ? shape.broken : undefined
    const table = tableOf(named, shape.columns, broken)
    state.described.set(relationKey(schema, name), { named, table, path: state.file.path, broken })
    return table
  }

  #missing(): DatabaseState {
    if (!this.#context.readWrite) throw new QuerentError('file.not_found', { path: this.#path })
    const file = { path: path.resolve(this.#context.baseDir, this.#path), version: 'missing' }
    return { file, relations: new Map(), described: new Map() }
  }

  /** One that asks while another reads the same state waits with it, and reads itself where the other fails. */
  async #loadOnce(file: DatabaseFile, signal: AbortSignal): Promise<DatabaseState> {
    if (this.#loading?.version === file.version) {
      try {
        return await this.#loading.answer
      } catch {
        signal.throwIfAborted()
      }
    }
    const mine = { version: file.version, answer: this.#read(file, signal) }
    this.#loading = mine
    try {
      this.#state = await mine.answer
      return this.#state
    } finally {
      if (this.#loading === mine) this.#loading = undefined
    }
  }

  async #read(file: DatabaseFile, signal: AbortSignal): Promise<DatabaseState> {
    const found = relationsOf(await this.#ask(catalogSql(this.#config.name), file, signal))
    const relations = new Map<string, NamedRelation>()
    for (const relation of found) {
      const config = this.#configOf(relation)
      if (config === undefined && this.#config.tables !== undefined) continue
      const name = tableNameOf(this.#config.name, relation.schema, relation.name)
      relations.set(relationKey(relation.schema, relation.name), { name, relation, config })
    }
    return { file, relations, described: new Map() }
  }

  #configOf(relation: CatalogRelation): NonNullable<DuckdbConfig['tables']>[number] | undefined {
    const names = [`${relation.schema}.${relation.name}`, ...(relation.schema === defaultSchema ? [relation.name] : [])]
    const wanted = names.map((name) => name.toLowerCase())
    return this.#config.tables?.find((table) => wanted.includes(table.name.toLowerCase()))
  }

  async #bindView(
    state: DatabaseState,
    view: CatalogRelation,
    signal: AbortSignal,
  ): Promise<{ readonly columns: readonly CatalogColumn[]; readonly broken?: string }> {
    const path = [this.#config.name, view.schema, view.name].map(quoteIdentifier).join('.')
    const attach = [this.attachment(state.file.path, true)]
    try {
      const sql = `DESCRIBE SELECT * FROM ${path}`
      const rows = await this.#context.introspection.query({ sql, files: [], attach, signal })
      const columns = rows.map((row) => describedRow.parse(row))
      return { columns: columns.map(([name, type]) => ({ name, type, comment: undefined })) }
    } catch (error) {
      signal.throwIfAborted()
      const known = databaseErrorOf(messageOf(error), this.#path)
      if (known !== undefined) throw known
      return { columns: view.columns, broken: firstLine(messageOf(error)) }
    }
  }

  async #ask(sql: string, file: DatabaseFile, signal: AbortSignal): Promise<readonly (readonly unknown[])[]> {
    try {
      const attach = [this.attachment(file.path, true)]
      return await this.#context.introspection.query({ sql, files: [], attach, signal })
    } catch (error) {
      signal.throwIfAborted()
      const known = databaseErrorOf(messageOf(error), this.#path)
      if (known !== undefined) throw known
      if (error instanceof QuerentError) throw error
      throw unknownDatabaseError(messageOf(error), this.#path, error)
    }
  }
}

function namesOf(state: DatabaseState): string {
  const relations = [...state.relations.values()]
  return JSON.stringify(relations.map(({ name, relation }) => [formatTableName(name), relation.columns]))
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
