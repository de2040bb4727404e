import type MiniSearch from 'minisearch'
import type { TableName, TableSummary } from '../../model/table.js'
import { formatTableName } from '../../model/table-name.js'
import { nearest } from '../../util/nearest.js'

export interface UnavailableSource {
  readonly source: string
  readonly error: string
}

/** What the workspace's author says of a whole source. */
export interface SourceNotes {
  readonly description?: string | undefined
  /** Advice to a model about all tables of the source. */
  readonly wiki?: string | undefined
  /** Statements that must run. */
  readonly examples?: readonly string[] | undefined
}

/** One listing of all tables: by bare name for the resolver, by words for search. */
export class CatalogIndex {
  readonly tables: readonly TableSummary[]
  readonly unavailable: readonly UnavailableSource[]
  /** Full names as SQL writes them, in listing order. */
  readonly names: ReadonlyMap<TableSummary, string>
  readonly #byBareName = new Map<string, TableName[]>()
  #search: Promise<MiniSearch<SearchDocument>> | undefined

  constructor(
    tables: readonly TableSummary[],
    unavailable: readonly UnavailableSource[],
    readonly notes: ReadonlyMap<string, SourceNotes>,
  ) {
    this.tables = [...tables].sort((a, b) => formatTableName(a.name).localeCompare(formatTableName(b.name)))
    this.unavailable = unavailable
    this.names = new Map(this.tables.map((table) => [table, formatTableName(table.name)]))
    for (const { name } of this.tables) {
      const key = name.table.toLowerCase()
      const same = this.#byBareName.get(key)
      if (same === undefined) this.#byBareName.set(key, [name])
      else same.push(name)
    }
  }

  withBareName(table: string): readonly TableName[] {
    return this.#byBareName.get(table.toLowerCase()) ?? []
  }

  /** Full names of tables whose bare name is close to the word. */
  nearBareName(word: string): readonly string[] {
    return nearest(word, this.#byBareName.keys(), 3)
      .flatMap((key) => this.withBareName(key).map((name) => formatTableName(name)))
      .slice(0, 5)
  }

  /** Tables that match the words, best first; without words all, by name. */
  async find(words: string | undefined, source: string | undefined): Promise<readonly TableSummary[]> {
    const inSource = (table: TableSummary): boolean =>
      source === undefined || table.name.source.toLowerCase() === source.toLowerCase()
    if (words === undefined || words.trim() === '') return this.tables.filter(inSource)
    this.#search ??= this.#searcher()
    return (await this.#search)
      .search(words.slice(0, maxSearchChars))
      .flatMap((hit) => this.tables[Number(hit.id)] ?? [])
      .filter(inSource)
  }

  async #searcher(): Promise<MiniSearch<SearchDocument>> {
    const { default: Search } = await import('minisearch')
    const search = new Search<SearchDocument>({
      fields: ['name', 'columns', 'description', 'source'],
      tokenize: (text) => text.split(/[^\p{L}\p{N}]+|(?<=\p{Ll})(?=\p{Lu})/u).filter((word) => word !== ''),
      searchOptions: { boost: { name: 3, columns: 1.5, source: 0.3 }, prefix: true, fuzzy: 0.2 },
    })
    search.addAll(
      this.tables.map((table, id) => ({
        id,
        name: this.names.get(table) ?? '',
        columns: (table.columnNames ?? []).join(' '),
        description: table.description ?? '',
        source: this.notes.get(table.name.source.toLowerCase())?.description ?? '',
      })),
    )
    return search
  }
}

/** Of a longer search only the beginning counts: each word costs time, and a table is found by few. */
const maxSearchChars = 300

interface SearchDocument {
  readonly id: number
  readonly name: string
  readonly columns: string
  readonly description: string
  /** Of the source. */
  readonly source: string
}
