import { localCaller } from '../../../model/caller.js'
import type { OpenedWorkspace } from '../../../workspace/open-workspace.js'
import type { CallContext, QueryResult } from '../../../workspace/workspace.js'
import { say, widthOf, write, type Output } from '../output.js'
import { progressLine } from '../progress-line.js'
import { renderRows, type RowFormat } from '../render/rows.js'
import { renderTable } from '../render/table.js'
import { sayCaps } from './answer-notes.js'
import { writeFileWhole } from './output-file.js'
import { writeParquet } from './parquet-file.js'
import type { QueryFormat } from './query-format.js'

export interface RunQueryOptions {
  readonly sql: string
  readonly params: Readonly<Record<string, unknown>>
  readonly format: QueryFormat
  /** File to write instead of stdout. */
  readonly file?: string
  readonly signal: AbortSignal
}

/** Runs one statement and prints its rows. Everything that is not data goes to stderr. */
export async function runQuery(workspace: OpenedWorkspace, options: RunQueryOptions, output: Output): Promise<void> {
  const { sql, params, format, file, signal } = options
  const progress = progressLine(output)
  const context: CallContext = {
    caller: localCaller,
    surface: 'cli',
    session: 'cli',
    signal,
    onProgress: (update) => {
      progress.update(update)
    },
  }
  const request = {
    sql,
    ...(Object.keys(params).length === 0 ? {} : { params }),
    ...(format === 'parquet' ? { keep: true } : {}),
  }
  const result = await workspace.query(request, context).finally(() => {
    progress.clear()
  })
  if (format === 'parquet' && file !== undefined) {
    await writeParquet(workspace, { result, file, context }, output)
    return
  }
  await printRows(result, options, output)
  await sayCaps(workspace, { result, ...(file === undefined ? {} : { file }) }, output)
}

async function printRows(result: QueryResult, { format, file }: RunQueryOptions, output: Output): Promise<void> {
  if (format === 'table') {
    await printTable(result, file, output)
    return
  }
  const forTerminal = file === undefined && output.out.isTTY === true
  const pieces = renderRows(result, format as RowFormat, { forTerminal })
  if (file === undefined) await write(output.out, pieces)
  else await writeFileWhole(file, pieces)
}

async function printTable(result: QueryResult, file: string | undefined, output: Output): Promise<void> {
  const { text, shortened } = renderTable(result, file === undefined ? widthOf(output) : undefined)
  if (file !== undefined) {
    await writeFileWhole(file, [text])
    return
  }
  await write(output.out, text)
  if (output.err.isTTY === true) await say(output, countText(result))
  if (shortened > 0) {
    const cells = shortened === 1 ? '1 cell is' : `${shortened} cells are`
    await say(output, `note: ${cells} shortened to fit the terminal, marked …; querent query -f json shows them whole`)
  }
}

function countText({ rowCount, elapsedMs }: QueryResult): string {
  return `${rowCount} ${rowCount === 1 ? 'row' : 'rows'} in ${(elapsedMs / 1000).toFixed(2)} s`
}
