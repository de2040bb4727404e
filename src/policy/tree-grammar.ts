/** What stands under a key of a parse tree node, and so how it is checked. */
export type Role =
  | 'scalar'
  | 'names'
  | 'constant'
  | 'type'
  | 'types'
  | 'expression'
  | 'expressions'
  | 'rows'
  | 'replacements'
  | 'cases'
  | 'query'
  | 'statement'
  | 'ctes'
  | 'table'
  | 'call'
  | 'modifier'
  | 'modifiers'
  | 'orders'
  | 'sample'
  | 'pivots'

/** The keys that a node may have. A key that is not listed is refused: nobody has judged what it does. */
export type Shape = Readonly<Record<string, Role>>

const expression: Shape = { class: 'scalar', type: 'scalar', alias: 'scalar', query_location: 'scalar' }
const twoSides: Shape = { ...expression, left: 'expression', right: 'expression' }
const children: Shape = { ...expression, children: 'expressions' }

export const functionShape: Shape = {
  ...children,
  function_name: 'scalar',
  schema: 'scalar',
  catalog: 'scalar',
  filter: 'expression',
  order_bys: 'modifier',
  distinct: 'scalar',
  is_operator: 'scalar',
}

/** Expressions by `class`. DEFAULT is not among them: it means something in INSERT only. */
export const expressionShapes: ReadonlyMap<string, Shape> = new Map<string, Shape>([
  ['BETWEEN', { ...expression, input: 'expression', lower: 'expression', upper: 'expression' }],
  ['CASE', { ...expression, case_checks: 'cases', else_expr: 'expression' }],
  ['CAST', { ...expression, child: 'expression', cast_type: 'type', try_cast: 'scalar' }],
  ['COLLATE', { ...expression, child: 'expression', collation: 'scalar' }],
  ['COLUMN_REF', { ...expression, column_names: 'names' }],
  ['COMPARISON', twoSides],
  ['CONJUNCTION', children],
  ['CONSTANT', { ...expression, value: 'constant' }],
  ['FUNCTION', functionShape],
  ['LAMBDA', { ...expression, lhs: 'expression', expr: 'expression', syntax_type: 'scalar' }],
  ['OPERATOR', children],
  ['PARAMETER', { ...expression, identifier: 'scalar' }],
  ['POSITIONAL_REFERENCE', { ...expression, index: 'scalar' }],
  [
    'STAR',
    {
      ...expression,
      relation_name: 'scalar',
      exclude_list: 'names',
      qualified_exclude_list: 'names',
      rename_list: 'names',
      replace_list: 'replacements',
      columns: 'scalar',
      expr: 'expression',
    },
  ],
  [
    'SUBQUERY',
    {
      ...expression,
      subquery_type: 'scalar',
      subquery: 'statement',
      child: 'expression',
      comparison_type: 'scalar',
    },
  ],
  [
    'WINDOW',
    {
      ...children,
      function_name: 'scalar',
      schema: 'scalar',
      catalog: 'scalar',
      partitions: 'expressions',
      orders: 'orders',
      arg_orders: 'orders',
      start: 'scalar',
      end: 'scalar',
      start_expr: 'expression',
      end_expr: 'expression',
      offset_expr: 'expression',
      default_expr: 'expression',
      filter_expr: 'expression',
      ignore_nulls: 'scalar',
      distinct: 'scalar',
      exclude_clause: 'scalar',
    },
  ],
])

/** Types of OPERATOR expressions; of the other classes the class says enough. */
export const operatorTypes: ReadonlySet<string> = new Set([
  ...['ARRAY_CONSTRUCTOR', 'ARRAY_EXTRACT', 'ARRAY_SLICE', 'STRUCT_EXTRACT', 'GROUPING_FUNCTION'],
  ...['COMPARE_IN', 'COMPARE_NOT_IN', 'OPERATOR_COALESCE', 'OPERATOR_NULLIF', 'OPERATOR_TRY', 'OPERATOR_UNPACK'],
  ...['OPERATOR_NOT', 'OPERATOR_IS_NULL', 'OPERATOR_IS_NOT_NULL'],
])

const table: Shape = { type: 'scalar', alias: 'scalar', sample: 'sample', query_location: 'scalar' }

