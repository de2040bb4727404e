import { QuerentError } from '../../errors/querent-error.js'
import type { Table, TableName, TableSummary } from '../../model/table.js'
import { formatTableName } from '../../model/table-name.js'
import type { DescribeOptions, Source } from '../../sources/source.js'
import { nearest } from '../../util/nearest.js'
import { CatalogIndex, type SourceNotes, type UnavailableSource } from './catalog-index.js'
import { withColumnNames } from './column-names.js'

/** All tables of the workspace's sources, by name. Sources that cannot list theirs do not hide the others. */
export class Catalog {
  readonly #sources: ReadonlyMap<string, Source>
  readonly #notes: ReadonlyMap<string, SourceNotes>
  #index: Promise<CatalogIndex> | undefined
  #searchIndex: Promise<CatalogIndex> | undefined

  /**
   * @param sources by lower-case name.
   * @param notes what the workspace's author says of whole sources, by lower-case name.
   */
  constructor(sources: ReadonlyMap<string, Source>, notes: ReadonlyMap<string, SourceNotes> = new Map()) {
    this.#sources = sources
    this.#notes = notes
  }

  /** Forget the listing: a source's tables changed. */
  invalidate(): void {
    this.#index = undefined
    this.#searchIndex = undefined
  }

  /**
   * The listing for search: tables whose columns are only known once they are described, such as files, are described
   * first. No request is made for it, and what takes too long is found by its name alone.
   */
  searchIndex(signal: AbortSignal): Promise<CatalogIndex> {
    this.#searchIndex ??= this.index(signal)
      .then((index) => withColumnNames(index, this.#sources, signal))
      .catch((error: unknown) => {
        this.#searchIndex = undefined
        throw error
      })
    return this.#searchIndex
  }

  /** The listing, made at the first need. */
  index(signal: AbortSignal): Promise<CatalogIndex> {
    this.#index ??= this.#list(signal).catch((error: unknown) => {
      this.#index = undefined
      throw error
    })
    return this.#index
  }

  async #list(signal: AbortSignal): Promise<CatalogIndex> {
    const sources = [...this.#sources.values()]
    const listed = await Promise.allSettled(sources.map((source) => source.listTables(signal)))
    signal.throwIfAborted()
    const tables: TableSummary[] = []
    const unavailable: UnavailableSource[] = []
    for (const [index, outcome] of listed.entries()) {
      if (outcome.status === 'fulfilled') tables.push(...outcome.value)
      else unavailable.push({ source: sources[index]?.name ?? '', error: reasonOf(outcome.reason) })
    }
    const catalogIndex = new CatalogIndex(tables, unavailable, this.#notes)
    // What is down now may be up at the next call.
    if (unavailable.length > 0) {
      queueMicrotask(() => {
        this.invalidate()
      })
    }
    return catalogIndex
  }

  /**
   * The table that dotted parts mean: `source.table`, `source.schema.table`, or a bare name that one table has.
   * Rejects with `catalog.unknown_table` (near names in the hint) or `catalog.ambiguous_table`.
   */
  async resolve(parts: readonly string[], options: ResolveOptions): Promise<ResolvedTable> {
    const source = parts.length > 1 ? this.#sources.get((parts[0] ?? '').toLowerCase()) : undefined
    if (source === undefined) return this.#resolveBare(parts, options)
    const name: TableName =
      parts.length === 2
        ? { source: source.name, table: parts[1] ?? '' }
        : { source: source.name, schema: parts[1] ?? '', table: parts[2] ?? '' }
    if (parts.length > 3) throw await this.#unknown(parts, options)
    try {
      return await this.#describe(source, name, options)
    } catch (error) {
      if (error instanceof QuerentError && error.code === 'catalog.unknown_table') {
        throw await this.#unknown(parts, options)
      }
      throw error
    }
  }

  async #resolveBare(parts: readonly string[], options: ResolveOptions): Promise<ResolvedTable> {
    const [bare] = parts
    if (parts.length !== 1 || bare === undefined) throw await this.#unknown(parts, options)
    const index = await this.index(options.signal)
    let matches = index.withBareName(bare)
    if (matches.length === 0) {
      this.invalidate()
      matches = (await this.index(options.signal)).withBareName(bare)
    }
    const [match] = matches
    if (match === undefined) throw await this.#unknown(parts, options)
    if (matches.length > 1) {
      throw new QuerentError('catalog.ambiguous_table', {
        table: bare,
        choices: matches.map((name) => formatTableName(name)).join(', '),
      })
    }
    const source = this.#sources.get(match.source.toLowerCase())
    if (source === undefined) throw await this.#unknown(parts, options)
    return this.#describe(source, match, options)
  }

  async #describe(source: Source, name: TableName, options: ResolveOptions): Promise<ResolvedTable> {
    const describeOptions: DescribeOptions = {
      signal: options.signal,
      ...(options.learn === undefined ? {} : { learn: options.learn }),
    }
    const [table] = await source.describeTables([name], describeOptions)
    if (table === undefined) throw new QuerentError('catalog.unknown_table', { table: formatTableName(name) })
    const wiki = [this.#notes.get(name.source.toLowerCase())?.wiki, table.wiki].filter((text) => text !== undefined)
    return { source, table: wiki.length === 0 ? table : { ...table, wiki: wiki.join('\n') } }
  }

  async #unknown(parts: readonly string[], options: ResolveOptions): Promise<QuerentError> {
    const index = await this.index(options.signal)
    const written = parts.join('.')
    const near = nearest(written, index.names.values(), 3)
    const byTable = near.length > 0 ? near : index.nearBareName(parts.at(-1) ?? '')
    const down = index.unavailable.map((entry) => `${entry.source} (${entry.error.replace(/\.$/, '')})`).join(', ')
    // A bare name may be a table of a source that does not answer now.
    if (parts.length === 1 && down !== '') return new QuerentError('catalog.unavailable', { table: written, down })
    const known =
      byTable.length > 0
        ? `Did you mean ${byTable.join(', ')}?`
        : 'Call search_tables (or `querent tables`) to see the tables.'
    const hint = down === '' ? known : `${known} Not available now: ${down}.`
    return new QuerentError('catalog.unknown_table', { table: written, hint })
  }
}

export interface ResolveOptions {
  readonly signal: AbortSignal
  /** Values to learn an unknown shape with; absent: no request is made. */
  readonly learn?: Readonly<Record<string, string>>
}

export interface ResolvedTable {
  readonly source: Source
  readonly table: Table
}

function reasonOf(reason: unknown): string {
  return reason instanceof QuerentError ? reason.message : 'it failed unexpectedly'
}
