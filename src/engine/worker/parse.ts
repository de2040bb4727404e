import { EngineFault } from './engine-fault.js'
import { failureToFault, fromFields, toFault } from './duckdb-error.js'
import type { EngineInstance } from './instance.js'
import { characterOfCodePoint } from './positions.js'
import { connected } from './connected.js'
import type { Task } from './tasks.js'

const serialize =
  'SELECT CAST(json_serialize_sql(CAST($1 AS VARCHAR), skip_null := true, skip_default := true) AS VARCHAR)'

/** The tree's JSON of exactly one SELECT. `json_serialize_sql` alone: other ways of parsing open files (IMPORT DATABASE). */
export async function parseSql(instance: EngineInstance, sql: string, task: Task): Promise<string> {
  if (sql.includes('\0')) {
    const hint = 'Remove the character with code 0.'
    throw new EngineFault('sql.syntax', { message: 'The SQL holds a NUL character.', hint }, sql.indexOf('\0'))
  }
  const tree = await textOf(instance, serialize, sql, task)
  const answer = JSON.parse(tree) as { readonly error: boolean; readonly statements?: readonly unknown[] }
  if (answer.error) throw parseFault(sql, JSON.parse(tree) as Record<string, unknown>)
  const count = answer.statements?.length ?? 0
  if (count === 0) throw new EngineFault('sql.empty')
  if (count > 1) throw new EngineFault('sql.multiple_statements', { count })
  return tree
}

/** SQL text of a tree: what is planned and run of it. */
export async function deparseTree(instance: EngineInstance, tree: string | undefined, task: Task): Promise<string> {
  if (tree === undefined) throw new EngineFault('internal.unexpected', { message: 'neither a tree nor a statement' })
  return textOf(instance, 'SELECT json_deserialize_sql(CAST($1 AS JSON))', tree, task)
}

/** One text that DuckDB makes of another. */
async function textOf(instance: EngineInstance, sql: string, text: string, task: Task): Promise<string> {
  return connected(instance, task, async (connection) => {
    try {
      const reader = await connection.runAndReadAll(sql, [text])
      return String(reader.getRows()[0]?.[0] ?? '')
    } catch (error) {
      throw toFault(error)
    }
  })
}

function parseFault(sql: string, fields: Readonly<Record<string, unknown>>): EngineFault {
  const failure = fromFields(fields, 'error_')
  const position = failure.position === undefined ? undefined : characterOfCodePoint(sql, failure.position)
  if (failure.type === 'not implemented') return new EngineFault('sql.statement_refused', { statement: firstWord(sql) })
  if (failure.message.startsWith('memory exhausted')) {
    const message = 'The statement is nested too deeply.'
    return new EngineFault('sql.syntax', { message, hint: 'Remove needless parentheses and subqueries.' }, position)
  }
  return failureToFault(failure, undefined, position)
}

function firstWord(sql: string): string {
  const withoutComments = sql.replaceAll(/--[^\n]*|\/\*[\s\S]*?\*\//g, ' ')
  return /[A-Za-z]+/.exec(withoutComments)?.[0].toUpperCase() ?? 'This statement'
}
