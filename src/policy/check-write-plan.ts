import { QuerentError } from '../errors/querent-error.js'
import { isTreeNode, type TreeNode } from '../model/tree.js'
import { parseLossless } from '../util/lossless-json.js'
import { functionHint, scalarFunctions, tableFunctions } from './functions.js'
import type { WriteStatement } from './write-statement.js'

export interface CheckWritePlanOptions {
  readonly statement: WriteStatement
  /** Catalog name of the one database that the statement may touch. */
  readonly database: string
}

export interface PlannedTable {
  readonly schema: string
  readonly table: string
}

export interface CheckedWritePlan {
  readonly statement: WriteStatement
  readonly target: PlannedTable
  /** Tables that the statement reads, each once; the target among them where it is read. */
  readonly reads: readonly PlannedTable[]
}

const writeOperators: Readonly<Record<WriteStatement, readonly string[]>> = {
  // ON CONFLICT is planned as a merge.
  INSERT: ['LOGICAL_INSERT', 'LOGICAL_MERGE_INTO'],
  UPDATE: ['LOGICAL_UPDATE'],
  DELETE: ['LOGICAL_DELETE'],
  MERGE: ['LOGICAL_MERGE_INTO'],
  'CREATE TABLE AS': ['LOGICAL_CREATE_TABLE'],
}

const readOperators: ReadonlySet<string> = new Set(
  (
    'AGGREGATE_AND_GROUP_BY ANY_JOIN ASOF_JOIN CHUNK_GET COMPARISON_JOIN CROSS_PRODUCT CTE_REF DELIM_GET DELIM_JOIN ' +
    'DEPENDENT_JOIN DISTINCT DUMMY_SCAN EMPTY_RESULT EXCEPT EXPRESSION_GET FILTER GET INTERSECT JOIN LIMIT ' +
    'MATERIALIZED_CTE ORDER_BY PIVOT POSITIONAL_JOIN PROJECTION RECURSIVE_CTE SAMPLE TOP_N UNION UNNEST WINDOW'
  )
    .split(' ')
    .map((name) => `LOGICAL_${name}`),
)

/** What DuckDB itself puts into a plan, and the default of a column, which its table's owner chose. */
const plannedFunctions: ReadonlySet<string> = new Set(['constant_or_null', 'nextval', 'remap_struct', 'unpivot_list'])

/** Keys under which a plan keeps a table's definition and its defaults, not what the statement asks for. */
const definitions: ReadonlySet<string> = new Set(['table_info', 'info', 'bound_defaults', 'bound_constraints'])

/**
 * Judges what a writing statement does on its plan: `json_serialize_plan(…, optimize := false)` of the text that
 * `checkWrite` gave, on an instance that opens no files. Errors: policy.write, policy.function.
 */
export function checkWritePlan(planJson: string, options: CheckWritePlanOptions): CheckedWritePlan {
  const plan = onlyPlan(planJson)
  const write = writeOperator(plan, options.statement)
  const target = targetOf(write, options)
  const reads = new Map<string, PlannedTable>()
  walk(plan, (node) => {
    checkOperator(node, write)
    checkFunction(node)
    const table = readTable(node, options)
    if (table !== undefined) reads.set(JSON.stringify([table.schema, table.table]), table)
  })
  return { statement: options.statement, target, reads: [...reads.values()] }
}

function onlyPlan(planJson: string): TreeNode {
  let parsed: unknown
  try {
    parsed = parseLossless(planJson)
  } catch {
    parsed = undefined
  }
  const plans: unknown = isTreeNode(parsed) && parsed['error'] === false ? parsed['plans'] : undefined
  const plan: unknown = Array.isArray(plans) && plans.length === 1 ? plans[0] : undefined
  return isTreeNode(plan) ? plan : refuse('it has no plan that can be checked')
}

/** RETURNING puts a projection above the operator, and WITH before the statement puts it beside its queries. */
function writeOperator(plan: TreeNode, statement: WriteStatement): TreeNode {
  let node: TreeNode | undefined = plan
  while (node?.['type'] === 'LOGICAL_PROJECTION' || node?.['type'] === 'LOGICAL_MATERIALIZED_CTE') {
    node = childrenOf(node).at(-1)
  }
  const type = typeof node?.['type'] === 'string' ? node['type'] : ''
  if (node === undefined || !writeOperators[statement].includes(type))
    return refuse(`it is not the ${statement} it reads like`)
  return node
}

function targetOf(write: TreeNode, options: CheckWritePlanOptions): PlannedTable {
  const info = write['table_info'] ?? write['info']
  if (!isTreeNode(info) || info['type'] !== 'TABLE_ENTRY') return refuse('its target is not a table')
  if (info['temporary'] === true) return refuse('its table is temporary')
  return tableOf(info, options)
}

function tableOf(names: TreeNode, { database }: CheckWritePlanOptions): PlannedTable {
  const { catalog, schema, table } = names
  if (typeof schema !== 'string' || typeof table !== 'string') return refuse('it names no table')
  if (catalog !== database) return refuse(`${schema}.${table} is not a table of the database that is open for writing`)
  return { schema, table }
}

function readTable(node: TreeNode, options: CheckWritePlanOptions): PlannedTable | undefined {
  if (node['type'] !== 'LOGICAL_GET') return undefined
  const name = typeof node['name'] === 'string' ? node['name'] : ''
  if (name === 'seq_scan' && isTreeNode(node['function_data'])) return tableOf(node['function_data'], options)
  if (tableFunctions.has(name)) return undefined
  return refuseFunction(name)
}

function checkOperator(node: TreeNode, write: TreeNode): void {
  const type = node['type']
  if (node === write || typeof type !== 'string' || !type.startsWith('LOGICAL_')) return
  if ('expression_class' in node || readOperators.has(type)) return
  refuse(`it holds ${type.replace('LOGICAL_', '').replaceAll('_', ' ')}`)
}

function checkFunction(node: TreeNode): void {
  const kind = node['expression_class']
  const name = node['name']
  if (typeof kind !== 'string' || typeof name !== 'string' || !('arguments' in node)) return
  if (!scalarFunctions.has(name.toLowerCase()) && !plannedFunctions.has(name)) refuseFunction(name)
}

/** A plan nests deeper than recursion may: its own stack. */
function walk(root: TreeNode, visit: (node: TreeNode) => void): void {
  const open: unknown[] = [root]
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (Array.isArray(value)) open.push(...(value as readonly unknown[]))
    if (!isTreeNode(value)) continue
    visit(value)
    for (const [key, child] of Object.entries(value)) {
      if (typeof child === 'object' && child !== null && !definitions.has(key)) open.push(child)
    }
  }
}

function childrenOf(node: TreeNode): readonly TreeNode[] {
  return Array.isArray(node['children']) ? node['children'].filter(isTreeNode) : []
}

function refuseFunction(name: string): never {
  throw new QuerentError('policy.function', { function: name, hint: functionHint(name) })
}

function refuse(problem: string): never {
  throw new QuerentError('policy.write', {
    problem,
    hint: 'Write one INSERT, UPDATE, DELETE, MERGE or CREATE TABLE AS on tables of the database that is open for writing.',
  })
}
