import { QuerentError } from '../../errors/querent-error.js'
import type { JsonShape } from '../../model/batch.js'
import type { Caller } from '../../model/caller.js'
import type { Column } from '../../model/column.js'
import type { Table, TableName, TableSummary } from '../../model/table.js'
import { formatTableName } from '../../model/table-name.js'
import type { ScanPlan, ScanRequest, ScanRun, Source } from '../../sources/source.js'

/** A table of Querent's own facts, such as `system.audit`. */
export interface MemoryTable {
  readonly name: string
  readonly description: string
  /** Column names to DuckDB types, in order. */
  readonly columns: Readonly<Record<string, string>>
  /** Rows as objects by column name; JSON values only. Called once per scan, for this caller. */
  rows(caller: Caller, signal: AbortSignal): AsyncIterable<Readonly<Record<string, unknown>>>
}

const rowsPerText = 5_000

/** A source over tables that Querent answers itself: no requests, no files. */
export class MemorySource implements Source {
  readonly name: string
  readonly #tables: ReadonlyMap<string, MemoryTable>
  readonly #listed: boolean

  /** @param options `listed: false` keeps the tables out of listings and searches. */
  constructor(name: string, tables: readonly MemoryTable[], options: { readonly listed: boolean }) {
    this.name = name
    this.#tables = new Map(tables.map((table) => [table.name, table]))
    this.#listed = options.listed
  }

  listTables(): Promise<readonly TableSummary[]> {
    const tables = this.#listed ? [...this.#tables.values()] : []
    return Promise.resolve(tables.map((table) => this.#describe(table)))
  }

  describeTables(names: readonly TableName[]): Promise<readonly Table[]> {
    return Promise.resolve().then(() => names.map((name) => this.#describe(this.#find(name))))
  }

  planScan(request: ScanRequest): ScanPlan {
    const { columns } = this.#find(request.table.name)
    const shape: JsonShape = {
      rowsPath: [],
      columns: Object.entries(columns).map(([name, type]) => ({ name, type, path: [name] })),
    }
    return {
      table: request.table.name,
      residual: request.filters,
      requests: { estimate: 0, max: 0 },
      preview: [],
      shape,
    }
  }

  async *scan(plan: ScanPlan, run: ScanRun): ReturnType<Source['scan']> {
    let texts: string[] = []
    for await (const row of this.#find(plan.table).rows(run.caller, run.signal)) {
      texts.push(JSON.stringify(row))
      if (texts.length < rowsPerText) continue
      yield { kind: 'json', texts: [`[${texts.join(',')}]`] }
      texts = []
    }
    if (texts.length > 0) yield { kind: 'json', texts: [`[${texts.join(',')}]`] }
  }

  check(): Promise<void> {
    return Promise.resolve()
  }

  close(): Promise<void> {
    return Promise.resolve()
  }

  #find(name: TableName): MemoryTable {
    const table = name.schema === undefined ? this.#tables.get(name.table.toLowerCase()) : undefined
    if (table === undefined) throw new QuerentError('catalog.unknown_table', { table: formatTableName(name) })
    return table
  }

  #describe(table: MemoryTable): Table {
    const columns = Object.entries(table.columns).map(([name, type]): Column => ({
      name,
      type,
      filtering: { kind: 'local' },
    }))
    return {
      name: { source: this.name, table: table.name },
      description: table.description,
      columnNames: columns.map((column) => column.name),
      columns,
      access: 'remote',
      cost: 'no request',
      freshness: 'live',
    }
  }
}
