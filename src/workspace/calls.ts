import { classifyStatement, type StatementForm } from '../policy/statement.js'
import '../sources/implementations.js'

export { checkSource } from './check-workspace.js'
export { explainQuery } from './explain-call.js'
export { explainedResult } from './explained-result.js'
export { fetchKeptResult } from './fetch-result.js'
export { runQueryCall } from './query-call.js'
export { searchTables } from './table-search.js'
export { runWriteCall } from './write-call.js'

/** What a text asks for, before anything parses it. */
export function classify(sql: string, limits: { readonly maxSqlChars: number }): StatementForm {
  return classifyStatement(sql, { maxLength: limits.maxSqlChars })
}
