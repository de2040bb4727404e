import type { Filter } from '../../src/model/filter.js'
import type { Table } from '../../src/model/table.js'
import type { Introspection } from '../../src/sources/source-context.js'
import type { ScanPlan, Source } from '../../src/sources/source.js'

export interface InPlaceRequest {
  readonly source: Source
  readonly introspection: Introspection
  readonly table: string
  readonly schema?: string
  readonly filters?: readonly Filter[]
}

/** Describes a table and plans a scan of all its columns. */
export async function planOf(request: InPlaceRequest): Promise<{ readonly table: Table; readonly plan: ScanPlan }> {
  const name = {
    source: request.source.name,
    table: request.table,
    ...(request.schema === undefined ? {} : { schema: request.schema }),
  }
  const [table] = await request.source.describeTables([name], { signal: new AbortController().signal })
  if (table === undefined) throw new Error('describeTables answered nothing')
  const columns = table.columns.map((column) => column.name)
  const plan = request.source.planScan({ table, columns, filters: request.filters ?? [], otherConditions: [] })
  return { table, plan }
}

/** The rows that DuckDB reads for the plan. `sql` wraps the scan, which it calls `scan`. */
export async function rowsInPlace(
  request: InPlaceRequest,
  sql = 'SELECT * FROM scan',
): Promise<readonly (readonly unknown[])[]> {
  const { plan } = await planOf(request)
  const { inPlace } = plan
  if (inPlace === undefined) throw new Error('the table is not read in place')
  return request.introspection.query({
    sql: `WITH scan AS (${inPlace.sql}) ${sql}`,
    files: inPlace.files,
    ...(inPlace.attach === undefined ? {} : { attach: inPlace.attach }),
  })
}
