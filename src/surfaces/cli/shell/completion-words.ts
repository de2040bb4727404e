import { localCaller } from '../../../model/caller.js'
import { formatTableName } from '../../../model/table-name.js'
import type { TableSummary } from '../../../model/table.js'
import type { Workspace } from '../../../workspace/workspace.js'
import { displayIdentifier } from '../../../util/sql-text.js'
import { terminalText } from '../render/terminal-text.js'
import { dotCommandNames } from './dot-commands.js'

const keywords =
  'SELECT FROM WHERE GROUP ORDER BY HAVING LIMIT OFFSET JOIN LEFT ON USING WITH AS UNION ALL DISTINCT CASE WHEN THEN ELSE END AND OR NOT IN IS NULL BETWEEN LIKE ILIKE count sum avg min max'.split(
    ' ',
  )
const maxTables = 1_000
const maxDescribed = 100

export interface CompletionWords {
  /** Words that may follow, and the part of the line that they replace. */
  complete(line: string): [string[], string]
}

/** Names of the catalog as it is now. Sources that cannot be reached add none. */
export async function completionWords(workspace: Workspace, signal: AbortSignal): Promise<CompletionWords> {
  const context = { caller: localCaller, surface: 'cli', signal } as const
  const pages = await Promise.all([
    workspace.tables({ limit: maxTables }, context),
    // Columns of files and databases are known once they are described; no source is asked over the network.
    workspace.tables({ limit: maxDescribed, detail: 'full' }, context),
  ])
  return wordsOf(pages.flatMap((page) => page.tables))
}

export function wordsOf(tables: readonly TableSummary[]): CompletionWords {
  const tableNames = tables.map((table) => formatTableName(table.name))
  const columns = tables.flatMap((table) => columnsOf(table))
  return {
    complete(line) {
      const word = /[^\s(),;=<>+*/]*$/.exec(line)?.[0] ?? ''
      const candidates = line.startsWith('.')
        ? /^\.\S*$/.test(line)
          ? dotCommandNames
          : [...tableNames, ...columns, ...keywords]
        : [...tableNames, ...columns, ...columnsBehind(word, tables), ...keywords]
      return [matching(word, candidates), word]
    },
  }
}

/** Columns of the table that stands before the last dot of a word. */
function columnsBehind(word: string, tables: readonly TableSummary[]): readonly string[] {
  const dot = word.lastIndexOf('.')
  if (dot < 0) return []
  const prefix = word.slice(0, dot)
  const named = tables.filter(
    ({ name }) => same(formatTableName(name), prefix) || same(displayIdentifier(name.table), prefix),
  )
  return named.flatMap((table) => columnsOf(table)).map((column) => `${prefix}.${column}`)
}

function columnsOf({ columnNames = [] }: TableSummary): readonly string[] {
  return columnNames.map(displayIdentifier)
}

/** Names that would change the terminal when they are listed are left out: they must be typed. */
function matching(word: string, candidates: readonly string[]): string[] {
  const start = word.toLowerCase()
  const harmless = (candidate: string): boolean => terminalText(candidate) === candidate
  return [...new Set(candidates)].filter(
    (candidate) => candidate.toLowerCase().startsWith(start) && harmless(candidate),
  )
}

function same(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}
