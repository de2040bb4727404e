import type { ExecutedQuery } from '../engine/pipeline/execute-query.js'
import type { ExecuteAnswer } from '../engine/worker/protocol.js'
import type { QueryResult, SourceUse } from './workspace.js'

export interface AnswerFacts {
  readonly queryId: string
  readonly elapsedMs: number
  /** Handle of the kept result. */
  readonly result?: string
  /** Handle of the scratch space that was written. */
  readonly scratch?: string
  readonly sources: readonly SourceUse[]
  /** Why rows are missing, and other facts that a reader must know. */
  readonly warnings: readonly string[]
  readonly partial: boolean
}

/** The answer, in the contract's order of keys. */
export function toQueryResult(answer: ExecuteAnswer, facts: AnswerFacts): QueryResult {
  const rows = answer.rows.map((row) => JSON.parse(row) as readonly unknown[])
  const warnings = [...facts.warnings, ...shortenedWarning(answer)]
  return {
    success: true,
    ...(answer.truncated ? { truncated: true } : {}),
    ...(facts.partial ? { partial: true } : {}),
    ...(warnings.length === 0 ? {} : { warning: warnings.join(' ') }),
    columns: answer.columns,
    columnTypes: answer.columnTypes,
    rows,
    rowCount: rows.length,
    ...(answer.totalRows === undefined ? {} : { totalRows: answer.totalRows }),
    ...(facts.result === undefined ? {} : { result: facts.result }),
    ...(facts.scratch === undefined ? {} : { scratch: facts.scratch }),
    queryId: facts.queryId,
    elapsedMs: facts.elapsedMs,
    sources: facts.sources,
  }
}

function shortenedWarning(answer: ExecuteAnswer): readonly string[] {
  const count = answer.shortenedCells
  if (count === 0) return []
  return [`${count === 1 ? 'One cell was' : `${count} cells were`} shortened to fit; the marks in the text say where.`]
}

/** Uses of a query's tables. Nothing is cached yet, so every request is a miss of no cache. */
export function sourceUses(executed: Pick<ExecutedQuery, 'uses'>): readonly SourceUse[] {
  return executed.uses.map(({ table, requests, rows, bytes }) => ({ table, requests, rows, bytes, cache: 'none' }))
}

/**
 * Characters of the answer's text without rows, columns and their types, as they stand escaped in the message. The
 * engine leaves that much room.
 */
export function envelopeChars(facts: AnswerFacts): number {
  const empty: ExecuteAnswer = {
    columns: [],
    columnTypes: [],
    rows: [],
    truncated: true,
    shortenedCells: 1_000,
    totalRows: 1e15,
  }
  const text = JSON.stringify({ ...toQueryResult(empty, facts), rowCount: 1e9 })
  return JSON.stringify(text).length - 2
}
