import { Buffer } from 'node:buffer'
import type { Filter } from '../../model/filter.js'

/**
 * A conjunction in which each pair `c >= P AND c < successor(P)`, as which DuckDB's optimizer leaves `LIKE 'P%'`, is one
 * prefix filter (P13).
 */
export function withPrefixes(filters: readonly Filter[]): readonly Filter[] {
  const result: Filter[] = []
  const used = new Set<Filter>()
  for (const lower of filters) {
    if (used.has(lower)) continue
    const upper = filters.find((candidate) => !used.has(candidate) && isPrefixPair(lower, candidate))
    if (upper === undefined || lower.kind !== 'compare') continue
    used.add(lower).add(upper)
    result.push({ kind: 'prefix', column: lower.column, prefix: lower.value.text ?? '' })
  }
  return [...filters.filter((filter) => !used.has(filter)), ...result]
}

function isPrefixPair(lower: Filter, upper: Filter): boolean {
  if (lower.kind !== 'compare' || upper.kind !== 'compare' || lower.column !== upper.column) return false
  if (lower.operator !== '>=' || upper.operator !== '<' || lower.value.type !== 'VARCHAR') return false
  const { text } = lower.value
  return text !== undefined && text !== '' && upper.value.text !== undefined && isSuccessor(text, upper.value.text)
}

/** The same bytes with the last one raised by one. */
function isSuccessor(text: string, next: string): boolean {
  const [bytes, nextBytes] = [Buffer.from(text), Buffer.from(next)]
  const last = bytes.length - 1
  const raised = (bytes[last] ?? 0) + 1
  return (
    nextBytes.length === bytes.length &&
    nextBytes[last] === raised &&
    bytes.subarray(0, last).equals(nextBytes.subarray(0, last))
  )
}
