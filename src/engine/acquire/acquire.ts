import { QuerentError } from '../../errors/querent-error.js'
import type { JsonBatch } from '../../model/batch.js'
import type { Caller } from '../../model/caller.js'
import { formatTableName } from '../../model/table-name.js'
import type { Engine } from '../client/engine.js'
import { filtersSql } from '../plan/filter-sql.js'
import type { PlannedScan, KeySource } from '../plan/bound-plan.js'
import type { QueryMeter, ScanUse } from './query-meter.js'
import type { RemoteRead } from './remote-read.js'

export interface AcquireOptions {
  readonly engine: Engine
  readonly queryId: string
  readonly caller: Caller
  readonly signal: AbortSignal
  readonly meter: QueryMeter
  /** All scans of the plan, by id: keys may come from tables in place too. */
  readonly scans: readonly PlannedScan[]
  /** Distinct keys that one scan may be asked with. */
  readonly maxFanout: number
  /** A scan that a limit cuts short fails the query, or leaves a part that is marked as one. */
  readonly onLimit: 'error' | 'partial'
  readonly onProgress?: (table: string) => void
}

/** One table's part in an answer. */
export interface AcquiredRead {
  readonly table: string
  readonly use: ScanUse
  /** Why rows are missing; absent: all are there. */
  readonly partial?: string
}

/** Limits that cut a scan short with whole pages fetched before. */
const cutCodes: ReadonlySet<string> = new Set([
  'source.page_limit',
  'source.row_limit',
  'limit.requests',
  'limit.bytes',
  'limit.rows',
])

/**
 * Fills the relation of every read. Reads that wait for keys start when the scans which give them are filled; all
 * others run at once. The first failure stops the rest, and is thrown after all have stopped.
 */
export async function acquire(reads: readonly RemoteRead[], options: AcquireOptions): Promise<readonly AcquiredRead[]> {
  const failed = new AbortController()
  const signal = AbortSignal.any([options.signal, failed.signal])
  const filled = new Map<number, Promise<AcquiredRead>>()
  const start = (read: RemoteRead): Promise<AcquiredRead> => {
    const running = filled.get(read.scan.id)
    if (running !== undefined) return running
    const dependencies = reads.filter((other) => other !== read && needs(read, other)).map(start)
    const own = Promise.all(dependencies)
      .then(() => fill(read, { ...options, signal }))
      .catch((error: unknown) => {
        failed.abort(error)
        throw error
      })
    filled.set(read.scan.id, own)
    return own
  }
  const outcomes = await Promise.allSettled(reads.map(start))
  if (failed.signal.aborted) throw options.signal.aborted ? options.signal.reason : failed.signal.reason
  return outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
}

function needs(read: RemoteRead, other: RemoteRead): boolean {
  return read.binding?.sources.some((source) => source.kind === 'scan' && source.scan === other.scan.id) ?? false
}

/** Texts that go to DuckDB in one statement: one statement per page is several times slower. */
const textsPerIngest = 20
const charactersPerIngest = 8_000_000

async function fill(read: RemoteRead, options: AcquireOptions): Promise<AcquiredRead> {
  const table = formatTableName(read.request.table.name)
  const { use, meter, addRows } = options.meter.scan(table)
  const keys = read.binding === undefined ? undefined : await collectKeys(read.binding.sources, table, options)
  if (keys?.length === 0) return { table, use }
  const { shape } = read.plan
  if (shape === undefined)
    throw new QuerentError('internal.unexpected', { message: `${table} has no shape to read by` })
  const { catalog, schema, name } = read.relation
  const batches = read.source.scan(read.plan, {
    signal: options.signal,
    caller: options.caller,
    meter,
    ...(keys === undefined ? {} : { keys }),
  })
  try {
    for await (const group of grouped(batches)) {
      const { rows } = await options.engine.call(
        'ingest',
        { queryId: options.queryId, catalog, schema, name, shape, ...group },
        { signal: options.signal },
      )
      addRows(rows)
      options.onProgress?.(table)
    }
  } catch (error) {
    if (options.onLimit === 'partial' && error instanceof QuerentError && cutCodes.has(error.code)) {
      return { table, use, partial: error.message }
    }
    throw error
  }
  return { table, use }
}

type IngestGroup = Pick<JsonBatch, 'texts' | 'constants' | 'match'>

/** Consecutive batches with the same facts, joined up to the size of one statement; what came before a failure comes first. */
async function* grouped(batches: AsyncIterable<JsonBatch>): AsyncIterable<IngestGroup> {
  const open = new OpenGroup()
  try {
    for await (const { kind: _kind, texts, ...facts } of batches) {
      const before = open.begin(facts)
      if (before !== undefined) yield before
      for (const text of texts) {
        open.add(text)
        const full = open.takeIfFull()
        if (full !== undefined) yield full
      }
    }
  } catch (error) {
    const rest = open.take()
    if (rest !== undefined) yield rest
    throw error
  }
  const rest = open.take()
  if (rest !== undefined) yield rest
}

class OpenGroup {
  #facts: Omit<IngestGroup, 'texts'> = {}
  #texts: string[] = []
  #characters = 0

  /** The group of other facts that ends here. */
  begin(facts: Omit<IngestGroup, 'texts'>): IngestGroup | undefined {
    const same = JSON.stringify(facts) === JSON.stringify(this.#facts)
    const before = same ? undefined : this.take()
    this.#facts = facts
    return before
  }

  add(text: string): void {
    this.#texts.push(text)
    this.#characters += text.length
  }

  takeIfFull(): IngestGroup | undefined {
    return this.#texts.length >= textsPerIngest || this.#characters >= charactersPerIngest ? this.take() : undefined
  }

  take(): IngestGroup | undefined {
    if (this.#texts.length === 0) return undefined
    const group = { ...this.#facts, texts: this.#texts }
    this.#texts = []
    this.#characters = 0
    return group
  }
}

/** Distinct keys of all sources; throws `limit.fanout` where there are more than may be asked with. */
async function collectKeys(
  sources: readonly KeySource[],
  table: string,
  options: AcquireOptions,
): Promise<readonly (readonly string[])[]> {
  const keys = new Map<string, readonly string[]>()
  for (const source of sources) {
    for (const key of await keysOf(source, options)) keys.set(JSON.stringify(key), key)
    if (keys.size > options.maxFanout) throw new QuerentError('limit.fanout', { table, max: options.maxFanout })
  }
  return [...keys.values()]
}

async function keysOf(source: KeySource, options: AcquireOptions): Promise<readonly (readonly string[])[]> {
  if (source.kind === 'constants') {
    const keys = source.keys.map((key) => key.map((constant) => constant.text))
    return keys.filter((key): key is string[] => key.every((text) => text !== undefined))
  }
  const scan = options.scans.find((candidate) => candidate.id === source.scan)
  if (scan === undefined) throw new QuerentError('internal.unexpected', { message: 'a key source is missing' })
  const { keys } = await options.engine.call(
    'distinct',
    {
      queryId: options.queryId,
      catalog: scan.relation.catalog,
      schema: scan.relation.schema,
      name: scan.relation.table,
      columns: source.columns,
      where: filtersSql(scan.filters),
      limit: options.maxFanout + 1,
    },
    { signal: options.signal },
  )
  return keys
}
