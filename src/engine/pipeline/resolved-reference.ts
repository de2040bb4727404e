import type { Table } from '../../model/table.js'
import type { InPlace, Source } from '../../sources/source.js'
import type { Relation } from '../worker/protocol.js'

/** Where a table's rows come from: its source, or files and databases that are known before the statement is planned. */
export type TableRows =
  { readonly kind: 'source'; readonly source: Source } | { readonly kind: 'fixed'; readonly inPlace: InPlace }

/** What a reference means. */
export interface FoundTable {
  readonly table: Table
  readonly rows: TableRows
}

/** A reference of the statement to a table, and the relation that stands for it. */
export interface ResolvedReference extends FoundTable {
  readonly relation: Relation
  /** Full name of the relation's catalog. */
  readonly catalog: string
  /** Parameter values that the statement asks for by a parameter's `any` value. */
  readonly forced: Readonly<Record<string, string>>
}
