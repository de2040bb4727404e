import { realpath } from 'node:fs/promises'
import path from 'node:path'
import { QuerentError } from '../../errors/querent-error.js'
import type { Table, TableName } from '../../model/table.js'
import type { Introspection } from '../source-context.js'
import type { ScanPlan, ScanRequest } from '../source.js'
import { adHocOptions, type AdHocOptions } from './ad-hoc-options.js'
import type { FileReading } from './file-reading.js'
import { AllowedFiles, type FileRoots } from './file-roots.js'
import { columnOf, costOf, shownPath } from './file-table.js'
import { findFiles } from './find-files.js'
import { versionOf, type FoundFile } from './found-file.js'
import { learnReading } from './learn-reading.js'
import { isRemotePath, parsePathPattern } from './path-pattern.js'
import { planFileScan } from './plan-file-scan.js'

/** A reference to files in a statement: `FROM 'x.csv'` or `read_csv('x.csv', header = true)`. */
export interface AdHocFileRequest {
  /** The name that the reference gets as a table of the query. */
  readonly name: TableName
  /** The function's name; undefined for a path that stands for itself. */
  readonly functionName: string | undefined
  /** Literal paths, patterns among them. */
  readonly paths: readonly string[]
  /** Named options with constant values as JSON values: text, numbers, booleans, lists, structs as objects. */
  readonly options: Readonly<Record<string, unknown>>
  readonly roots: FileRoots
  /** Folder that relative paths and roots count from. */
  readonly folder: string
  /** Files and folders that are never read: the workspace file, its includes, the state folder. */
  readonly forbidden: readonly string[]
  readonly introspection: Introspection
  readonly signal: AbortSignal
}

export interface AdHocFileTable {
  readonly table: Table
  /** Pure, as `Source.planScan`. */
  readonly planScan: (request: ScanRequest) => ScanPlan
}

/**
 * The table that a statement's files make, described. Every real path is checked before any file is opened. Errors:
 * file.not_allowed, file.remote_unsupported, file.bad_option, file.unknown_format and those of `findFiles` and readers.
 */
export async function adHocFileTable(request: AdHocFileRequest): Promise<AdHocFileTable> {
  const options = adHocOptions(request.functionName, request.paths, request.options)
  const folder = await realpath(request.folder).catch(() => path.resolve(request.folder))
  const files = await allowedFiles(request, options, folder)
  const reading = await learnedReading(request, options, files, folder)
  const columns = reading.columns.map((column) => columnOf(column, reading))
  const table: Table = {
    name: request.name,
    columnNames: columns.map((column) => column.name),
    columns,
    access: 'inPlace',
    cost: costOf(files),
    freshness: 'read in place',
  }
  return { table, planScan: (scan) => planFileScan(reading, scan) }
}

async function allowedFiles(
  request: AdHocFileRequest,
  options: AdHocOptions,
  folder: string,
): Promise<readonly FoundFile[]> {
  if (request.paths.length === 0) throw new QuerentError('file.not_found', { path: 'an empty list of paths' })
  const allowed = await AllowedFiles.of(request.roots, folder, request.forbidden)
  for (const text of request.paths) {
    if (isRemotePath(text)) continue
    const pattern = parsePathPattern(text, folder)
    if (pattern === undefined) throw new QuerentError('file.outside', { path: text })
    if (!allowed.mayLookFor(pattern)) throw notAllowed(text, request.roots, request.folder)
  }
  const { format } = options
  const files: FoundFile[] = []
  for (const text of request.paths) {
    for (const file of await findFiles([text], { folder, format, confined: false, signal: request.signal })) {
      // The file's own name is not told: a link or a pattern may have led to it.
      if (!allowed.mayRead(file.path)) throw notAllowed(text, request.roots, request.folder)
      if (!files.some((known) => known.path === file.path)) files.push(file)
    }
  }
  return files
}

function notAllowed(shown: string, roots: FileRoots, folder: string): QuerentError {
  // As a statement may write them: where the workspace lies on the host is not told.
  const shownRoot = (root: string): string => shownPath(path.resolve(folder, root), folder) || '.'
  const hint =
    roots === 'any'
      ? 'Hidden files, the workspace file and its state are never read.'
      : roots.length === 0
        ? 'This workspace reads only its tables: find them with search_tables. Its author can allow files under files.roots.'
        : `Files that match ${roots.map(shownRoot).join(', ')} may be read (files.roots of the workspace file), hidden ones excepted.`
  return new QuerentError('file.not_allowed', { path: shown, hint })
}

const maxRemembered = 200
const remembered = new WeakMap<Introspection, Map<string, FileReading>>()

/** What was learned holds for the same options and the same state of the files. */
async function learnedReading(
  request: AdHocFileRequest,
  options: AdHocOptions,
  files: readonly FoundFile[],
  folder: string,
): Promise<FileReading> {
  const known = remembered.get(request.introspection) ?? new Map<string, FileReading>()
  remembered.set(request.introspection, known)
  const key = JSON.stringify([options, folder, versionOf(files)])
  const before = known.get(key)
  if (before !== undefined) return before
  const show = (file: string): string => shownPath(file, folder)
  const probe = { introspection: request.introspection, signal: request.signal, show }
  const reading = await learnReading(files, { ...options, schema: undefined, folder }, probe)
  known.set(key, reading)
  const oldest = known.keys().next().value
  if (known.size > maxRemembered && oldest !== undefined) known.delete(oldest)
  return reading
}
