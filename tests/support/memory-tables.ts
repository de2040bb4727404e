import type { Column } from '../../src/model/column.js'
import type { MemoryTable } from './memory-workspace.js'

export function memoryTable(
  source: string,
  table: string,
  columns: readonly Column[],
  rows: readonly (readonly unknown[])[],
): MemoryTable {
  return {
    table: {
      name: { source, table },
      description: `The ${table} of ${source}`,
      columnNames: columns.map((column) => column.name),
      columns,
      access: 'inPlace',
      freshness: 'read in place',
    },
    rows,
  }
}

const local = { kind: 'local' } as const

export const accounts = memoryTable(
  'data',
  'accounts',
  [
    { name: 'id', type: 'BIGINT', filtering: local },
    { name: 'name', type: 'VARCHAR', description: 'Full name', filtering: local },
  ],
  [
    [1, 'Ada'],
    [2, 'Grace'],
  ],
)

export const orders = memoryTable(
  'data',
  'orders',
  [
    { name: 'id', type: 'BIGINT', filtering: local },
    { name: 'owner', type: 'VARCHAR', filtering: { kind: 'required', operators: ['=', 'in'] } },
    { name: 'state', type: 'VARCHAR', filtering: { kind: 'pushed', operators: ['='] }, defaultValue: 'open' },
  ],
  Array.from({ length: 5000 }, (_, index) => [index, `owner ${index % 7}`, 'open']),
)

/** Cells that grow when JSON stands in JSON: quotes, backslashes, control and wide characters. */
export const nasty = memoryTable(
  'data',
  'nasty',
  [{ name: 'text', type: 'VARCHAR', filtering: local }],
  Array.from({ length: 3000 }, (_, index) => [`${'"\\'.repeat(20)}\u0000\u001b\n\t\u2028${'é漢😀'.repeat(5)}${index}`]),
)
