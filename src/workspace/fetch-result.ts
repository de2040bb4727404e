import type { Engine } from '../engine/client/engine.js'
import { QuerentError } from '../errors/querent-error.js'
import type { Caller } from '../model/caller.js'
import type { EffectiveLimits } from '../policy/limits.js'
import type { Handles } from '../state/handles.js'
import type { StoredResult } from '../state/result-store.js'
import type { FetchResultRequest, ResultPage } from './workspace.js'

export interface FetchOptions {
  readonly engine: Engine
  readonly handles: Handles
  readonly caller: Caller
  readonly limits: EffectiveLimits
  readonly signal: AbortSignal
}

const mimeTypes = { csv: 'text/csv', json: 'application/json', parquet: 'application/vnd.apache.parquet' } as const

/** Room for the page's other keys. */
const envelopeChars = 800

/** A page of a kept result, or a file of all of it. */
export async function fetchKeptResult(request: FetchResultRequest, options: FetchOptions): Promise<ResultPage> {
  const lease = options.handles.results.use(options.caller, request.result)
  try {
    return request.format === undefined
      ? await page(request, lease.value, options)
      : await file(request.format, lease.value, options)
  } finally {
    lease.release()
  }
}

async function page(request: FetchResultRequest, result: StoredResult, options: FetchOptions): Promise<ResultPage> {
  const { engine, limits, signal } = options
  const offset = wholeNumber('offset', request.offset ?? 0, 0)
  const maxRows = Math.min(wholeNumber('limit', request.limit ?? limits.maxRows, 1), limits.maxRows)
  const maxChars = Math.max(1, limits.maxChars - envelopeChars - headChars(result))
  const answer = await engine.call('fetch', { path: result.path, offset, maxRows, maxChars }, { signal })
  const rows = answer.rows.map((row) => JSON.parse(row) as readonly unknown[])
  const { columns, columnTypes, rows: totalRows, complete } = result
  return { columns, columnTypes, rows, offset, rowCount: rows.length, totalRows, complete }
}

async function file(
  format: 'json' | 'csv' | 'parquet',
  result: StoredResult,
  { engine, handles, signal }: FetchOptions,
): Promise<ResultPage> {
  const target = handles.results.exportPath(result, format)
  const { bytes } = await engine.call('exportResult', { path: result.path, format, target }, { signal })
  if (!handles.results.addExport(result, bytes)) throw new QuerentError('state.no_room')
  const { columns, columnTypes, rows: totalRows, complete } = result
  const mimeType = mimeTypes[format]
  return {
    columns,
    columnTypes,
    rows: [],
    offset: 0,
    rowCount: 0,
    totalRows,
    complete,
    file: { path: target, bytes, mimeType },
  }
}

/** Names and types of the columns as they stand escaped in the message. */
function headChars({ columns, columnTypes }: StoredResult): number {
  return JSON.stringify(JSON.stringify([columns, columnTypes])).length
}

function wholeNumber(name: string, value: number, min: number): number {
  if (Number.isSafeInteger(value) && value >= min) return value
  throw new QuerentError('policy.limit', { name, value, max: 'any' })
}
