import { QuerentError } from '../../errors/querent-error.js'
import type { JsonBatch } from '../../model/batch.js'
import type { Table, TableName, TableSummary } from '../../model/table.js'
import { HostPolicy } from '../../net/host-policy.js'
import { HttpClient, type HttpClientOptions, type RequestMeter } from '../../net/http-client.js'
import type { RateLimit } from '../../net/rate-limiter.js'
import { defaultRetryPolicy } from '../../net/retry.js'
import { nearest } from '../../util/nearest.js'
import { redactor } from '../../util/redactor.js'
import type { SourceContext } from '../source-context.js'
import type { DescribeOptions, ScanPlan, ScanRequest, ScanRun, Source } from '../source.js'
import { describeTable, summarizeTable } from './describe-table.js'
import type { HttpConfig } from './http-config.js'
import type { HttpTableConfig } from './table-config.js'
import { createTable, type AnswerColumn, type HttpTable } from './http-table.js'
import { inferColumns } from './infer-columns.js'
import { LearnedColumns } from './learned-columns.js'
import { requiredFilter, tableText } from './parameter-errors.js'
import type { Assignment } from './assignment.js'
import { checkColumns } from './check-columns.js'
import { chooseRequest } from './choose-request.js'
import { createAuthenticator, type Authenticator } from './credentials.js'
import { CursorMemory } from './cursor-memory.js'
import { defaultOf } from './plan-parameters.js'
import { planScan } from './plan-scan.js'
import type { Asker, PagesRun } from './ask-page.js'
import { readPages } from './read-pages.js'
import { scanTable, type ScanDetail } from './scan-table.js'

const connectTimeoutMs = 10_000
const sampleRows = 1_000

/** For requests that no query makes. */
const unmetered: RequestMeter = { request: () => undefined, received: () => undefined }

/** A REST API whose endpoints are tables. */
export class HttpSource implements Source {
  readonly name: string
  readonly #config: HttpConfig
  readonly #context: SourceContext
  readonly #client: HttpClient
  readonly #asker: Asker
  readonly #learned: LearnedColumns
  readonly #tables = new Map<string, HttpTable>()

