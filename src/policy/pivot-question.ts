import { QuerentError } from '../errors/querent-error.js'
import { isTreeNode, type TreeNode } from '../model/tree.js'
import { groupsOfPivot } from './pivot-groups.js'
import { pivotPlaceholder } from './pivot-lists.js'

/** PIVOT columns that are made from values that were asked. */
export const maxPivotValues = 1_000

/** What must be asked before a PIVOT without an IN list can be planned. */
export interface PivotQuestion {
  /**
   * A parse tree of its own, to be sent the whole way of a query: one VARCHAR column, the distinct values. Ask for
   * `maxPivotValues` + 1 rows.
   */
  readonly tree: TreeNode
  /** Where the answer goes: the column of the PIVOT. */
  readonly path: readonly (string | number)[]
  /** The PIVOT as it is before the answer. */
  readonly pivot: TreeNode
}

/**
 * The next question of a tree whose form says `asksPivotValues`; undefined when none is left. One PIVOT may stand
 * inside another: answer with `answerPivot` and ask that tree again.
 */
export function nextPivotQuestion(document: TreeNode): PivotQuestion | undefined {
  return new QuestionFinder(document).find(document, [], [])
}

/**
 * The tree with the values in place of the placeholder, in DuckDB's order; a PIVOT on no values keeps only its groups. Throws `sql.pivot_values` for more than
 * `maxPivotValues`.
 */
export function answerPivot(document: TreeNode, question: PivotQuestion, values: readonly string[]): TreeNode {
  if (values.length > maxPivotValues) {
    throw new QuerentError('sql.pivot_values', { count: `more than ${maxPivotValues}`, max: maxPivotValues })
  }
  const distinct = [...new Set(values)].sort(byCodePoint)
  if (distinct.length === 0) {
    return replaced(document, question.path.slice(0, -2), groupsOfPivot(question.pivot)) as TreeNode
  }
  const entries = distinct.map((value) => ({ values: [{ type: { id: 'VARCHAR' }, is_null: false, value }] }))
  return replaced(document, [...question.path, 'entries'], entries) as TreeNode
}

/** A WITH clause that the place is under, or the part of one that comes before it. */
type Scope = readonly TreeNode[]

class QuestionFinder {
  readonly #parameters: readonly TreeNode[]

  constructor(document: TreeNode) {
    const statements = nodesOf(document['statements'])
    this.#parameters = nodesOf(statements[0]?.['named_param_map'])
  }

  /** Innermost first: a PIVOT may pivot the columns of another. */
  find(value: unknown, path: readonly (string | number)[], scopes: readonly Scope[]): PivotQuestion | undefined {
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) {
        const found = this.find(item, [...path, index], scopes)
        if (found !== undefined) return found
      }
      return undefined
    }
    return isTreeNode(value) ? this.#inNode(value, path, scopes) : undefined
  }

  #inNode(node: TreeNode, path: readonly (string | number)[], outer: readonly Scope[]): PivotQuestion | undefined {
    const entries = isTreeNode(node['cte_map']) ? nodesOf(node['cte_map']['map']) : []
    for (const [index, entry] of entries.entries()) {
      const before = index === 0 ? outer : [...outer, entries.slice(0, index)]
      const found = this.find(entry['value'], [...path, 'cte_map', 'map', index, 'value'], before)
      if (found !== undefined) return found
    }
    const scopes = entries.length === 0 ? outer : [...outer, entries]
    for (const [key, value] of Object.entries(node)) {
      const found = key === 'cte_map' ? undefined : this.find(value, [...path, key], scopes)
      if (found !== undefined) return found
    }
    return node['type'] === 'PIVOT' ? this.#atPivot(node, path, scopes) : undefined
  }

  #atPivot(pivot: TreeNode, path: readonly (string | number)[], scopes: readonly Scope[]): PivotQuestion | undefined {
    const columns = nodesOf(pivot['pivots'])
    const index = columns.findIndex((column) => nodesOf(column['entries']).some(isPlaceholder))
    const expression = nodesOf(columns[index]?.['pivot_expressions'])[0]
    if (expression === undefined) return undefined
    const node = this.#withScopes(distinctValues(pivot['source'], expression), scopes)
    const statement = {
      node,
      ...(this.#parameters.length === 0 ? {} : { named_param_map: this.#usedParameters(node) }),
    }
    return { tree: { error: false, statements: [statement] }, path: [...path, 'pivots', index], pivot }
  }

  #withScopes(innermost: TreeNode, scopes: readonly Scope[]): TreeNode {
    let query = innermost
    for (const scope of [...scopes].reverse()) {
      query = selectNode({
        cte_map: { map: scope },
        select_list: [{ class: 'STAR', type: 'STAR', exclude_list: [] }],
        from_table: { type: 'SUBQUERY', subquery: { node: query } },
      })
    }
    return query
  }

  #usedParameters(node: TreeNode): readonly TreeNode[] {
    const text = JSON.stringify(node)
    return this.#parameters.filter((entry) => text.includes(`"identifier":${JSON.stringify(entry['key'])}`))
  }
}

function isPlaceholder(entry: TreeNode): boolean {
  return nodesOf(entry['values']).some((value) => value['value'] === pivotPlaceholder)
}

function distinctValues(source: unknown, expression: TreeNode): TreeNode {
  return selectNode({
    modifiers: [{ type: 'DISTINCT_MODIFIER' }],
    select_list: [{ class: 'CAST', type: 'OPERATOR_CAST', child: expression, cast_type: { id: 'VARCHAR' } }],
    from_table: source,
    where_clause: { class: 'OPERATOR', type: 'OPERATOR_IS_NOT_NULL', children: [expression] },
  })
}

function selectNode(parts: TreeNode): TreeNode {
  return { type: 'SELECT_NODE', cte_map: {}, aggregate_handling: 'STANDARD_HANDLING', ...parts }
}

/** DuckDB sorts the values as text, byte by byte; UTF-8 sorts as its code points do. */
function byCodePoint(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}

function replaced(value: unknown, path: readonly (string | number)[], by: unknown): unknown {
  const [key, ...rest] = path
  if (key === undefined) return by
  if (Array.isArray(value))
    return value.map((item, index) => (index === key ? replaced(item, rest, by) : (item as unknown)))
  if (!isTreeNode(value)) return value
  return { ...value, [key]: replaced(value[key], rest, by) }
}

function nodesOf(value: unknown): readonly TreeNode[] {
  return Array.isArray(value) ? value.filter(isTreeNode) : []
}
