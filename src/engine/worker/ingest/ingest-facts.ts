import { EngineFault } from '../engine-fault.js'
import type { IngestRequest, Relation } from '../protocol.js'
import type { OpenQuery } from '../query.js'
import type { Task } from '../tasks.js'
import type { RowStructure } from './row-structure.js'

/** One call of `ingest`, as all of its steps know it. */
export interface Ingest {
  readonly query: OpenQuery
  readonly request: IngestRequest
  readonly relation: Relation
  readonly row: RowStructure
  readonly task: Task
}

/** Texts that hold their rows in one way, and the SQL that takes them apart: column `r`, of parameter `$1`. */
export interface TextGroup {
  readonly texts: readonly string[]
  /** Numbers of the texts in the request. */
  readonly numbers: readonly number[]
  readonly rowsSql: string
  /** The same with every row as JSON beside it: columns `r` and `j`. */
  readonly rowsWithJsonSql: string
  /** The same with every row as JSON alone. */
  readonly rowsAsJsonSql: string
}

export function shapeMismatch(ingest: Ingest, text: number, found: string | undefined): EngineFault {
  const path = ['$', ...ingest.request.shape.rowsPath].join('.')
  const what = found === undefined ? 'nothing' : (jsonTypeNames[found] ?? 'a number')
  return new EngineFault('engine.shape_mismatch', { table: tableOf(ingest), path, text: text + 1, found: what })
}

export function tableOf({ relation }: Ingest): string {
  return `${relation.schema}.${relation.name}`
}

const jsonTypeNames: Readonly<Record<string, string>> = {
  NULL: 'null',
  BOOLEAN: 'a boolean',
  VARCHAR: 'a text',
  ARRAY: 'an array',
  OBJECT: 'an object',
}
