import { availableParallelism } from 'node:os'
import { z } from 'zod'
import { byteSize } from './byte-size.js'
import { duration } from './duration.js'

/** The longest delay that a timer of Node can wait. */
const maxTimerMs = 2_147_483_647
const count = z.int().min(1)
const bytes = byteSize.refine((value) => value > 0, { error: 'expected a size above 0' })
const time = duration.refine((value) => value > 0 && value <= maxTimerMs, {
  error: 'expected a time above 0 and at most 24 days',
})

const mebibyte = 1024 ** 2

/** `limits:`. Every default of a limit stands here. */
export const limitsConfig = z
  .strictObject({
    /** Rows of one answer. */
    rows: count.default(1024),
    /** Characters of one answer, measured on the message. */
    chars: count.default(50_000),
    /** Time of one query, from its arrival to its answer. */
    timeout: time.default(30_000),
    /** Queries that run at once; twice the cores. */
    concurrent: count.optional(),
    /** Queries that wait for their turn; beyond them the answer is `busy`. */
    waiting: z.int().min(0).default(100),
    /** What is kept of a result that was capped, for `fetch_result`. */
    result: z
      .strictObject({
        rows: count.default(100_000),
        bytes: bytes.default(64_000_000),
        /** Results kept for one caller. */
        count: count.default(32),
        age: time.default(3_600_000),
      })
      .prefault({}),
    /** Memory of one DuckDB instance. */
    memory: bytes.default(1024 * mebibyte),
    /** Threads of DuckDB; as many as cores. */
    threads: count.optional(),
    /** Disk for what does not fit into memory, and for scratch tables and kept results of one caller. */
    temp: bytes.default(10_000_000_000),
    /** Characters of one statement. */
    sqlChars: count.default(262_144),
    /** Requests of one query to sources. */
    maxRequests: count.default(500),
    /** Pages of one scan. */
    maxPages: count.default(100),
    /** One answer of a source. */
    maxBodyBytes: bytes.default(64_000_000),
    /** All answers of sources in one query. */
    bytes: bytes.default(512_000_000),
    /** Rows that sources give to one query. */
    sourceRows: count.default(10_000_000),
    /** Keys that one scan of a join may be asked with. */
    maxFanout: count.default(1000),
    /** One request to a source, from connecting to the end of the body. */
    requestTimeout: time.default(20_000),
    /** Requests of one source at once. */
    requestConcurrency: count.default(8),
    /** A scan that a limit cuts short: refuse the query, or answer with `partial: true`. */
    onLimit: z.enum(['error', 'partial']).default('error'),
  })
  .transform((limits) => ({
    maxRows: limits.rows,
    maxChars: limits.chars,
    timeoutMs: limits.timeout,
    concurrent: limits.concurrent ?? 2 * availableParallelism(),
    waiting: limits.waiting,
    result: {
      maxRows: limits.result.rows,
      maxBytes: limits.result.bytes,
      maxCount: limits.result.count,
      maxAgeMs: limits.result.age,
    },
    memoryBytes: limits.memory,
    threads: limits.threads ?? availableParallelism(),
    tempBytes: limits.temp,
    maxSqlChars: limits.sqlChars,
    maxRequests: limits.maxRequests,
    maxPages: limits.maxPages,
    maxBodyBytes: limits.maxBodyBytes,
    maxSourceBytes: limits.bytes,
    maxSourceRows: limits.sourceRows,
    maxFanout: limits.maxFanout,
    requestTimeoutMs: limits.requestTimeout,
    requestConcurrency: limits.requestConcurrency,
    onLimit: limits.onLimit,
  }))

export type Limits = z.output<typeof limitsConfig>
