import { QuerentError } from '../../errors/querent-error.js'
import type { Batch } from '../../model/batch.js'
import type { Table, TableName, TableSummary } from '../../model/table.js'
import { nearest } from '../../util/nearest.js'
import type { SourceContext } from '../source-context.js'
import type { DescribeOptions, ScanPlan, ScanRequest, Source } from '../source.js'
import type { FileConfig } from './file-config.js'
import { FileTable } from './file-table.js'
import { planFileScan } from './plan-file-scan.js'
import { assertRequiredFilters } from './required-filters.js'

/** Files that DuckDB reads in place. Nothing is opened before a table is described. */
export class FileSource implements Source {
  readonly name: string
  readonly #tables: ReadonlyMap<string, FileTable>

  /** `folder`: the real path of the context's `baseDir`. */
  constructor(config: FileConfig, context: SourceContext, folder: string) {
    this.name = config.name
    this.#tables = new Map(
      config.tables.map((table) => {
        const safety = table.safety ?? config.safety
        const own = safety === undefined ? table : { ...table, safety }
        return [table.name.toLowerCase(), new FileTable(config.name, own, context, folder)]
      }),
    )
  }

  listTables(): Promise<readonly TableSummary[]> {
    return Promise.resolve([...this.#tables.values()].map((table) => table.summary()))
  }

  async describeTables(names: readonly TableName[], options: DescribeOptions): Promise<readonly Table[]> {
    const tables = names.map((name) => this.#table(name))
    return Promise.all(tables.map((table) => table.describe(options.signal)))
  }

  planScan(request: ScanRequest): ScanPlan {
    const table = this.#table(request.table.name)
    assertRequiredFilters(table.config.safety, request)
    const described = table.described
    if (described === undefined) {
      throw new QuerentError('internal.unexpected', {
        message: `${this.name}.${table.name.table} was planned before it was described`,
      })
    }
    return planFileScan(described.reading, request)
  }

  // eslint-disable-next-line require-yield -- tables in place have no batches; a generator so that it rejects when read
  async *scan(plan: ScanPlan): AsyncGenerator<Batch> {
    await Promise.resolve()
    throw new QuerentError('internal.unexpected', {
      message: `${plan.table.source}.${plan.table.table} is read in place`,
    })
  }

  /** Describes every table, and names all that fail. */
  async check(signal: AbortSignal): Promise<void> {
    const failures: QuerentError[] = []
    for (const table of this.#tables.values()) {
      try {
        await table.describe(signal)
      } catch (error) {
        signal.throwIfAborted()
        if (!(error instanceof QuerentError)) throw error
        failures.push(error)
      }
    }
    const [first, ...rest] = failures
    if (first === undefined) return
    if (rest.length === 0) throw first
    const reasons = failures.map((failure) => failure.message).join(' ')
    throw new QuerentError('file.check_failed', { count: failures.length, source: this.name, reasons })
  }

  close(): Promise<void> {
    return Promise.resolve()
  }

  #table(name: TableName): FileTable {
    const table = name.schema === undefined ? this.#tables.get(name.table.toLowerCase()) : undefined
    if (table !== undefined && name.source === this.name) return table
    const known = [...this.#tables.values()].map((each) => each.name.table)
    const near = nearest(name.table, known)
    const listed = (near.length > 0 ? near : known.slice(0, 10)).map((each) => `${this.name}.${each}`).join(', ')
    const shown = [name.source, name.schema, name.table].filter((part) => part !== undefined).join('.')
    throw new QuerentError('catalog.unknown_table', { table: shown, hint: `Did you mean ${listed}?` })
  }
}
