import type { Filter } from '../../src/model/filter.js'
import { isTreeNode, mapTree, type TreeNode } from '../../src/model/tree.js'
import type { BindCandidate, PlannedScan } from '../../src/engine/plan/bound-plan.js'
import { parseLossless, stringifyLossless } from '../../src/util/lossless-json.js'
import type { CheckOptions } from './planner-check.js'

/** A deliberate fault, as a wrong rule of the reader would make it, and a statement whose rows it changes. */
export interface Damage extends Pick<CheckOptions, 'damagePlan' | 'damageScans'> {
  readonly statement: string
}

type Fault = Omit<Damage, 'statement'>

/** Each breaks one rule; the property check must notice every one of them. */
export const damages: Readonly<Record<string, Damage>> = {
  'P3: a column that is read is not listed': {
    ...scans((scan) => ({ ...scan, columns: scan.columns.slice(1) })),
    statement: 'SELECT id, k FROM r1',
  },
  'P11: an alternative of a filter is forgotten': {
    ...filters((filter) => (filter.kind === 'or' ? { ...filter, filters: filter.filters.slice(1) } : filter)),
    statement: "SELECT id FROM r1 WHERE k = 1 OR c = 'a'",
  },
  'P12: the end of a range is left out': {
    ...filters((filter) =>
      filter.kind === 'compare' && filter.operator === '<=' ? { ...filter, operator: '<' } : filter,
    ),
    statement: 'SELECT id FROM r1 WHERE k BETWEEN 0 AND 1',
  },
  'P14: IN loses a value': {
    ...filters((filter) =>
      filter.kind === 'in' && !filter.negated ? { ...filter, values: filter.values.slice(1) } : filter,
    ),
    statement: 'SELECT id FROM r1 WHERE k IN (0, 2)',
  },
  'P15: IS NULL is read as IS NOT NULL': {
    ...filters((filter) => (filter.kind === 'null' ? { ...filter, negated: !filter.negated } : filter)),
    statement: 'SELECT id FROM r1 WHERE c IS NULL',
  },
  'P18: conditions pass TOP_N': {
    ...plan(renameOperator('LOGICAL_TOP_N', 'LOGICAL_ORDER_BY')),
    statement: 'SELECT * FROM (SELECT id, k FROM r1 ORDER BY id DESC LIMIT 4) WHERE k = 1',
  },
  'P22: a limit forgets one row': {
    ...scans((scan) => {
      const rows = (scan.limit?.rows ?? 0) - 1
      return scan.limit === undefined || rows < 0 ? scan : { ...scan, limit: { ...scan.limit, rows } }
    }),
    statement: 'SELECT count(*) FROM (FROM r1 LIMIT 3)',
  },
  'P22: the order of a limit is turned': {
    ...scans((scan) => {
      const order = scan.limit?.order?.map((key) => ({ ...key, descending: !key.descending }))
      return scan.limit === undefined || order === undefined ? scan : { ...scan, limit: { ...scan.limit, order } }
    }),
    statement: 'SELECT id FROM r1 ORDER BY id LIMIT 2',
  },
  'P24: LEFT is taken for INNER': {
    ...plan(renameJoin('LEFT', 'INNER')),
    statement: 'SELECT a.k, b.x FROM r1 a LEFT JOIN l1 b ON a.k = b.k',
  },
  'P24: FULL is taken for INNER': {
    ...plan(renameJoin('FULL', 'INNER')),
    statement: 'SELECT a.k, b.x FROM r1 a FULL JOIN l1 b ON a.k = b.k',
  },
  'P24: ANTI is taken for SEMI': {
    ...plan(renameJoin('ANTI', 'SEMI')),
    statement: 'SELECT a.k FROM r1 a ANTI JOIN l1 b ON a.k = b.k',
  },
  'P24: MARK is taken for SINGLE': {
    ...plan(renameJoin('MARK', 'SINGLE')),
    statement: 'SELECT a.k, a.k IN (SELECT k FROM l1) AS m FROM r1 a',
  },
  'P25: keys pass TOP_N': {
    ...plan(renameOperator('LOGICAL_TOP_N', 'LOGICAL_ORDER_BY')),
    statement: 'SELECT a.x, b.id FROM l2 a JOIN (SELECT id, k FROM r1 ORDER BY id LIMIT 4) b ON a.x = b.k',
  },
  'P25: keys pass a window that is not partitioned by them': {
    ...plan((node) => (node['type'] === 'LOGICAL_WINDOW' ? withPartitions(node) : undefined)),
    statement:
      'SELECT a.x, b.n FROM l2 a JOIN (SELECT k, row_number() OVER (ORDER BY id, k, c, v, d, b, w) AS n FROM r1) b ON a.x = b.k',
  },
  'P25: keys pass ROLLUP': {
    ...plan((node) => ('grouping_sets' in node ? { ...node, grouping_sets: [] } : undefined)),
    statement:
      'SELECT a.x, b.n FROM l2 a JOIN (SELECT k, count(*) AS n FROM r1 GROUP BY ROLLUP (k)) b ON a.x IS NOT DISTINCT FROM b.k',
  },
  'P25: keys pass a CTE with several references': {
    ...plan(renumberReferences()),
    statement:
      'WITH q AS MATERIALIZED (SELECT k, c FROM r1) SELECT a.x, q.c, (SELECT count(*) FROM q) FROM l2 a JOIN q ON a.x = q.k',
  },
  'P26: NULL keys are forgotten': {
    ...binds((bind) => ({ ...bind, nullSafe: bind.nullSafe.map(() => false) })),
    statement: 'SELECT a.x, b.id FROM l2 a JOIN r1 b ON a.x IS NOT DISTINCT FROM b.k',
  },
  'P26: IS NOT DISTINCT FROM is taken for =': {
    ...plan((node) =>
      node['comparison'] === 'COMPARE_NOT_DISTINCT_FROM' ? { ...node, comparison: 'COMPARE_EQUAL' } : undefined,
    ),
    statement: 'SELECT a.x, b.id FROM l2 a JOIN r1 b ON a.x IS NOT DISTINCT FROM b.k',
  },
  'P29: one of several sources of keys is enough': {
    ...binds((bind) => ({ ...bind, sources: bind.sources.slice(0, 1) })),
    statement: 'SELECT a.x, b.id FROM (SELECT x FROM l2 UNION ALL SELECT k FROM l1) a JOIN r1 b ON a.x = b.k',
  },
  'P30: only the first scan of a table counts': {
    damageScans: (all) =>
      all.map((scan) => {
        const first = all.find((other) => other.relation.table === scan.relation.table)
        return first === scan ? scan : { ...scan, never: true }
      }),
    statement: 'SELECT k FROM r1 WHERE k = 1 UNION ALL SELECT id FROM r1 WHERE id = 2',
  },
}

