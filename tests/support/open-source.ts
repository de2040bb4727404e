import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { localCaller } from '../../src/model/caller.js'
import type { Batch } from '../../src/model/batch.js'
import type { SourceContext, SourceLimits } from '../../src/sources/source-context.js'
import type { ScanMeter, ScanPlan, ScanRequest, ScanRun, Source, SourceKind } from '../../src/sources/source.js'

export class CountingMeter implements ScanMeter {
  requests = 0
  bytes = 0

  request(): void {
    this.requests++
  }

  received(bytes: number): void {
    this.bytes += bytes
  }
}

export interface OpenOptions {
  readonly limits?: Partial<SourceLimits>
  readonly stateDir?: string
  readonly onChanged?: () => void
}

/** Opens a source of this kind from its entry in the workspace file, in a folder of its own. */
export async function openSource<Config>(
  kind: SourceKind<Config>,
  entry: unknown,
  options: OpenOptions = {},
): Promise<Source & AsyncDisposable> {
  const folder = options.stateDir ?? (await mkdtemp(join(tmpdir(), 'querent-source-')))
  const context: SourceContext = {
    baseDir: folder,
    stateDir: folder,
    introspection: { query: () => Promise.resolve([]) },
    limits: {
      maxBodyBytes: 8_000_000,
      maxPages: 100,
      maxRequests: 200,
      requestTimeoutMs: 20_000,
      concurrency: 8,
      ...options.limits,
    },
    onChanged: options.onChanged ?? (() => undefined),
    readWrite: false,
  }
  const source = await kind.open(kind.configSchema.parse(entry), context)
  return Object.assign(source, {
    [Symbol.asyncDispose]: async () => {
      await source.close()
      if (options.stateDir === undefined) await rm(folder, { recursive: true, force: true })
    },
  })
}

/** Plans a scan of a table, reading all columns unless the request says otherwise. */
export async function planOf(
  source: Source,
  table: string,
  request: Partial<Omit<ScanRequest, 'table'>> = {},
): Promise<ScanPlan> {
  const signal = new AbortController().signal
  const [described] = await source.describeTables([{ source: source.name, table }], { signal })
  if (described === undefined) throw new Error(`no table ${table}`)
  const columns = described.columns.map(({ name }) => name)
  return source.planScan({ table: described, columns, filters: [], otherConditions: [], ...request })
}

export async function batchesOf(source: Source, plan: ScanPlan, run: Partial<ScanRun> = {}): Promise<readonly Batch[]> {
  const batches: Batch[] = []
  const full: ScanRun = {
    signal: new AbortController().signal,
    caller: localCaller,
    meter: new CountingMeter(),
    ...run,
  }
  for await (const batch of source.scan(plan, full)) batches.push(batch)
  return batches
}
