import type { BindCandidate, KeySource } from './bound-plan.js'
import type { PlanTree } from './build-plan.js'
import { keyPairs, type KeyPair } from './key-pairs.js'
import { keySources } from './key-sources.js'
import { keyTargets } from './key-targets.js'
import type { JoinNode, PlanNode } from './plan-node.js'

/** Joins by which each scan may be asked with keys, by position of the scan (P24 to P29). */
export function readBindCandidates(tree: PlanTree): readonly (readonly BindCandidate[])[] {
  const found = tree.scans.map(() => new Map<string, BindCandidate>())
  const visit = (node: PlanNode): void => {
    if (node.kind === 'join') {
      for (const { scan, candidate } of joinCandidates(node, tree)) {
        found[scan]?.set(JSON.stringify(candidate), candidate)
      }
    }
    node.children.forEach(visit)
  }
  visit(tree.root)
  return found.map((candidates) => [...candidates.values()])
}

interface FoundCandidate {
  readonly scan: number
  readonly candidate: BindCandidate
}

/** Which side may be restricted by the other's keys, by join type (P24). */
const restrictsRight = new Set(['INNER', 'LEFT', 'SEMI', 'ANTI', 'SINGLE'])
const restrictsLeft = new Set(['INNER', 'RIGHT', 'SEMI'])

function joinCandidates(join: JoinNode, tree: PlanTree): readonly FoundCandidate[] {
  const [left, right] = join.children
  if (left === undefined || right === undefined || join.style === 'asof' || join.style === 'positional') return []
  const pairs = keyPairs(join)
  return [
    ...(restrictsRight.has(join.joinType)
      ? sideCandidates({ target: right, source: left, keys: pairs.map(leftToRight), tree })
      : []),
    ...(restrictsLeft.has(join.joinType)
      ? sideCandidates({ target: left, source: right, keys: pairs.map(rightToLeft), tree })
      : []),
  ]
}

/** One equality seen from the side that gives keys. */
interface Key {
  readonly from: number
  readonly to: number
  readonly nullSafe: boolean
}

function leftToRight({ left, right, nullSafe }: KeyPair): Key {
  return { from: left, to: right, nullSafe }
}

function rightToLeft({ left, right, nullSafe }: KeyPair): Key {
  return { from: right, to: left, nullSafe }
}

interface Side {
  readonly target: PlanNode
  readonly source: PlanNode
  readonly keys: readonly Key[]
  readonly tree: PlanTree
}

/** Candidates of single keys, then of the tuples that the same sources give to the same scan. */
function sideCandidates(side: Side): readonly FoundCandidate[] {
  const found: FoundCandidate[] = []
  const groups = new Map<string, Key[]>()
  for (const key of side.keys) {
    for (const single of candidatesOf(side, [key])) {
      found.push(single)
      const name = `${single.scan} from ${single.candidate.sources.map(sourceName).join()}`
      groups.set(name, [...(groups.get(name) ?? []), key])
    }
  }
  for (const keys of groups.values()) if (keys.length > 1) found.push(...candidatesOf(side, keys))
  return found
}

function sourceName(source: KeySource): string {
  return source.kind === 'scan' ? String(source.scan) : 'constants'
}

function candidatesOf({ target, source, tree }: Side, keys: readonly Key[]): readonly FoundCandidate[] {
  const rejectsNull = keys.some((key) => !key.nullSafe)
  const targets = keyTargets(
    target,
    keys.map((key) => key.to),
    { tree, rejectsNull },
  )
  const sources =
    targets.length === 0
      ? undefined
      : keySources(
          source,
          keys.map((key) => key.from),
        )
  if (sources === undefined) return []
  const nullSafe = keys.map((key) => key.nullSafe)
  return targets
    .filter(({ scan }) => !sources.some((key) => key.kind === 'scan' && key.scan === scan))
    .map(({ scan, columns }) => ({ scan, candidate: withoutRepeats({ columns, sources, nullSafe }) }))
}

/** Of two equalities on one column the first gives its keys: a request can carry one value. */
function withoutRepeats(candidate: BindCandidate): BindCandidate {
  const { columns } = candidate
  const firsts = columns.flatMap((column, index) => (columns.indexOf(column) === index ? [index] : []))
  if (firsts.length === columns.length) return candidate
  const pick = <Item>(items: readonly Item[]): readonly Item[] => items.filter((_, index) => firsts.includes(index))
  return {
    columns: pick(columns),
    sources: candidate.sources.map((source) =>
      source.kind === 'scan'
        ? { ...source, columns: pick(source.columns) }
        : { ...source, keys: source.keys.map((key) => pick(key)) },
    ),
    nullSafe: pick(candidate.nullSafe),
  }
}