/** Tables in FROM by `type`. `at_clause`, time travel, is not among the keys: no source serves it. */
export const tableShapes: ReadonlyMap<string, Shape> = new Map<string, Shape>([
  [
    'BASE_TABLE',
    { ...table, catalog_name: 'scalar', schema_name: 'scalar', table_name: 'scalar', column_name_alias: 'names' },
  ],
  ['EMPTY', table],
  ['EXPRESSION_LIST', { ...table, expected_names: 'names', expected_types: 'types', values: 'rows' }],
  [
    'JOIN',
    {
      ...table,
      left: 'table',
      right: 'table',
      condition: 'expression',
      join_type: 'scalar',
      ref_type: 'scalar',
      using_columns: 'names',
    },
  ],
  [
    'PIVOT',
    {
      ...table,
      source: 'table',
      aggregates: 'expressions',
      unpivot_names: 'names',
      pivots: 'pivots',
      groups: 'names',
      column_name_alias: 'names',
      include_nulls: 'scalar',
    },
  ],
  [
    'SHOW_REF',
    {
      ...table,
      catalog_name: 'scalar',
      schema_name: 'scalar',
      table_name: 'scalar',
      query: 'query',
      show_type: 'scalar',
    },
  ],
  ['SUBQUERY', { ...table, subquery: 'statement', column_name_alias: 'names' }],
  ['TABLE_FUNCTION', { ...table, function: 'call', column_name_alias: 'names', with_ordinality: 'scalar' }],
])

const query: Shape = { type: 'scalar', modifiers: 'modifiers', cte_map: 'ctes' }

/** Queries by `type`. */
export const queryShapes: ReadonlyMap<string, Shape> = new Map<string, Shape>([
  [
    'SELECT_NODE',
    {
      ...query,
      select_list: 'expressions',
      from_table: 'table',
      where_clause: 'expression',
      group_expressions: 'expressions',
      group_sets: 'names',
      aggregate_handling: 'scalar',
      having: 'expression',
      sample: 'sample',
      qualify: 'expression',
    },
  ],
  ['SET_OPERATION_NODE', { ...query, setop_type: 'scalar', setop_all: 'scalar', left: 'query', right: 'query' }],
  [
    'RECURSIVE_CTE_NODE',
    {
      ...query,
      cte_name: 'scalar',
      union_all: 'scalar',
      left: 'query',
      right: 'query',
      aliases: 'names',
      key_targets: 'expressions',
    },
  ],
])

/** ORDER BY, LIMIT and DISTINCT by `type`. */
export const modifierShapes: ReadonlyMap<string, Shape> = new Map<string, Shape>([
  ['DISTINCT_MODIFIER', { type: 'scalar', distinct_on_targets: 'expressions' }],
  ['LIMIT_MODIFIER', { type: 'scalar', limit: 'expression', offset: 'expression' }],
  ['LIMIT_PERCENT_MODIFIER', { type: 'scalar', limit: 'expression', offset: 'expression' }],
  ['ORDER_MODIFIER', { type: 'scalar', orders: 'orders' }],
])

export const documentShape: Shape = { error: 'scalar', statements: 'statement' }
const statement: Shape = { node: 'query', named_param_map: 'names' }
const cteMap: Shape = { map: 'ctes' }
const cteEntry: Shape = { key: 'scalar', value: 'ctes' }
const cte: Shape = { aliases: 'names', query: 'statement', materialized: 'scalar', key_targets: 'expressions' }
const order: Shape = { type: 'scalar', null_order: 'scalar', expression: 'expression' }
const caseCheck: Shape = { when_expr: 'expression', then_expr: 'expression' }
const replacement: Shape = { key: 'names', value: 'expression' }
const sample: Shape = {
  sample_size: 'constant',
  is_percentage: 'scalar',
  method: 'scalar',
  seed: 'scalar',
  repeatable: 'scalar',
}
/** `pivot_enum`, a list given by a type, is not among the keys. */
const pivotColumn: Shape = { pivot_expressions: 'expressions', unpivot_names: 'names', entries: 'pivots' }
const pivotEntry: Shape = { values: 'constant', star_expr: 'expression', alias: 'scalar' }
const type: Shape = { id: 'scalar', type_info: 'type' }
/** `schema` and `catalog` of a type's name are not among the keys. */
const typeInfo: Shape = {
  type: 'scalar',
  alias: 'scalar',
  name: 'scalar',
  width: 'scalar',
  scale: 'scalar',
  size: 'scalar',
  collation: 'scalar',
  child_type: 'type',
  child_types: 'types',
  user_type_modifiers: 'constant',
}
const childType: Shape = { first: 'scalar', second: 'type' }

/** The shape of a record that has neither class nor type of its own; undefined for a role that holds no such record. */
export function recordShape(role: Role, node: Readonly<Record<string, unknown>>): Shape | undefined {
  switch (role) {
    case 'statement':
      return statement
    case 'ctes':
      return 'key' in node ? cteEntry : 'query' in node ? cte : cteMap
    case 'orders':
      return order
    case 'cases':
      return caseCheck
    case 'replacements':
      return replacement
    case 'sample':
      return sample
    case 'pivots':
      return 'pivot_expressions' in node || 'unpivot_names' in node ? pivotColumn : pivotEntry
    case 'types':
      return 'second' in node ? childType : type
    case 'type':
      return 'id' in node ? type : typeInfo
    default:
      return undefined
  }
}
