import { QuerentError } from '../../errors/querent-error.js'
import { formatTableName } from '../../model/table-name.js'
import type { TreeNode } from '../../model/tree.js'
import type { Catalog, ResolvedTable } from '../catalog/catalog.js'
import { referenceParts } from '../rewrite/table-references.js'
import type { FoundTable } from './resolved-reference.js'

/** Finds what a reference of a statement means. */
export interface ReferenceFinder {
  /**
   * The table, or undefined for a table function that DuckDB runs itself. Rejects with catalog.* and file.* errors.
   * @param learn values to learn an unknown shape with; absent: no request is made.
   */
  find(reference: TreeNode, learn: Readonly<Record<string, string>> | undefined): Promise<FoundTable | undefined>
}

/** Finds files that SQL names itself: `FROM 'x.csv'` and calls of the readers. */
export interface FileFinder {
  /** undefined where the reference is not a file. */
  find(reference: TreeNode, signal: AbortSignal): Promise<FoundTable | undefined>
}

export interface FinderOptions {
  readonly catalog: Catalog
  readonly files: FileFinder
  readonly signal: AbortSignal
  /** Tables of this call alone, such as its scratch tables; undefined where the parts mean none of them. */
  readonly own: (parts: readonly string[]) => Promise<FoundTable | undefined>
  /** Byte offset of the parser to character offset of the user's text. */
  readonly toPosition: (queryLocation: number) => number
}

export function referenceFinder(options: FinderOptions): ReferenceFinder {
  return {
    async find(reference, learn) {
      const location = reference['query_location']
      const position = typeof location === 'number' ? options.toPosition(location) : undefined
      try {
        const file = await options.files.find(reference, options.signal)
        if (file !== undefined || reference['type'] === 'TABLE_FUNCTION') return file
        const parts = referenceParts(reference)
        const own = await options.own(parts)
        if (own !== undefined) return own
        const { signal } = options
        const resolved = await options.catalog.resolve(parts, { signal, ...(learn === undefined ? {} : { learn }) })
        return foundTable(resolved)
      } catch (error) {
        throw error instanceof QuerentError && position !== undefined ? error.at(position) : error
      }
    },
  }
}

function foundTable({ source, table }: ResolvedTable): FoundTable {
  if (table.unknownShape !== undefined && table.columns.length === 0) {
    throw new QuerentError('source.unknown_shape', { table: formatTableName(table.name), request: table.unknownShape })
  }
  return { table, rows: { kind: 'source', source } }
}
