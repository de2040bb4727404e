import type { z } from 'zod'
import { checkAuth } from './check-auth.js'
import { reportTwice } from './check-table.js'

type AuthEntry = Parameters<typeof checkAuth>[0]

/** What the checks read of a source's entry. */
interface SourceEntry {
  readonly config: AuthEntry['config']
  readonly tables: readonly (TableEntry & AuthEntry['tables'][number])[]
  readonly safety?: Rules | undefined
}

interface TableEntry {
  readonly name: string
  readonly params: readonly { readonly name: string }[]
  readonly response: { readonly schema?: readonly { readonly name: string }[] | undefined }
  readonly safety?: Rules | undefined
}

interface Rules {
  readonly requireFiltersOn: readonly string[]
}

/** Faults of a source's entry that show only between its tables. A rule with a typo would protect nothing. */
export function checkSource(source: SourceEntry, context: z.RefinementCtx): void {
  const { tables } = source
  checkAuth(source, context)
  reportTwice(tables, (index, name) => {
    context.addIssue({ code: 'custom', path: ['tables', index, 'name'], message: `the table ${name} is given twice` })
  })
  reportUnknown(source.safety, tables, ['safety'], context)
  for (const [index, table] of tables.entries()) {
    reportUnknown(table.safety, [table], ['tables', index, 'safety'], context)
  }
}

function reportUnknown(
  rules: Rules | undefined,
  tables: readonly TableEntry[],
  path: readonly (string | number)[],
  context: z.RefinementCtx,
): void {
  for (const [index, column] of (rules?.requireFiltersOn ?? []).entries()) {
    if (tables.some((table) => mayHaveColumn(table, column))) continue
    const message = `no table has a column ${column}`
    context.addIssue({ code: 'custom', path: [...path, 'require_filters_on', index], message })
  }
}

/** A table without a schema may learn any column. */
function mayHaveColumn({ params, response: { schema } }: TableEntry, column: string): boolean {
  const names = [...params, ...(schema ?? [])].map(({ name }) => name.toLowerCase())
  return schema === undefined || names.includes(column.toLowerCase())
}
