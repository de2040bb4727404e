/** A nested type, taken apart as far as JSON must be. */
export type TypeTree =
  | { readonly kind: 'scalar'; readonly name: string }
  | { readonly kind: 'list'; readonly name: string; readonly item: TypeTree }
  | { readonly kind: 'struct'; readonly name: string; readonly fields: readonly TypeField[] }
  | { readonly kind: 'map'; readonly name: string; readonly key: string; readonly value: TypeTree }

interface TypeField {
  readonly name: string
  readonly type: TypeTree
}

/** Reads a type name such as `STRUCT(a INTEGER, "b c" VARCHAR[])`. What is none of the nested kinds is a scalar. */
export function parseType(text: string): TypeTree {
  const name = text.trim()
  const list = /^(.*)\[\d*\]$/s.exec(name)
  if (list?.[1] !== undefined) return { kind: 'list', name, item: parseType(list[1]) }
  const nested = /^(STRUCT|ROW|MAP)\s*\((.*)\)$/is.exec(name)
  if (nested?.[2] === undefined) return { kind: 'scalar', name }
  const parts = splitTopLevel(nested[2])
  if (nested[1]?.toUpperCase() === 'MAP') {
    const [key = 'VARCHAR', value = 'VARCHAR'] = parts
    return { kind: 'map', name, key, value: parseType(value) }
  }
  return { kind: 'struct', name, fields: parts.map(parseField) }
}

function parseField(text: string): TypeField {
  const quoted = /^"((?:[^"]|"")*)"\s+(.*)$/s.exec(text)
  if (quoted?.[1] !== undefined) return { name: quoted[1].replaceAll('""', '"'), type: parseType(quoted[2] ?? '') }
  const plain = /^(\S+)\s+(.*)$/s.exec(text)
  return { name: plain?.[1] ?? text, type: parseType(plain?.[2] ?? 'VARCHAR') }
}

/** Parts between commas that stand in no bracket and no quotes. */
function splitTopLevel(text: string): string[] {
  const parts: string[] = []
  let depth = 0
  let start = 0
  const tokens = /"(?:[^"]|"")*"|'(?:[^']|'')*'|[()[\],]/g
  for (const { 0: token, index } of text.matchAll(tokens)) {
    if (token === '(' || token === '[') depth++
    if (token === ')' || token === ']') depth--
    if (token !== ',' || depth > 0) continue
    parts.push(text.slice(start, index).trim())
    start = index + 1
  }
  return [...parts, text.slice(start).trim()]
}