function scans(damage: (scan: PlannedScan) => PlannedScan): Fault {
  return { damageScans: (all) => all.map(damage) }
}

function filters(damage: (filter: Filter) => Filter): Fault {
  return scans((scan) => ({ ...scan, filters: scan.filters.map(damage) }))
}

function binds(damage: (bind: BindCandidate) => BindCandidate): Fault {
  return scans((scan) => ({ ...scan, bind: scan.bind.map(damage) }))
}

function plan(replace: (node: TreeNode) => TreeNode | undefined): Fault {
  return {
    damagePlan: (text) => {
      const answer = parseLossless(text)
      return isTreeNode(answer) ? stringifyLossless(mapTree(answer, replace)) : text
    },
  }
}

function renameOperator(from: string, to: string): (node: TreeNode) => TreeNode | undefined {
  return (node) => (node['type'] === from ? { ...node, type: to } : undefined)
}

function renameJoin(from: string, to: string): (node: TreeNode) => TreeNode | undefined {
  return (node) => (node['join_type'] === from ? { ...node, join_type: to } : undefined)
}

/** Windows that are partitioned by everything let all keys pass. */
function withPartitions(node: TreeNode): TreeNode {
  const everything = Array.from({ length: 40 }, (_, index) => ({ expression_class: 'BOUND_REF', index }))
  const expressions = (node['expressions'] as TreeNode[]).map((window) => ({ ...window, partitions: everything }))
  return { ...node, expressions }
}

/** The reader then counts one reference to each CTE's number, and no definition for the others. */
function renumberReferences(): (node: TreeNode) => TreeNode | undefined {
  let next = 1_000_000
  return (node) => {
    if (node['type'] !== 'LOGICAL_CTE_REF') return undefined
    next++
    return next % 2 === 0 ? { ...node, cte_index: next } : undefined
  }
}
