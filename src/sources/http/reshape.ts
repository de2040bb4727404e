import { scanJson, type JsonOverview } from '../../net/json-scan.js'
import { JsonNumber, parseLossless, stringifyLossless } from '../../util/lossless-json.js'
import type { HttpTableConfig } from './table-config.js'
import { parseRowsPath } from './json-path.js'

export type Reshape = NonNullable<HttpTableConfig['response']['reshape']>

/** A document that grows more than this under reshaping repeats large series for many points. */
const maxGrowth = 20
const minBytes = 1_000_000

/**
 * Rows, as JSON texts, of an answer whose rows are no array of objects: entries of an object, or points of series.
 * Answers undefined where the answer has another form; throws RangeError where the rows would be too large.
 *
 * @param overview of the whole document, with its members and all rows as sample
 */
export async function reshapedRows(
  reshape: Reshape,
  overview: JsonOverview,
  documentBytes: number,
): Promise<readonly string[] | undefined> {
  if (reshape.kind === 'dict_entries') {
    if (overview.rows !== 'object') return undefined
    return overview.members.map(([key, value]) => `{"key":${JSON.stringify(key)},"value":${value}}`)
  }
  const series = await seriesOf(reshape.series, overview)
  if (series === undefined) return undefined
  const budget = { bytes: Math.max(minBytes, documentBytes * maxGrowth) }
  const rows: string[] = []
  for (const text of series) {
    const points = await pointRows(reshape, text, budget)
    if (points === undefined) return undefined
    for (const row of points) rows.push(row)
  }
  return rows
}

type SeriesPoints = Extract<Reshape, { readonly kind: 'series_points' }>

async function seriesOf(path: string | undefined, overview: JsonOverview): Promise<readonly string[] | undefined> {
  if (path === undefined || path === '$') return overview.rows === 'array' ? overview.sample : undefined
  const [root] = overview.sample
  if (overview.rows !== 'object' || root === undefined) return undefined
  const inner = await scanAll(root, parseRowsPath(path) ?? [])
  return inner.rows === 'array' ? inner.sample : undefined
}

async function pointRows(
  { points: path, timestamp, value }: SeriesPoints,
  series: string,
  budget: { bytes: number },
): Promise<readonly string[] | undefined> {
  const keys = parseRowsPath(path) ?? []
  const points = await scanAll(series, keys)
  if (points.rows !== 'array') return undefined
  const own = (await scanJson(Buffer.from(series), { rowsPath: [], members: true })).members
  const labels = own
    .filter(([key]) => key !== keys[0] && key !== 'timestamp' && key !== 'value')
    .map(([key, text]) => `${JSON.stringify(key)}:${text},`)
    .join('')
  return points.sample.map((text) => {
    const point = parseLossless(text)
    const row = `{${labels}"timestamp":${textAt(point, timestamp)},"value":${textAt(point, value)}}`
    budget.bytes -= row.length
    if (budget.bytes < 0) throw new RangeError('the rows of its points are too large')
    return row
  })
}

function textAt(point: unknown, key: string | number): string {
  if (typeof point !== 'object' || point === null || point instanceof JsonNumber) return 'null'
  return stringifyLossless((point as Readonly<Record<string | number, unknown>>)[key] ?? null)
}

async function scanAll(text: string, rowsPath: readonly string[]): Promise<JsonOverview> {
  return await scanJson(Buffer.from(text), { rowsPath, sampleRows: Number.POSITIVE_INFINITY })
}
