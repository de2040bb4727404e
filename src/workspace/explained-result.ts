import { explanationLines } from './explanation-text.js'
import type { Explanation, QueryResult } from './workspace.js'

/** The answer of `EXPLAIN` as a statement: Querent's plan line by line, with the figures of the run for ANALYZE. */
export function explainedResult(
  explanation: Explanation,
  analysed: QueryResult | undefined,
  call: { readonly queryId: string; readonly startedMs: number },
): QueryResult {
  const lines = [...explanationLines(explanation), ...(analysed === undefined ? [] : analysedLines(analysed))]
  return {
    success: true,
    columns: ['plan'],
    columnTypes: ['VARCHAR'],
    rows: lines.map((line) => [line]),
    rowCount: lines.length,
    totalRows: lines.length,
    queryId: call.queryId,
    elapsedMs: Math.round((performance.now() - call.startedMs) * 1000) / 1000,
    sources: analysed?.sources ?? [],
  }
}

function analysedLines(result: QueryResult): readonly string[] {
  const rows = `${result.totalRows ?? result.rowCount}${result.totalRows === undefined && result.truncated === true ? ' or more' : ''}`
  return [
    `ran: ${rows} rows in ${result.elapsedMs} ms`,
    ...result.sources.map(
      (source) => `  ${source.table}: ${source.requests} requests, ${source.rows} rows fetched, ${source.bytes} bytes`,
    ),
  ]
}
