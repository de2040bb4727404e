import { formatTableName } from '../../model/table-name.js'
import type { CallContext, Workspace } from '../../workspace/workspace.js'
import type { Completion } from './offer.js'

const maxValues = 100

/** Names of tables that contain what was typed: those that begin with it first. */
export async function completeTable(workspace: Workspace, typed: string, call: CallContext): Promise<Completion> {
  const words = typed.replaceAll(/[^\p{L}\p{N}_]+/gu, ' ').trim()
  const page = await workspace.tables(
    { detail: 'names', limit: maxValues, ...(words === '' ? {} : { query: words }) },
    call,
  )
  const wanted = typed.toLowerCase()
  const names = page.tables.map((table) => formatTableName(table.name))
  const matching = names.filter((name) => name.toLowerCase().includes(wanted))
  const values = matching.sort((a, b) => rank(a, wanted) - rank(b, wanted) || a.localeCompare(b))
  const hasMore = page.nextCursor !== undefined
  return { values, total: hasMore ? page.total : values.length, hasMore }
}

function rank(name: string, wanted: string): number {
  return name.toLowerCase().startsWith(wanted) ? 0 : 1
}
