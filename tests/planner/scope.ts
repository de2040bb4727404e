import type { ColumnType, TableColumn } from './tables.js'
import type { Random } from './random.js'

/** A source in FROM, with the columns that expressions may name. */
export interface ScopeSource {
  readonly alias: string
  readonly columns: readonly TableColumn[]
}

export type Scope = readonly ScopeSource[]

/** A typed expression; columns are expressions too. */
export interface TypedSql {
  readonly sql: string
  readonly type: ColumnType
}

export interface GeneratedQuery {
  readonly sql: string
  readonly columns: readonly TableColumn[]
}

export interface NamedQuery {
  readonly name: string
  readonly columns: readonly TableColumn[]
}

/** What all parts of one query's generation share. */
export interface GeneratorState {
  readonly random: Random
  /** Subqueries around the place that is being written. */
  depth: number
  names: number
  ctes: NamedQuery[]
}

export const maxDepth = 3

export function newName(state: GeneratorState, prefix: string): string {
  return `${prefix}${state.names++}`
}

export function columnRefs(scope: Scope, type?: ColumnType): readonly TypedSql[] {
  return scope.flatMap(({ alias, columns }) =>
    columns
      .filter((column) => type === undefined || column.type === type)
      .map((column) => ({ sql: `${alias}.${column.name}`, type: column.type })),
  )
}

/** Types that may be compared with plain literals. */
export const scalarTypes: readonly ColumnType[] = [
  'INTEGER',
  'BIGINT',
  'VARCHAR',
  'DOUBLE',
  'DATE',
  'BOOLEAN',
  'DECIMAL(6,2)',
  'TIMESTAMP',
]

export function isScalar(type: ColumnType): boolean {
  return scalarTypes.includes(type)
}

export function scopeTypes(scope: Scope): readonly ColumnType[] {
  return [...new Set(columnRefs(scope).map((column) => column.type))].filter(isScalar)
}
