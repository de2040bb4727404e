import { z } from 'zod'
import { quoteLiteral } from '../../util/sql-text.js'

const key = { schema: z.string(), name: z.string() }
const listOf = <Item extends z.ZodType>(item: Item) => z.preprocess((value) => value ?? [], z.array(item))

const relationRow = z.object({ ...key, comment: z.string().nullable(), rows: z.coerce.number().nullable() })
const columnRow = z.object({ ...key, column: z.string(), type: z.string(), comment: z.string().nullable() })
const constraintRow = z.object({
  ...key,
  kind: z.string(),
  columns: z.array(z.string()),
  target: z.string().nullable(),
  target_columns: z.array(z.string()).nullable(),
})
const catalogRow = z.tuple([listOf(relationRow), listOf(relationRow), listOf(columnRow), listOf(constraintRow)])

export interface CatalogColumn {
  readonly name: string
  readonly type: string
  readonly comment: string | undefined
}

/** A table or view of a database, as its catalog describes it. */
export interface CatalogRelation {
  readonly kind: 'table' | 'view'
  readonly schema: string
  readonly name: string
  readonly comment: string | undefined
  /** Estimated; undefined for views. */
  readonly rows: number | undefined
  readonly columns: readonly CatalogColumn[]
  readonly primaryKey: readonly string[] | undefined
  readonly foreignKeys: readonly ForeignKey[]
}

/** Columns that refer to a table of the same schema: DuckDB knows no others. */
export interface ForeignKey {
  readonly columns: readonly string[]
  readonly target: string
  readonly targetColumns: readonly string[]
}

/** One statement that reads the whole catalog of an attached database, so that it is attached once. */
export function catalogSql(alias: string): string {
  const where = `database_name = ${quoteLiteral(alias)} AND NOT internal`
  return `SELECT
    (SELECT list({schema: schema_name, name: table_name, comment: comment, rows: estimated_size}
      ORDER BY schema_name, table_name) FROM duckdb_tables() WHERE ${where} AND NOT temporary),
    (SELECT list({schema: schema_name, name: view_name, comment: comment, rows: NULL::BIGINT}
      ORDER BY schema_name, view_name) FROM duckdb_views() WHERE ${where} AND NOT temporary),
    (SELECT list({schema: schema_name, name: table_name, "column": column_name, type: data_type, comment: comment}
      ORDER BY schema_name, table_name, column_index) FROM duckdb_columns() WHERE ${where}),
    (SELECT list({schema: schema_name, name: table_name, kind: constraint_type, columns: constraint_column_names,
      target: referenced_table, target_columns: referenced_column_names} ORDER BY constraint_index)
      FROM duckdb_constraints() WHERE database_name = ${quoteLiteral(alias)}
      AND constraint_type IN ('PRIMARY KEY', 'FOREIGN KEY'))`
}

/** The relations of the answer to `catalogSql`. */
export function relationsOf(rows: readonly (readonly unknown[])[]): readonly CatalogRelation[] {
  const [tables, views, columns, constraints] = catalogRow.parse(rows[0])
  const columnsOf = groupedBy(columns)
  const constraintsOf = groupedBy(constraints)
  const relation = (kind: 'table' | 'view', row: z.output<typeof relationRow>): CatalogRelation => {
    const own = constraintsOf.get(keyOf(row)) ?? []
    return {
      ...{ kind, schema: row.schema, name: row.name, comment: row.comment ?? undefined },
      rows: kind === 'table' ? (row.rows ?? undefined) : undefined,
      columns: (columnsOf.get(keyOf(row)) ?? []).map((each) => ({
        ...{ name: each.column, type: each.type, comment: each.comment ?? undefined },
      })),
      primaryKey: own.find((each) => each.kind === 'PRIMARY KEY')?.columns,
      foreignKeys: own
        .filter((each) => each.kind === 'FOREIGN KEY')
        .map((each) => ({
          columns: each.columns,
          target: each.target ?? '',
          targetColumns: each.target_columns ?? [],
        })),
    }
  }
  return [...tables.map((row) => relation('table', row)), ...views.map((row) => relation('view', row))]
}

function groupedBy<Row extends { readonly schema: string; readonly name: string }>(
  rows: readonly Row[],
): ReadonlyMap<string, readonly Row[]> {
  const groups = new Map<string, Row[]>()
  for (const row of rows) {
    const group = groups.get(keyOf(row))
    if (group === undefined) groups.set(keyOf(row), [row])
    else group.push(row)
  }
  return groups
}

function keyOf(row: { readonly schema: string; readonly name: string }): string {
  return JSON.stringify([row.schema, row.name])
}
