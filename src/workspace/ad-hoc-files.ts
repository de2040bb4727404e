import { join } from 'node:path'
import type { FilePattern } from '../config/file-pattern.js'
import { QuerentError } from '../errors/querent-error.js'
import type { TableName } from '../model/table.js'
import type { TreeNode } from '../model/tree.js'
import type { FileFinder } from '../engine/pipeline/reference-finder.js'
import type { FoundTable } from '../engine/pipeline/resolved-reference.js'
import { fileReferenceOf } from '../policy/file-reference.js'
import { looksLikeFile } from '../policy/references.js'
import type { FileRoots } from '../sources/file/file-roots.js'
import type { Introspection } from '../sources/source-context.js'

export interface AdHocFilesOptions {
  readonly roots: readonly FilePattern[] | 'any'
  /** Folder that relative paths count from. */
  readonly folder: string
  /** Files and folders that are never read. */
  readonly forbidden: readonly string[]
  readonly introspection: Introspection
}

/** Files that SQL names itself, under `files.roots`. */
export function adHocFiles(options: AdHocFilesOptions): FileFinder {
  const roots: FileRoots = options.roots === 'any' ? 'any' : options.roots.map(patternText)
  return {
    async find(reference, signal) {
      const named = namedFiles(reference)
      if (named === undefined) return undefined
      const { adHocFileTable } = await import('../sources/file/ad-hoc-file-table.js')
      const { table, planScan } = await adHocFileTable({ ...named, ...options, roots, signal })
      const columns = table.columns.map((column) => column.name)
      const { inPlace } = planScan({ table, columns, filters: [], otherConditions: [] })
      if (inPlace === undefined) {
        throw new QuerentError('internal.unexpected', { message: 'a file gave no way to read it in place' })
      }
      return { table, rows: { kind: 'fixed', inPlace } } satisfies FoundTable
    },
  }
}

interface NamedFiles {
  readonly name: TableName
  readonly functionName: string | undefined
  readonly paths: readonly string[]
  readonly options: Readonly<Record<string, unknown>>
}

function namedFiles(reference: TreeNode): NamedFiles | undefined {
  const call = fileReferenceOf(reference)
  if (call !== undefined) {
    // DuckDB calls a reader's rows by the reader's name.
    const name = { source: 'files', table: call.function }
    return { name, functionName: call.function, paths: call.paths, options: call.options }
  }
  const path = reference['table_name']
  const isBare = reference['schema_name'] === undefined && reference['catalog_name'] === undefined
  if (reference['type'] !== 'BASE_TABLE' || !isBare || typeof path !== 'string' || !looksLikeFile(path))
    return undefined
  return { name: { source: 'files', table: stemOf(path) }, functionName: undefined, paths: [path], options: {} }
}

/** `data/sales.csv.gz` is called `sales`, as DuckDB does. */
function stemOf(path: string): string {
  const base = path.split(/[\\/]/).at(-1) ?? path
  return base.replace(/\..*$/, '') || base
}

function patternText(pattern: FilePattern): string {
  return pattern.glob === undefined ? pattern.folder : join(pattern.folder, pattern.glob)
}
