import type { Column } from './column.js'

/** A table's full name. `schema` is absent where the source has one schema only, or the table is in its default one. */
export interface TableName {
  readonly source: string
  readonly schema?: string
  readonly table: string
}

/** What a catalog search needs; cheap to list. */
export interface TableSummary {
  readonly name: TableName
  readonly description?: string
  /** Known column names, for search; absent while the shape is unknown. */
  readonly columnNames?: readonly string[]
}

/** A described table. */
export interface Table extends TableSummary {
  /** Empty only where `unknownShape` says that a first request must learn the columns. */
  readonly columns: readonly Column[]
  /** Where rows come from: `inPlace` is read by DuckDB where it lies; `remote` is fetched by requests. */
  readonly access: 'inPlace' | 'remote'
  /** In place: what is read depends on the query's filters, or the source may refuse a query for them. */
  readonly dependsOnFilters?: boolean
  /** The request that would learn the columns, for people to read. */
  readonly unknownShape?: string
  /** Advice of the workspace's author to a model. */
  readonly wiki?: string
  readonly examples?: readonly string[]
  readonly primaryKey?: readonly string[]
  readonly relationships?: readonly Relationship[]
  /** What a scan costs, for people and models to read, such as `1 request per 100 rows`. */
  readonly cost?: string
  /** How fresh the rows are, such as `live` or `read in place`. */
  readonly freshness?: string
}

export interface Relationship {
  readonly columns: readonly string[]
  readonly target: TableName
  readonly targetColumns: readonly string[]
}
