import type { Filter } from '../../model/filter.js'
import type { ScanPlan, ScanRequest } from '../source.js'
import { scanSql, type FileReading } from './file-reading.js'
import type { FoundFile } from './found-file.js'
import { partitionMatches, partitionValuesOf } from './hive-partitions.js'
import { shownPath } from './file-table.js'

const maxPreviewFiles = 5

/** The scan over those files that can hold rows of the query. Pure. */
export function planFileScan(reading: FileReading, request: ScanRequest): ScanPlan {
  const { files, residual } = prune(reading, request.filters)
  const pruned = reading.files.length - files.length
  const notes = [
    ...reading.notes,
    ...(pruned === 0 ? [] : [`${pruned} of ${reading.files.length} files are left out by their folders`]),
  ]
  const shown = files.slice(0, maxPreviewFiles).map((file) => `read ${shownPath(file.path, reading.folder)}`)
  const more = files.length - shown.length
  return {
    table: request.table.name,
    residual,
    requests: { estimate: 0, max: 0 },
    preview: more > 0 ? [...shown, `and ${more} more files`] : shown,
    ...(notes.length === 0 ? {} : { notes }),
    inPlace: { sql: scanSql(reading, files), files: files.map((file) => file.path) },
  }
}

interface Pruned {
  readonly files: readonly FoundFile[]
  readonly residual: readonly Filter[]
}

/** Leaves out files whose folders show that none of their rows is wanted. */
function prune(reading: FileReading, filters: readonly Filter[]): Pruned {
  if (reading.partitions.size === 0 || filters.length === 0) return { files: reading.files, residual: filters }
  const types = new Map(
    reading.columns.filter((column) => reading.partitions.has(column.name)).map((column) => [column.name, column.type]),
  )
  const uncertain = new Set<Filter>()
  const files = reading.files.filter((file) => {
    const values = partitionValuesOf(file.path)
    const answers = filters.map((filter) => ({ filter, answer: partitionMatches(filter, values, types) }))
    if (answers.some(({ answer }) => answer === false)) return false
    for (const { filter, answer } of answers) if (answer === undefined) uncertain.add(filter)
    return true
  })
  return { files, residual: filters.filter((filter) => uncertain.has(filter)) }
}
