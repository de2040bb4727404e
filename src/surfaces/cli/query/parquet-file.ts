import { QuerentError } from '../../../errors/querent-error.js'
import type { OpenedWorkspace } from '../../../workspace/open-workspace.js'
import type { CallContext, QueryResult } from '../../../workspace/workspace.js'
import { warn, type Output } from '../output.js'
import { copyFileWhole } from './output-file.js'

/** Writes the kept rows of a result as Parquet, with the types that DuckDB gave them. */
export async function writeParquet(
  workspace: OpenedWorkspace,
  { result, file, context }: { readonly result: QueryResult; readonly file: string; readonly context: CallContext },
  output: Output,
): Promise<void> {
  if (result.result === undefined) throw new QuerentError('internal.unexpected', { message: 'the result was not kept' })
  const page = await workspace.fetchResult({ result: result.result, format: 'parquet' }, context)
  if (page.file === undefined) throw new QuerentError('internal.unexpected', { message: 'the result was not exported' })
  await copyFileWhole(page.file.path, file)
  if (result.partial === true && result.warning !== undefined) await warn(output, result.warning)
  if (!page.complete) {
    await warn(output, `${file} holds only the first ${page.totalRows} rows; there are more. --max-rows N gives more.`)
  }
}
