import type { TreeNode } from '../../model/tree.js'
import { nameColumns, unnamedSubqueries } from '../rewrite/subquery-columns.js'
import type { Engine } from '../client/engine.js'
import { treeText } from './plan-query.js'

/** Names columns that hold a subquery after the statement as it was written, before its tables get other paths. */
export async function nameSubqueryColumns(
  statement: TreeNode,
  { engine, signal }: { readonly engine: Engine; readonly signal: AbortSignal },
): Promise<TreeNode> {
  const names = await Promise.all(
    [...unnamedSubqueries(statement)].map(async ([location, { select }]) => {
      const { sql } = await engine.call('deparse', { tree: treeText({ node: select }) }, { signal })
      return [location, sql.replace(/^SELECT /, '')] as const
    }),
  )
  return nameColumns(statement, new Map(names))
}
