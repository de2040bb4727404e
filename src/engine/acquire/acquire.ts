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
 * Fills the relation of every read. Equal requests are made once; reads that wait for keys start when the scans which
 * give them are filled; all others run at once. The first failure stops the rest, and is thrown after all have stopped.
 */
export async function acquire(reads: readonly RemoteRead[], options: AcquireOptions): Promise<readonly AcquiredRead[]> {
  const failed = new AbortController()
  const signal = AbortSignal.any([options.signal, failed.signal])
  const groups = equalReads(reads)
  const filled = new Map<SharedRead, Promise<readonly AcquiredRead[]>>()
  const start = (group: SharedRead): Promise<readonly AcquiredRead[]> => {
    const running = filled.get(group)
    if (running !== undefined) return running
    const dependencies = groups.filter((other) => other !== group && needs(group[0], other)).map(start)
    const own = Promise.all(dependencies)
      .then(() => fill(group, { ...options, signal }))
      .catch((error: unknown) => {
        failed.abort(error)
        throw error
      })
    filled.set(group, own)
    return own
  }
  const outcomes = await Promise.allSettled(groups.map(start))
  if (failed.signal.aborted) throw options.signal.aborted ? options.signal.reason : failed.signal.reason
  return outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? outcome.value : []))
}

/** Reads of one table whose requests are the same; each has a relation of its own. */
type SharedRead = readonly [RemoteRead, ...RemoteRead[]]

function equalReads(reads: readonly RemoteRead[]): readonly SharedRead[] {
  const groups = new Map<string, [RemoteRead, ...RemoteRead[]]>()
  for (const read of reads) {
    const { table, ...rest } = read.request
    // Keys come at run time: whether they will be the same is not known yet.
    const key = JSON.stringify(read.binding === undefined ? [table.name, rest] : read.scan.id)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [read])
    else group.push(read)
  }
  return [...groups.values()]
}

function needs(read: RemoteRead, others: SharedRead): boolean {
  const ids = new Set(others.map((other) => other.scan.id))
  return read.binding?.sources.some((source) => source.kind === 'scan' && ids.has(source.scan)) ?? false
}

/** Texts that go to DuckDB in one statement: one statement per page is several times slower. */
const textsPerIngest = 20
const charactersPerIngest = 8_000_000

async function fill(reads: SharedRead, options: AcquireOptions): Promise<readonly AcquiredRead[]> {
  const [read, ...others] = reads
  const table = formatTableName(read.request.table.name)
  const scanMeter = options.meter.scan(table)
  const { use, meter } = scanMeter
  const shared = others.map((): AcquiredRead => ({ table, use: { requests: 0, rows: 0, bytes: 0 } }))
  const keys = read.binding === undefined ? undefined : await collectKeys(read.binding.sources, table, options)
  if (keys?.length === 0) return [{ table, use }, ...shared]
  const batches = read.source.scan(read.plan, {
    signal: options.signal,
    caller: options.caller,
    meter,
    ...(keys === undefined ? {} : { keys }),
  })
  try {
    for await (const group of grouped(batches)) {
      const rows = await Promise.all(reads.map((one) => ingest(one, group, options)))
      scanMeter.addRows(rows[0] ?? 0)
      options.onProgress?.(table)
    }
  } catch (error) {
    if (options.onLimit !== 'partial' || !(error instanceof QuerentError) || !cutCodes.has(error.code)) throw error
    return [{ table, use, partial: error.message }, ...shared]
  }
  return [{ table, use }, ...shared]
}

/** @returns rows that were added. */
async function ingest(read: RemoteRead, group: IngestGroup, options: AcquireOptions): Promise<number> {
  const { shape } = read.plan
  const { catalog, schema, name } = read.relation
  if (shape === undefined) throw new QuerentError('internal.unexpected', { message: `${name} has no shape to read by` })
  const { engine, queryId, signal } = options
  const { rows } = await engine.call('ingest', { queryId, catalog, schema, name, shape, ...group }, { signal })
  return rows
}

type IngestGroup = Pick<JsonBatch, 'texts' | 'constants' | 'match' | 'matchAny'>

/** Consecutive batches with the same facts, joined up to the size of one statement; what came before a failure comes first. */
async function* grouped(batches: AsyncIterable<JsonBatch>): AsyncIterable<IngestGroup> {
  const open = new OpenGroup()
  try {
    for await (const batch of batches) {
      const before = open.begin(factsOf(batch))
      if (before !== undefined) yield before
      for (const text of batch.texts) {
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

function factsOf({ constants, match, matchAny }: JsonBatch): Omit<IngestGroup, 'texts'> {
  return {
    ...(constants === undefined ? {} : { constants }),
    ...(match === undefined ? {} : { match }),
    ...(matchAny === undefined ? {} : { matchAny }),
  }
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
