import type { Random } from './random.js'

export type ColumnType =
  'INTEGER' | 'BIGINT' | 'VARCHAR' | 'DOUBLE' | 'DATE' | 'BOOLEAN' | 'DECIMAL(6,2)' | 'TIMESTAMP' | 'INTEGER[]'

export interface TableColumn {
  readonly name: string
  readonly type: ColumnType
}

/** Small tables that share few values, so that joins meet and miss. */
export const tables: Readonly<Record<string, readonly TableColumn[]>> = {
  r1: columns({ id: 'INTEGER', k: 'INTEGER', c: 'VARCHAR', v: 'DOUBLE', d: 'DATE', b: 'BOOLEAN', w: 'BIGINT' }),
  r2: columns({ id: 'INTEGER', k: 'INTEGER', c: 'VARCHAR', m: 'DECIMAL(6,2)', ts: 'TIMESTAMP' }),
  l1: columns({ k: 'INTEGER', c: 'VARCHAR', x: 'INTEGER', w: 'BIGINT', l: 'INTEGER[]' }),
  l2: columns({ x: 'INTEGER', y: 'INTEGER', d: 'DATE' }),
}

export const tableNames: readonly string[] = Object.keys(tables)

function columns(types: Readonly<Record<string, ColumnType>>): readonly TableColumn[] {
  return Object.entries(types).map(([name, type]) => ({ name, type }))
}

export function columnsOf(table: string): readonly TableColumn[] {
  return tables[table] ?? []
}

const literals: Readonly<Record<ColumnType, readonly string[]>> = {
  INTEGER: ['0', '1', '2', '3', '4'],
  BIGINT: ['0', '1', '2', '3', '9007199254740993'],
  VARCHAR: ["'a'", "'b'", "'ab'", "'A'", "''"],
  DOUBLE: ['-1.5', '0', '0.5', '2', "'nan'", "'inf'"],
  DATE: ["date '2024-01-01'", "date '2024-01-02'", "date '2024-02-01'", "date '1969-12-31'"],
  BOOLEAN: ['true', 'false'],
  'DECIMAL(6,2)': ['0', '1.5', '-2.25', '10.01'],
  TIMESTAMP: [
    "timestamp '2024-01-01 00:00:00'",
    "timestamp '2024-01-01 10:00:00.000001'",
    "timestamp '2024-02-01 00:00:00'",
  ],
  'INTEGER[]': ['[1,2]', '[]', '[2,NULL]', '[3]'],
}

export function literal(random: Random, type: ColumnType): string {
  return random.pick(literals[type])
}

/** Rows of every table as SQL tuples: few distinct keys, some NULLs, some duplicates. */
export function randomRows(random: Random): ReadonlyMap<string, readonly string[]> {
  return new Map(tableNames.map((table) => [table, tableRows(random, table)]))
}

function tableRows(random: Random, table: string): readonly string[] {
  const rows: string[] = []
  const count = random.below(13)
  for (let index = 0; index < count; index++) {
    const values = columnsOf(table).map(({ name, type }) => `CAST(${cell(random, name, type, index)} AS ${type})`)
    const row = `(${values.join(', ')})`
    rows.push(row)
    if (random.chance(0.15)) rows.push(row)
  }
  return rows
}

function cell(random: Random, name: string, type: ColumnType, index: number): string {
  if (name === 'id' && random.chance(0.9)) return String(index)
  if (random.chance(0.15)) return 'NULL'
  return type === 'INTEGER' || type === 'BIGINT' ? String(random.below(3)) : literal(random, type)
}

export function createTables(prefix: string): string {
  return tableNames
    .map((table) => {
      const definitions = columnsOf(table).map(({ name, type }) => `${name} ${type}`)
      return `CREATE TABLE ${prefix}${table} (${definitions.join(', ')})`
    })
    .join('; ')
}
