import type { TableName } from './table.js'
import { displayIdentifier } from '../util/sql-text.js'

/** `source.table` or `source.schema.table`, quoted where SQL needs it. */
export function formatTableName(name: TableName): string {
  return tableNameParts(name).map(displayIdentifier).join('.')
}

function tableNameParts(name: TableName): readonly string[] {
  return name.schema === undefined ? [name.source, name.table] : [name.source, name.schema, name.table]
}

/** One key per table, whatever the case it is written in. */
export function tableNameKey(name: TableName): string {
  return JSON.stringify(tableNameParts(name).map((part) => part.toLowerCase()))
}
