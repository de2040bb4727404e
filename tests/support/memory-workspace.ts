import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { QuerentError } from '../../src/errors/querent-error.js'
import type { Table, TableSummary } from '../../src/model/table.js'
import { formatTableName } from '../../src/model/table-name.js'
import type {
  CallContext,
  CheckReport,
  Explanation,
  FetchResultRequest,
  QueryRequest,
  QueryResult,
  ResultPage,
  TablePage,
  TableSearch,
  Workspace,
} from '../../src/workspace/workspace.js'

export interface MemoryTable {
  readonly table: Table
  readonly rows: readonly (readonly unknown[])[]
}

interface KeptResult {
  readonly owner: string
  readonly columns: readonly string[]
  readonly columnTypes: readonly string[]
  readonly rows: readonly (readonly unknown[])[]
}

const maxRows = 1024
const maxChars = 50_000

/**
 * A workspace over arrays, for tests of the doors. Its SQL is three forms: `SELECT * FROM <table>`, `SELECT <integer>`,
 * and `WAIT <n>`, which reports progress n times and then runs until it is stopped.
 */
export class MemoryWorkspace implements Workspace {
  readonly name = 'memory'
  readonly description = 'Tables in memory'
  readonly started: { readonly sql: string; readonly context: CallContext }[] = []
  readonly stopped: string[] = []
  readonly #tables: Map<string, MemoryTable>
  readonly #running = new Map<string, { readonly owner: string; readonly controller: AbortController }>()
  readonly #results = new Map<string, KeptResult>()
  readonly #listeners = new Set<() => void>()
  readonly #folder = mkdtempSync(join(tmpdir(), 'querent-memory-'))

  constructor(tables: readonly MemoryTable[]) {
    this.#tables = new Map(tables.map((entry) => [formatTableName(entry.table.name), entry]))
  }

  /** Queries that are running now. */
  get running(): number {
    return this.#running.size
  }

  async query(request: QueryRequest, context: CallContext): Promise<QueryResult> {
    const queryId = randomUUID()
    const startedAt = performance.now()
    this.started.push({ sql: request.sql, context })
    const controller = new AbortController()
    this.#running.set(queryId, { owner: context.caller.id, controller })
    const signal = AbortSignal.any([controller.signal, ...(context.signal === undefined ? [] : [context.signal])])
    try {
      const { columns, columnTypes, rows, table } = await this.#run(request.sql, signal, context)
      const cap = Math.min(request.maxRows ?? maxRows, maxRows)
      const build = (count: number): QueryResult =>
        this.#answer({ columns, columnTypes, rows, table }, count, queryId, context, startedAt)
      let count = Math.min(rows.length, cap)
      while (count > 0 && escapedLength(build(count)) > maxChars) count = Math.floor(count * 0.8)
      return build(count)
    } catch (error) {
      this.stopped.push(request.sql)
      if (error instanceof QuerentError) error.queryId = queryId
      throw error
    } finally {
      this.#running.delete(queryId)
    }
  }

