/**
 * A position of DuckDB's binder, or a tree's `query_location`, as users count: these are UTF-8 bytes, users count
 * characters (UTF-16 units). Answers the end of the text for a position beyond it.
 */
export function characterOfByte(sql: string, bytes: number): number {
  return Buffer.from(sql).subarray(0, bytes).toString().length
}

/** The same for a position of DuckDB's parser, which counts code points. */
export function characterOfCodePoint(sql: string, codePoints: number): number {
  let at = 0
  for (const character of sql) {
    if (codePoints-- <= 0) break
    at += character.length
  }
  return at
}

/** `query_location` of the node of `tree` that stands where `reparsed`, the same statement printed, has `position`. */
export function originalLocation(tree: unknown, reparsed: unknown, position: number): number | undefined {
  if (Array.isArray(tree) && Array.isArray(reparsed)) {
    for (const [index, item] of tree.entries()) {
      const found = originalLocation(item, reparsed[index], position)
      if (found !== undefined) return found
    }
    return undefined
  }
  if (!isRecord(tree) || !isRecord(reparsed)) return undefined
  if (reparsed['query_location'] === position && sameKind(tree, reparsed)) {
    const location = tree['query_location']
    return typeof location === 'number' ? location : undefined
  }
  for (const key of Object.keys(tree)) {
    const found = originalLocation(tree[key], reparsed[key], position)
    if (found !== undefined) return found
  }
  return undefined
}

function sameKind(a: Readonly<Record<string, unknown>>, b: Readonly<Record<string, unknown>>): boolean {
  return a['class'] === b['class'] && a['type'] === b['type']
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
