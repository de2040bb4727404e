import { isAlias, isMap, isScalar, isSeq, type Node, type Pair, type YAMLMap, type YAMLSeq } from 'yaml'
import { isRecord } from './record.js'

/** Where a value and its key begin, as offsets into the text. */
export interface Place {
  readonly key: number | undefined
  readonly value: number
  readonly children: ReadonlyMap<string, Place>
}

type Branch = Place & { readonly children: Map<string, Place> }

const nothing: ReadonlyMap<string, Place> = new Map()

/** Nodes after aliases are followed; a file that grows beyond this is an attack or a mistake. */
const maxNodes = 200_000
const mergeKey = '<<'

/** Stops the reading of one text; `parseYaml` turns it into a fault. */
export class ReadFault extends Error {
  readonly offset: number

  constructor(message: string, offset: number) {
    super(message)
    this.offset = offset
  }
}

export interface Read {
  readonly value: unknown
  readonly place: Place
}

/** Turns nodes into data, following aliases and merge keys under a budget. */
export class YamlReader {
  private readonly anchors = new Map<string, Node>()
  private readonly open = new Set<Node>()
  private nodes = 0
  /** Keys that stand twice in one mapping. */
  readonly duplicates = new Set<number>()
  private readonly maxDepth: number

  constructor(maxDepth: number) {
    this.maxDepth = maxDepth
  }

  read(node: Node | null | undefined, key?: number, depth = 0): Read {
    const offset = node?.range?.[0] ?? key ?? 0
    if (++this.nodes > maxNodes) throw new ReadFault('the file grows beyond all measure through its aliases', offset)
    if (depth > this.maxDepth) throw new ReadFault(`nested deeper than ${this.maxDepth} levels`, offset)
    if (isAlias(node)) {
      const target = this.anchors.get(node.source)
      if (target === undefined) throw new ReadFault(`nothing before this line is marked &${node.source}`, offset)
      const { value, place } = this.read(target, key, depth + 1)
      return { value, place: { ...place, key } }
    }
    if (node === null || node === undefined) return { value: null, place: leaf(key, offset) }
    if (this.open.has(node)) throw new ReadFault('an alias stands inside the value that it names', offset)
    if ('anchor' in node && typeof node.anchor === 'string') this.anchors.set(node.anchor, node)
    this.open.add(node)
    const read = this.readOpen(node, key, offset, depth)
    this.open.delete(node)
    return read
  }

  private readOpen(node: Node, key: number | undefined, offset: number, depth: number): Read {
    if (isMap(node)) return this.readMap(node as YAMLMap<Node, Node | null>, key, offset, depth)
    if (isSeq(node)) return this.readList(node as YAMLSeq<Node>, key, offset, depth)
    return { value: isScalar(node) ? node.value : null, place: leaf(key, offset) }
  }

  private readList(node: YAMLSeq<Node>, key: number | undefined, offset: number, depth: number): Read {
    const place = branch(key, offset)
    const value: unknown[] = []
    for (const [index, item] of node.items.entries()) {
      const read = this.read(item, undefined, depth + 1)
      value.push(read.value)
      place.children.set(String(index), read.place)
    }
    return { value, place }
  }

  private readMap(node: YAMLMap<Node, Node | null>, key: number | undefined, offset: number, depth: number): Read {
    const place = branch(key, offset)
    const value: Record<string, unknown> = {}
    const merged: Pair<Node, Node | null>[] = []
    for (const pair of node.items) {
      if (isMerge(pair.key)) {
        merged.push(pair)
        continue
      }
      const name = isScalar(pair.key) ? String(pair.key.value) : ''
      const keyOffset = pair.key.range?.[0] ?? offset
      if (name === '__proto__') throw new ReadFault('"__proto__" is not allowed as a key', keyOffset)
      if (Object.hasOwn(value, name)) this.duplicates.add(keyOffset)
      const read = this.read(pair.value, keyOffset, depth + 1)
      value[name] = read.value
      place.children.set(name, read.place)
    }
    for (const pair of merged) this.merge(pair, value, place, depth)
    return { value, place }
  }

  /** Keys of the map itself win over merged ones, and an earlier merged map over a later one. */
  private merge(pair: Pair<Node, Node | null>, value: Record<string, unknown>, place: Branch, depth: number): void {
    const offset = pair.key.range?.[0] ?? 0
    const read = this.read(pair.value, offset, depth + 1)
    const sources = Array.isArray(read.value)
      ? read.value.map((item: unknown, index) => ({ value: item, place: read.place.children.get(String(index)) }))
      : [read]
    for (const source of sources) {
      if (!isRecord(source.value)) throw new ReadFault('"<<" takes a mapping or a list of mappings', offset)
      for (const [name, item] of Object.entries(source.value)) {
        if (Object.hasOwn(value, name)) continue
        value[name] = item
        const from = source.place?.children.get(name)
        if (from !== undefined) place.children.set(name, from)
      }
    }
  }
}

/** A symbol stands for the key where the file declares itself as YAML 1.1. */
function isMerge(key: Node): boolean {
  return isScalar(key) && (typeof key.value === 'symbol' || (key.value === mergeKey && key.type === 'PLAIN'))
}

function leaf(key: number | undefined, value: number): Place {
  return { key, value, children: nothing }
}

function branch(key: number | undefined, value: number): Branch {
  return { key, value, children: new Map() }
}
