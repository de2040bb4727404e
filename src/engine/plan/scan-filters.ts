import type { Filter } from '../../model/filter.js'
import type { TreeNode } from '../../model/tree.js'
import type { ResidualCondition } from './bound-plan.js'
import type { PlanTree } from './build-plan.js'
import { conjuncts, expressionInputs } from './expression.js'
import { expressionText } from './expression-text.js'
import type { FilterReading } from './filter-reading.js'
import { inputsOf } from './node-uses.js'
import { originOf } from './output-origin.js'
import { nodeAt } from './plan-json.js'
import type { FilterNode, JoinNode, OutputRef, PlanNode, ScanNode } from './plan-node.js'
import { withPrefixes } from './prefix-filter.js'
import { readFilter } from './read-filter.js'
import { readTableFilter, tableFilterParts } from './table-filter.js'

/** Conditions on one scan alone. */
export interface ScanFilters {
  readonly filters: readonly Filter[]
  readonly residual: readonly ResidualCondition[]
  readonly never: boolean
}

export interface PlanFilters {
  /** By position of the scan. */
  readonly scans: readonly ScanFilters[]
  /** Conjuncts of filter nodes that `filters` say in full. */
  readonly exact: ReadonlySet<TreeNode>
}

/** Conditions that reach one scan, from its own table filters and from filters above that rows pass unchanged (P11, P18). */
export function readScanFilters(tree: PlanTree): PlanFilters {
  const collectors = tree.scans.map((scan) => new FilterCollector(scan))
  for (const collector of collectors) collector.addTableFilters()
  const exact = new Set<TreeNode>()
  for (const { node, condition } of filterConjuncts(tree.root)) {
    const target = conditionTarget(node, condition)
    if (target === undefined) continue
    if (collectors[target.scan]?.addCondition(condition, target.columns) === true) exact.add(condition)
  }
  return { scans: collectors.map((collector) => collector.result()), exact }
}

class FilterCollector {
  readonly #scan: ScanNode
  readonly #filters: Filter[] = []
  readonly #residual: ResidualCondition[] = []
  #never = false

  constructor(scan: ScanNode) {
    this.#scan = scan
  }

  addTableFilters(): void {
    for (const { columnIndex, filter } of this.#scan.tableFilters) {
      const column = this.#scan.names[columnIndex]
      for (const part of tableFilterParts(filter)) {
        const reading = column === undefined ? undefined : readTableFilter(column, part)
        this.#add(reading, column === undefined ? [] : [column], nodeAt(part, 'expr'), () => column)
      }
    }
  }

  /** True where the filters now say the condition in full. */
  addCondition(condition: TreeNode, columns: ReadonlyMap<number, string>): boolean {
    const nameOf = (position: number): string | undefined => columns.get(position)
    const reading = readFilter(condition, nameOf)
    this.#add(reading, [...new Set(columns.values())], condition, nameOf)
    return reading !== undefined
  }

  #add(
    reading: FilterReading,
    columns: readonly string[],
    expression: TreeNode | undefined,
    nameOf: (position: number) => string | undefined,
  ): void {
    if (reading === 'never') this.#never = true
    else if (reading === undefined) {
      const text = expression && expressionText(expression, nameOf)
      this.#residual.push(text === undefined ? { columns } : { columns, text })
    } else if (reading.kind === 'and') this.#filters.push(...reading.filters)
    else this.#filters.push(reading)
  }

  result(): ScanFilters {
    return { filters: withPrefixes(distinctFilters(this.#filters)), residual: this.#residual, never: this.#never }
  }
}

function distinctFilters(filters: readonly Filter[]): readonly Filter[] {
  return [...new Map(filters.map((filter) => [JSON.stringify(filter), filter])).values()]
}

function filterConjuncts(node: PlanNode): readonly { readonly node: FilterNode; readonly condition: TreeNode }[] {
  const below = node.children.flatMap(filterConjuncts)
  if (node.kind !== 'filter') return below
  return [...node.conditions.flatMap(conjuncts).map((condition) => ({ node, condition })), ...below]
}

interface ConditionTarget {
  readonly scan: number
  /** Columns by the position by which the condition refers to them. */
  readonly columns: ReadonlyMap<number, string>
}

/** The one scan that every reference of a condition leads to; undefined where there are several, or none. */
function conditionTarget(node: FilterNode, condition: TreeNode): ConditionTarget | undefined {
  const [base] = node.children
  if (base === undefined || expressionInputs([condition]).isOpaque) return undefined
  const columns = new Map<number, string>()
  let scan: number | undefined
  for (const input of inputsOf(condition, base)) {
    const target = filterTarget(input)
    if (target === undefined || (scan !== undefined && scan !== target.scan)) return undefined
    scan = target.scan
    columns.set(input.position, target.column)
  }
  return scan === undefined ? undefined : { scan, columns }
}

/** The scan's column that an output is, where a row dropped at the scan would only be missing here (P18). */
function filterTarget(output: OutputRef): { readonly scan: number; readonly column: string } | undefined {
  const origin = originOf(output)
  if (origin.kind === 'column') return origin
  const next = origin.kind === 'same' ? origin.from[0] : undefined
  return next !== undefined && letsFiltersPass(output.node, next.node) ? filterTarget(next) : undefined
}

const keepsLeft = new Set(['INNER', 'LEFT', 'SEMI', 'ANTI', 'MARK', 'SINGLE'])
const keepsRight = new Set(['INNER', 'RIGHT'])

function letsFiltersPass(node: PlanNode, below: PlanNode): boolean {
  switch (node.kind) {
    case 'filter':
    case 'projection':
      return true
    case 'order':
      return node.top === undefined
    case 'join':
      return joinLetsFiltersPass(node, below)
    default:
      return false
  }
}

function joinLetsFiltersPass(join: JoinNode, below: PlanNode): boolean {
  if (join.style === 'asof' || join.style === 'positional') return false
  if (below === join.children[0]) return keepsLeft.has(join.joinType)
  return join.style !== 'delim' && keepsRight.has(join.joinType)
}