  private constructor(config: HttpConfig, context: SourceContext) {
    this.name = config.name
    this.#config = config
    this.#context = context
    const baseUrl = new URL(config.config.base_url)
    const { limits } = context
    const options: Omit<HttpClientOptions, 'policy'> = {
      concurrency: this.#concurrency,
      connectTimeoutMs: Math.min(connectTimeoutMs, limits.requestTimeoutMs),
      requestTimeoutMs: limits.requestTimeoutMs,
      maxBodyBytes: limits.maxBodyBytes,
      retry: retryPolicy(config),
    }
    const rateLimit = rateLimitOf(config)
    this.#client = new HttpClient({
      ...options,
      rateLimit,
      policy: new HostPolicy(baseUrl, config.config.allowed_hosts),
    })
    const authenticator = createAuthenticator(config, options)
    this.#asker = createAsker(config, { client: this.#client, authenticator, baseUrl, concurrency: this.#concurrency })
    this.#learned = new LearnedColumns(context.stateDir, config.config.base_url)
  }

  static async open(config: HttpConfig, context: SourceContext): Promise<HttpSource> {
    const source = new HttpSource(config, context)
    for (const table of config.tables) {
      const learned = table.response.schema === undefined ? await source.#learned.load(table) : undefined
      source.#setTable(table, learned)
    }
    return source
  }

  listTables(): Promise<readonly TableSummary[]> {
    return Promise.resolve([...this.#tables.values()].map(summarizeTable))
  }

  async describeTables(names: readonly TableName[], options: DescribeOptions): Promise<readonly Table[]> {
    options.signal.throwIfAborted()
    return await Promise.all(
      names.map(async (name) => {
        const table = this.#find(name)
        const { learn, signal } = options
        return describeTable(
          table.isShapeKnown || learn === undefined ? table : await this.#learn(table, learn, signal),
        )
      }),
    )
  }

  planScan(request: ScanRequest): ScanPlan {
    return planScan(this.#find(request.table.name), request, this.#context.limits, this.#asker.cursors)
  }

  scan(plan: ScanPlan, run: ScanRun): AsyncIterable<JsonBatch> {
    const table = this.#find(plan.table)
    return scanTable({ table, detail: plan.detail as ScanDetail, asker: this.#asker, width: this.#concurrency }, run)
  }

  /** Asks a table that needs no condition for its first page; where every table needs one, the base URL for any answer. */
  async check(signal: AbortSignal): Promise<void> {
    await checkColumns(this.#tables.values(), this.#context.introspection, signal)
    const table = [...this.#tables.values()].find(needsNoCondition)
    if (table !== undefined) {
      await this.#firstPage(table, defaults(table), { signal, isProbe: true })
      return
    }
    const subject = `${this.name}, probe`
    const { baseUrl: url, authenticator } = this.#asker
    const credentials = await authenticator.current(signal)
    const boundHeaders = { ...this.#asker.boundHeaders, ...credentials.headers }
    const request = { method: 'GET' as const, url, boundHeaders, boundQuery: credentials.query, idempotent: true }
    const answer = await this.#client.send(request, { signal, meter: unmetered, subject })
    if (answer.status === 401 || answer.status >= 500) throw probeError(answer.status, subject)
  }

  async close(): Promise<void> {
    await Promise.all([this.#client.close(), this.#asker.authenticator.close()])
  }

  get #concurrency(): number {
    return Math.min(this.#context.limits.concurrency, this.#config.config.concurrency ?? Number.POSITIVE_INFINITY)
  }

  #setTable(table: HttpTableConfig, learned: readonly AnswerColumn[] | undefined): HttpTable {
    const created = createTable({ source: this.#config, table, learned, limits: this.#context.limits })
    this.#tables.set(table.name.toLowerCase(), created)
    return created
  }

  #find(name: TableName): HttpTable {
    const table = this.#tables.get(name.table.toLowerCase())
    if (table !== undefined) return table
    const near = nearest(
      name.table,
      [...this.#tables.values()].map((known) => known.name.table),
    )
    const hint = near.length === 0 ? 'search_tables lists the tables.' : `Did you mean ${near.join(', ')}?`
    throw new QuerentError('catalog.unknown_table', { table: `${this.name}.${name.table}`, hint })
  }

  /** Learns the columns from one answer. */
  async #learn(table: HttpTable, values: Readonly<Record<string, string>>, signal: AbortSignal): Promise<HttpTable> {
    const assignment = { ...defaults(table), ...assignmentOf(table, values) }
    const missing = table.params.filter(({ name, required }) => required && assignment[name] === undefined)
    if (missing.length > 0) throw requiredFilter(table, missing)
    const sample = await this.#firstPage(table, assignment, { signal, isProbe: false })
    const known = (await this.#learned.load(table.config)) ?? []
    const columns = inferColumns(
      sample,
      known,
      table.params.map(({ name }) => name),
    )
    if (columns.length === 0) {
      throw new QuerentError('source.unknown_shape', { subject: tableText(table), table: table.name.table })
    }
    // A folder that cannot be written only means that a restart learns again.
    await this.#learned.save(table.config, columns).catch(() => undefined)
    const learned = this.#setTable(table.config, columns)
    this.#context.onChanged()
    return learned
  }

  /** JSON texts of the first rows of a first page. */
  async #firstPage(
    table: HttpTable,
    assignment: Assignment,
    options: Pick<PagesRun, 'signal' | 'isProbe'>,
  ): Promise<readonly string[]> {
    let needed = 1
    const run: PagesRun = {
      ...options,
      meter: unmetered,
      nextNumber: () => 1,
      noteRows: () => {
        needed = 0
      },
      rowsNeeded: () => needed,
      sampleRows,
    }
    const given = table.params.filter(({ name }) => assignment[name] !== undefined)
    const request = chooseRequest(table, given)
    const pages = readPages({ table, request, assignment, asker: this.#asker }, run)
    for await (const { overview } of pages) return overview.sample
    return []
  }
}

function createAsker(
  config: HttpConfig,
  place: Pick<Asker, 'client' | 'baseUrl' | 'concurrency'> & { readonly authenticator: Authenticator },
): Asker {
  const { headers = {} } = config.config
  const boundHeaders = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value.reveal()]),
  )
  const tableHeaders = config.tables.flatMap((table) => Object.values(table.headers ?? {}))
  const fixed = [...Object.values(headers), ...tableHeaders]
  return {
    ...place,
    boundHeaders,
    // Tokens come and go: what is hidden is decided when there is something to hide.
    redact: (text) => redactor([...fixed, ...place.authenticator.secrets()])(text),
    cursors: new CursorMemory(),
  }
}

function needsNoCondition({ params, requests }: HttpTable): boolean {
  return !params.some(({ required }) => required) && requests.some(({ whenFilters }) => whenFilters.length === 0)
}

function retryPolicy(config: HttpConfig): typeof defaultRetryPolicy {
  const { retry } = config.config
  return {
    ...defaultRetryPolicy,
    maxRetries: retry?.max_retries ?? defaultRetryPolicy.maxRetries,
    baseBackoffMs: retry?.base_backoff_ms ?? defaultRetryPolicy.baseBackoffMs,
    maxBackoffMs: retry?.max_backoff_ms ?? defaultRetryPolicy.maxBackoffMs,
    maxRetryAfterMs: Math.max(defaultRetryPolicy.maxRetryAfterMs, retry?.max_backoff_ms ?? 0),
  }
}

function rateLimitOf(config: HttpConfig): RateLimit {
  const { rate_limit: given } = config.config
  return {
    requestsPerSecond: given?.requests_per_second,
    remainingHeader: given?.remaining_header?.toLowerCase(),
    resetHeader: given?.reset_header?.toLowerCase(),
    extraStatuses: given?.extra_statuses ?? [],
    maxWaitMs: retryPolicy(config).maxRetryAfterMs,
  }
}

function defaults(table: HttpTable): Assignment {
  const given = table.params.flatMap((param) => {
    const value = defaultOf(param)
    return value === undefined ? [] : [[param.name, value] as const]
  })
  return Object.fromEntries(given)
}

/** Values given by name; names of no parameter are other columns of the statement and are left out. */
function assignmentOf(table: HttpTable, values: Readonly<Record<string, string>>): Assignment {
  const given = new Map(Object.entries(values).map(([name, value]) => [name.toLowerCase(), value]))
  const found = table.params.flatMap(({ name, type, filterable }) => {
    const text = filterable ? given.get(name.toLowerCase()) : undefined
    return text === undefined ? [] : [[name, { wire: text, constant: { type, text } }] as const]
  })
  return Object.fromEntries(found)
}

function probeError(status: number, subject: string): QuerentError {
  const code = status === 401 ? 'source.unauthorized' : 'source.server_error'
  return new QuerentError(code, { subject, status })
}
