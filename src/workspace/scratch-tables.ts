import { QuerentError } from '../errors/querent-error.js'
import type { Column } from '../model/column.js'
import type { FoundTable } from '../engine/pipeline/resolved-reference.js'
import type { ScratchSpace } from '../state/scratch-store.js'
import { nearest } from '../util/nearest.js'
import { quoteIdentifier } from '../util/sql-text.js'

const reserved = 'scratch'

/** `scratch.<name>` of a space; undefined where the parts mean no scratch table. */
export function scratchTable(
  parts: readonly string[],
  space: ScratchSpace | undefined,
  options: { readonly forWriting: boolean },
): FoundTable | undefined {
  const [source, name, ...rest] = parts
  if (source?.toLowerCase() !== reserved || name === undefined || rest.length > 0) return undefined
  const table = space?.tables.find((candidate) => candidate.name.toLowerCase() === name.toLowerCase())
  if (space === undefined || table === undefined) throw unknownScratch(name, space)
  const alias = `scratch_${space.id.replaceAll(/[^A-Za-z0-9_]/g, '_')}`
  const columns = table.columns.map((column, index): Column => ({
    name: column,
    type: table.columnTypes[index] ?? 'VARCHAR',
    filtering: { kind: 'local' },
  }))
  const list = table.columns.map(quoteIdentifier).join(', ')
  return {
    table: {
      name: { source: reserved, table: table.name },
      columnNames: table.columns,
      columns,
      access: 'inPlace',
      freshness: 'saved by an earlier query',
    },
    rows: {
      kind: 'fixed',
      inPlace: {
        sql: `SELECT ${list} FROM ${quoteIdentifier(alias)}.main.${quoteIdentifier(table.name)}`,
        files: [],
        attach: [{ alias, path: space.path, readOnly: !options.forWriting }],
      },
    },
  }
}

function unknownScratch(name: string, space: ScratchSpace | undefined): QuerentError {
  const names = space?.tables.map((table) => table.name) ?? []
  const near = nearest(name, names)
  const hint =
    names.length === 0
      ? 'Save a result with saveAs first, and pass the scratch handle of that answer.'
      : `This space has ${(near.length > 0 ? near : names.slice(0, 10)).map((table) => `scratch.${table}`).join(', ')}.`
  return new QuerentError('catalog.unknown_table', { table: `scratch.${name}`, hint })
}