  #answer(
    found: { columns: readonly string[]; columnTypes: readonly string[]; rows: KeptResult['rows']; table: string },
    count: number,
    queryId: string,
    context: CallContext,
    startedAt: number,
  ): QueryResult {
    const { columns, columnTypes, rows, table } = found
    const truncated = count < rows.length
    const result = `r_${queryId}`
    if (truncated) this.#results.set(result, { owner: context.caller.id, columns, columnTypes, rows })
    return {
      success: true,
      ...(truncated ? { truncated: true as const } : {}),
      columns,
      columnTypes,
      rows: rows.slice(0, count),
      rowCount: count,
      ...(truncated ? { totalRows: rows.length, result } : {}),
      queryId,
      elapsedMs: Math.round(performance.now() - startedAt),
      sources: [{ table, requests: 0, rows: rows.length, bytes: 0, cache: 'none' }],
    }
  }

  async #run(
    sql: string,
    signal: AbortSignal,
    context: CallContext,
  ): Promise<{ columns: string[]; columnTypes: string[]; rows: KeptResult['rows']; table: string }> {
    const wait = /^WAIT (\d+)$/.exec(sql)
    if (wait !== null) await waitUntilStopped(Number(wait[1]), signal, context)
    if (sql.trim() === '') throw new QuerentError('sql.empty')
    if (sql === 'CRASH') throw new TypeError('secret /home/someone/password.txt')
    const constant = /^SELECT (\d+)$/.exec(sql)
    if (constant !== null) {
      return { columns: ['n'], columnTypes: ['INTEGER'], rows: [[Number(constant[1])]], table: 'none' }
    }
    const name = /^SELECT \* FROM (\S+)$/.exec(sql)?.[1]
    if (name === undefined) {
      throw new QuerentError(
        'sql.syntax',
        { message: `syntax error at "${sql.slice(0, 20)}"`, hint: 'Write one SELECT.' },
        { position: 0 },
      )
    }
    const { table, rows } = this.#find(name)
    return {
      columns: table.columns.map((column) => column.name),
      columnTypes: table.columns.map((column) => column.type),
      rows,
      table: name,
    }
  }

  #find(name: string): MemoryTable {
    const found = this.#tables.get(name)
    if (found === undefined) {
      throw new QuerentError('catalog.unknown_table', {
        table: name,
        hint: `There are: ${[...this.#tables.keys()].join(', ')}.`,
      })
    }
    return found
  }

  explain({ sql }: { readonly sql: string }): Promise<Explanation> {
    const name = /^SELECT \* FROM (\S+)$/.exec(sql)?.[1] ?? ''
    const { table } = this.#find(name)
    const columns = table.columns.map((column) => column.name)
    return Promise.resolve({
      success: true,
      statement: 'SELECT',
      columns,
      columnTypes: table.columns.map((column) => column.type),
      scans: [
        {
          table: name,
          access: 'inPlace',
          columns,
          pushed: [],
          residual: [],
          requests: { estimate: 0, max: 0 },
          preview: [],
          notes: [],
        },
      ],
      requests: { estimate: 0, max: 0 },
      notes: [],
    })
  }

  tables(request: TableSearch): Promise<TablePage> {
    const words = (request.query ?? '')
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== '')
    const matching = [...this.#tables.values()]
      .filter(({ table }) => request.source === undefined || table.name.source === request.source)
      .filter(({ table }) => {
        const text = [formatTableName(table.name), table.description ?? '', ...(table.columnNames ?? [])]
          .join(' ')
          .toLowerCase()
        return words.every((word) => text.includes(word))
      })
      .map(({ table }) => table)
    const offset = Number(request.cursor ?? 0)
    const limit = request.limit ?? 50
    const tables = matching.slice(offset, offset + limit)
    const more = offset + limit < matching.length
    return Promise.resolve({
      tables: request.detail === 'full' ? tables : tables.map(summaryOf),
      total: matching.length,
      ...(more ? { nextCursor: String(offset + limit) } : {}),
      unavailable: [],
    })
  }

  describe({ table }: { readonly table: string }): Promise<Table> {
    return new Promise((resolve) => {
      resolve(this.#find(table).table)
    })
  }

  fetchResult(request: FetchResultRequest, context: CallContext): Promise<ResultPage> {
    return new Promise((resolve) => {
      const kept = this.#results.get(request.result)
      if (kept?.owner !== context.caller.id)
        throw new QuerentError('state.not_found', { thing: 'result', id: request.result })
      const offset = request.offset ?? 0
      const rows = kept.rows.slice(offset, offset + (request.limit ?? 1000))
      const { columns, columnTypes } = kept
      const page = {
        columns,
        columnTypes,
        rows,
        offset,
        rowCount: rows.length,
        totalRows: kept.rows.length,
        complete: true,
      }
      resolve(
        request.format === undefined
          ? page
          : { ...page, rows: [], rowCount: 0, file: this.#file(kept, request.format) },
      )
    })
  }

  #file(kept: KeptResult, format: 'json' | 'csv' | 'parquet'): NonNullable<ResultPage['file']> {
    const path = join(this.#folder, `${randomUUID()}.${format}`)
    const text =
      format === 'json' ? JSON.stringify(kept.rows) : kept.rows.map((row) => row.map(String).join(',')).join('\n')
    writeFileSync(path, text)
    return { path, bytes: Buffer.byteLength(text), mimeType: format === 'csv' ? 'text/csv' : 'application/json' }
  }

  cancel(queryId: string, context: CallContext): boolean {
    const running = this.#running.get(queryId)
    if (running?.owner !== context.caller.id) return false
    running.controller.abort()
    return true
  }

  /** The id of a running query. */
  runningId(): string | undefined {
    return [...this.#running.keys()][0]
  }

  check(): Promise<CheckReport> {
    return Promise.resolve({ ok: true, findings: [] })
  }

  onChanged(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** What a reload of the workspace file does. */
  change(): void {
    for (const listener of this.#listeners) listener()
  }

  close(): Promise<void> {
    for (const { controller } of this.#running.values()) controller.abort()
    rmSync(this.#folder, { recursive: true, force: true })
    return Promise.resolve()
  }
}

function summaryOf({ name, description, columnNames }: Table): TableSummary {
  return {
    name,
    ...(description === undefined ? {} : { description }),
    ...(columnNames === undefined ? {} : { columnNames }),
  }
}

async function waitUntilStopped(reports: number, signal: AbortSignal, context: CallContext): Promise<never> {
  for (let report = 1; report <= reports && !signal.aborted; report++) {
    context.onProgress?.({ message: `${report} requests to data.orders`, requests: report, rows: report * 100 })
    await new Promise((resolve) => setTimeout(resolve, 120))
  }
  if (!signal.aborted)
    await new Promise<void>((resolve) => {
      signal.addEventListener(
        'abort',
        () => {
          resolve()
        },
        { once: true },
      )
    })
  throw new QuerentError('limit.cancelled')
}

/** Characters of the value's text block as it stands in the message. */
export function escapedLength(value: unknown): number {
  return JSON.stringify(JSON.stringify(value)).length - 2
}
