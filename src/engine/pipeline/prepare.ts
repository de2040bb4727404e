import { QuerentError } from '../../errors/querent-error.js'
import { isTreeNode, type TreeNode } from '../../model/tree.js'
import { checkTree } from '../../policy/check-tree.js'
import { answerPivot, nextPivotQuestion } from '../../policy/pivot-question.js'
import { userPosition } from '../../policy/position.js'
import type { ExplainForm, QueryForm } from '../../policy/statement.js'
import { parseLossless } from '../../util/lossless-json.js'
import type { ParameterValues } from '../rewrite/parameter-values.js'
import { bindParameters } from '../rewrite/parameters.js'
import { rewriteShowStatements } from '../rewrite/show-statements.js'
import { nameSubqueryColumns } from './name-subquery-columns.js'
import { planQuery, type PlannedQuery } from './plan-query.js'
import type { QueryScope } from './query-scope.js'
import { referenceFinder } from './reference-finder.js'
import { resolveReferences } from './resolve.js'
import { maxReferences, type EngineServices } from './services.js'

export type ReadForm = QueryForm | ExplainForm

export interface PrepareOptions {
  readonly form: ReadForm
  /** The user's text, which positions of errors refer to. */
  readonly sql: string
  readonly params: ParameterValues | undefined
  /** Plan also what need not be planned to run: explain shows it. */
  readonly planAlways?: boolean
  /** Runs a statement of its own that asks which values a PIVOT has; one VARCHAR column. */
  readonly askValues: (document: TreeNode) => Promise<readonly string[]>
}

/** parse, check, resolve, rewrite, plan: everything before the first request. */
export async function prepareQuery(
  options: PrepareOptions,
  services: EngineServices,
  scope: QueryScope,
): Promise<PlannedQuery> {
  const { form } = options
  const { tree } = await services.engine.call('parse', { sql: form.sql }, { signal: scope.signal })
  const parsed = parseLossless(tree)
  if (!isTreeNode(parsed)) throw new QuerentError('sql.empty')
  let document = checkTree(parsed, { text: form }).tree
  while (form.asksPivotValues) {
    const question = nextPivotQuestion(document)
    if (question === undefined) break
    const { tree: asked } = checkTree(question.tree)
    document = answerPivot(document, question, await options.askValues(asked))
  }
  if (form.asksPivotValues) document = checkTree(document, { text: form }).tree
  return prepareDocument(document, options, services, scope)
}

/** resolve, rewrite, plan of a checked tree. */
export async function prepareDocument(
  document: TreeNode,
  options: Pick<PrepareOptions, 'form' | 'params' | 'sql' | 'planAlways'> & { readonly ignoreExtraParams?: boolean },
  services: EngineServices,
  scope: QueryScope,
): Promise<PlannedQuery> {
  const [statement] = Array.isArray(document['statements']) ? (document['statements'] as readonly TreeNode[]) : []
  if (statement === undefined) throw new QuerentError('sql.empty')
  const finder = referenceFinder({
    catalog: services.catalog,
    files: scope.files,
    signal: scope.signal,
    own: scope.ownTables,
    toPosition: (location) => userPosition(options.form, location),
  })
  const bound = bindParameters(rewriteShowStatements(statement), options.params, {
    ignoreExtra: options.ignoreExtraParams === true,
  })
  const named = await nameSubqueryColumns(bound, { engine: services.engine, signal: scope.signal })
  const resolved = await resolveReferences(named, {
    queryId: scope.queryId,
    finder,
    maxReferences,
    mayLearn: scope.mayLearn,
  })
  return planQuery(resolved, {
    engine: services.engine,
    sql: options.sql,
    always: options.planAlways === true,
    ...scope,
  })
}
