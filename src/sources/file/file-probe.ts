import { z } from 'zod'
import { QuerentError } from '../../errors/querent-error.js'
import { quoteIdentifier, quoteLiteral } from '../../util/sql-text.js'
import type { Introspection } from '../source-context.js'
import { fileErrorOf, type ShowPath } from './file-error.js'
import type { TypedColumn } from './file-reading.js'
import type { FoundFile } from './found-file.js'

/** What a reader's SQL is asked with: DuckDB, how to stop, and how paths are shown in errors. */
export interface Probe {
  readonly introspection: Introspection
  readonly show: ShowPath
  readonly signal: AbortSignal
}

/** Rows of a statement over the files. Errors of files name the file. */
export async function ask(
  probe: Probe,
  sql: string,
  files: readonly FoundFile[],
): Promise<readonly (readonly unknown[])[]> {
  try {
    const query = { sql, files: files.map((file) => file.path), signal: probe.signal }
    return await probe.introspection.query(query)
  } catch (error) {
    probe.signal.throwIfAborted()
    const message = error instanceof Error ? error.message : String(error)
    const known = fileErrorOf(message, probe.show)
    if (known !== undefined) throw known
    if (error instanceof QuerentError) throw error
    throw readerError(message, files, probe.show, error)
  }
}

/** An error that no rule knows: the first line of DuckDB's message, with the file if there is only one. */
function readerError(message: string, files: readonly FoundFile[], show: ShowPath, cause: unknown): QuerentError {
  const path = files.map((file) => show(file.path))[0] ?? ''
  const shown = files.length > 1 ? `${path} or one of ${files.length - 1} other files` : path
  const reason =
    message
      .split('\n')[0]
      ?.replace(/^(?:[A-Z]\w+ )+Error: /, '')
      .replace(/\.$/, '') ?? ''
  const hint = 'Check the options of the table, and whether the file has the format that its name says.'
  return new QuerentError('file.unreadable', { path: shown, reason, hint }, { cause })
}

const describedRow = z.tuple([z.string(), z.string()]).rest(z.unknown())

/** Columns of a relation, with types as DuckDB prints them. */
export async function columnsOf(
  probe: Probe,
  from: string,
  files: readonly FoundFile[],
): Promise<readonly TypedColumn[]> {
  const rows = await ask(probe, `DESCRIBE SELECT * FROM ${from}`, files)
  return rows.map((row) => {
    const [name, type] = describedRow.parse(row)
    return { name, type }
  })
}

/** Declared columns with their types in DuckDB's spelling. Error: file.unknown_type. */
export async function canonicalColumns(
  probe: Probe,
  declared: readonly TypedColumn[],
): Promise<readonly TypedColumn[]> {
  const structure = (columns: readonly TypedColumn[]): string =>
    `(SELECT unnest(from_json('{}', ${quoteLiteral(JSON.stringify(Object.fromEntries(columns.map((column, index) => [`c${index}`, column.type]))))})))`
  try {
    const columns = await columnsOf(probe, structure(declared), [])
    return declared.map((column, index) => ({ name: column.name, type: columns[index]?.type ?? column.type }))
  } catch (error) {
    probe.signal.throwIfAborted()
    for (const column of declared) await assertType(probe, column, structure([column]))
    throw error
  }
}

async function assertType(probe: Probe, column: TypedColumn, from: string): Promise<void> {
  try {
    await columnsOf(probe, from, [])
  } catch (cause) {
    probe.signal.throwIfAborted()
    throw new QuerentError('file.unknown_type', { column: quoteIdentifier(column.name), type: column.type }, { cause })
  }
}
