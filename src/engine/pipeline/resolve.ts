import { QuerentError } from '../../errors/querent-error.js'
import type { Table } from '../../model/table.js'
import { tableNameKey } from '../../model/table-name.js'
import type { TreeNode } from '../../model/tree.js'
import { forceAnyValues, type AnyValues } from '../rewrite/any-values.js'
import { tagReferences } from '../rewrite/reference-tags.js'
import { nameRelations, type RelationName } from '../rewrite/relation-names.js'
import { equalityTexts } from './learn-values.js'
import type { ReferenceFinder } from './reference-finder.js'
import { RelationNames } from './relation-names.js'
import type { FoundTable, ResolvedReference } from './resolved-reference.js'

export interface ResolveOptions {
  readonly queryId: string
  readonly finder: ReferenceFinder
  readonly maxReferences: number
  /** Whether one request may learn a table of unknown shape. */
  readonly mayLearn: boolean
}

export interface ResolvedStatement {
  /** The statement with full paths: what is planned and run. */
  readonly statement: TreeNode
  readonly references: readonly ResolvedReference[]
}

/** Replaces every reference to a table by a relation of the query's own. Metadata only: no rows are read. */
export async function resolveReferences(statement: TreeNode, options: ResolveOptions): Promise<ResolvedStatement> {
  const tagged = tagReferences(statement)
  if (tagged.references.length > options.maxReferences) {
    throw new QuerentError('limit.references', { count: tagged.references.length, max: options.maxReferences })
  }
  const learn = options.mayLearn ? equalityTexts(statement) : undefined
  const found = await findAll(tagged.references, options.finder, learn)
  const anyValues = forceAnyValues(tagged.tree, (number) => anyValuesOf(found.get(number)?.table))
  const names = new RelationNames(options.queryId)
  const references: ResolvedReference[] = []
  const relations = new Map<number, RelationName>()
  for (const [number, table] of found) {
    const { schema, name } = writtenPath(tagged.references[number], table.table)
    const assigned = names.assign(schema, name, shareKeyOf(table))
    relations.set(number, assigned)
    if (assigned.isNew) references.push(referenceTo(table, assigned, anyValues.forced.get(number) ?? {}))
  }
  return { statement: nameRelations(anyValues.tree, relations), references }
}

/** References to one table in place may share a relation; each reference to a remote table has its own. */
function shareKeyOf({ table, rows }: FoundTable): string | undefined {
  if (rows.kind === 'fixed') return rows.inPlace.sql
  return table.access === 'inPlace' ? tableNameKey(table.name) : undefined
}

async function findAll(
  references: readonly TreeNode[],
  finder: ReferenceFinder,
  learn: Readonly<Record<string, string>> | undefined,
): Promise<ReadonlyMap<number, FoundTable>> {
  const found = await Promise.all(references.map((reference) => finder.find(reference, learn)))
  return new Map(found.flatMap((table, number) => (table === undefined ? [] : [[number, table] as const])))
}

function referenceTo(
  found: FoundTable,
  assigned: RelationName & { readonly number: number },
  forced: Readonly<Record<string, string>>,
): ResolvedReference {
  return {
    ...found,
    forced,
    catalog: assigned.catalog,
    relation: {
      catalog: assigned.number,
      schema: assigned.schema,
      name: assigned.name,
      columns: found.table.columns.map(({ name, type }) => ({ name, type })),
    },
  }
}

/** Schema and name as the statement writes them, so that its column references bind. */
function writtenPath(reference: TreeNode | undefined, table: Table): { schema: string; name: string } {
  const { source, schema, table: name } = table.name
  // DuckDB has schemas or catalogs of these names.
  if (source === 'information_schema' || source === 'system') return { schema: `querent_${source}`, name }
  const written = typeof reference?.['schema_name'] === 'string' ? reference['schema_name'] : undefined
  if (typeof reference?.['catalog_name'] === 'string') return { schema: `${source}.${written ?? ''}`, name }
  return { schema: written ?? (schema === undefined ? source : `${source}.${schema}`), name }
}

function anyValuesOf(table: Table | undefined): AnyValues | undefined {
  const entries = table?.columns.flatMap((column) =>
    column.anyValue === undefined ? [] : [[column.name.toLowerCase(), column.anyValue] as const],
  )
  return entries === undefined || entries.length === 0 ? undefined : new Map(entries)
}
