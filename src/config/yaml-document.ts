import { Composer, LineCounter } from 'yaml'
import { yamlFaultText } from './yaml-fault-text.js'
import { type Place, ReadFault, YamlReader } from './yaml-reader.js'
import { yamlTokens } from './yaml-tokens.js'

const maxDepth = 64

export interface Position {
  /** Counts from 1. */
  readonly line: number
  /** Counts from 1, in characters. */
  readonly column: number
}

export interface YamlFault extends Position {
  readonly message: string
  readonly hint?: string
}

export type Path = readonly (string | number)[]

/** A YAML text as plain data, and where each piece of it stands. */
export interface YamlDocument {
  /** Objects, arrays and scalars; undefined when the text has faults. */
  readonly value: unknown
  readonly faults: readonly YamlFault[]
  /** Where a value stands, or its key; of a path that is not there, the nearest thing around it. */
  readonly positionOf: (path: Path, part: 'key' | 'value') => Position
}

/** Never throws: what is wrong with the text is in `faults`. */
export function parseYaml(text: string): YamlDocument {
  const lines = new LineCounter()
  const at = (offset: number): Position => {
    const { line, col } = lines.linePos(offset)
    return { line: Math.max(line, 1), column: Math.max(col, 1) }
  }
  const refuse = (...faults: YamlFault[]): YamlDocument => ({ value: undefined, faults, positionOf: () => at(0) })
  const { tokens, tooDeepAt } = yamlTokens(text, lines, maxDepth)
  if (tooDeepAt !== undefined) return refuse({ ...at(tooDeepAt), message: `nested deeper than ${maxDepth} levels` })
  const [document, ...more] = new Composer({ stringKeys: true, uniqueKeys: false }).compose(tokens, true, text.length)
  const faults = [...(document?.errors ?? []), ...(document?.warnings ?? [])].map((fault) => ({
    ...at(fault.pos[0]),
    ...yamlFaultText(fault),
  }))
  const [second] = more
  if (second !== undefined) faults.push({ ...at(second.range[0]), ...yamlFaultText({ code: 'MULTIPLE_DOCS' }) })
  if (faults.length > 0) return refuse(...faults)
  try {
    const reader = new YamlReader(maxDepth)
    const { value, place } = reader.read(document?.contents)
    // The parser's own check compares each key with each other one.
    for (const offset of reader.duplicates) faults.push({ ...at(offset), ...yamlFaultText({ code: 'DUPLICATE_KEY' }) })
    if (faults.length > 0) return refuse(...faults)
    return { value, faults, positionOf: (path, part) => at(offsetOf(place, path, part)) }
  } catch (error) {
    if (error instanceof ReadFault) return refuse({ ...at(error.offset), message: error.message })
    throw error
  }
}

function offsetOf(root: Place, path: Path, part: 'key' | 'value'): number {
  let place = root
  for (const [index, step] of path.entries()) {
    const next = place.children.get(String(step))
    if (next === undefined) return place.value
    if (index === path.length - 1 && part === 'key') return next.key ?? next.value
    place = next
  }
  return place.value
}
