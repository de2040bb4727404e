import type { OpenedWorkspace } from '../../../workspace/open-workspace.js'
import type { QueryResult } from '../../../workspace/workspace.js'
import { warn, type Output } from '../output.js'

/** Says what the answer does not have, and how to get it. */
export async function sayCaps(
  workspace: OpenedWorkspace,
  { result, file }: { readonly result: QueryResult; readonly file?: string },
  output: Output,
): Promise<void> {
  if (result.warning !== undefined) await warn(output, result.warning)
  if (result.truncated === true) await warn(output, capText(workspace, result, file))
}

function capText(workspace: OpenedWorkspace, { rowCount, totalRows }: QueryResult, file: string | undefined): string {
  const { maxRows, maxChars } = workspace.limits
  const where = file === undefined ? 'these are' : `${file} holds`
  const rows = totalRows === undefined ? `${rowCount} rows; there are more` : `${rowCount} of ${totalRows} rows`
  const byRows = rowCount >= maxRows
  const remedy = byRows
    ? `--max-rows ${totalRows ?? 'N'} gives ${totalRows === undefined ? 'more' : 'all of them'}.`
    : `They fill the ${maxChars} characters of an answer; --max-chars raises that.`
  return `${where} only the first ${rows}. ${remedy}`
}
