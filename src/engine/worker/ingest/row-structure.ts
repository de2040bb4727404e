import type { JsonColumn } from '../../../model/batch.js'
import { convertResult, expressionSql } from './column-sql.js'
import { extract, fromJson, fromText, needsJson } from './value-sql.js'

/** How one row of JSON is read. @see rowStructure for the types of results of columns with SQL of their own */
export interface RowStructure {
  /** The structure of a row for from_json, as JSON text: `"JSON"`, or an object with leaves `"VARCHAR"` and `"JSON"`. */
  readonly structure: string
  /**
   * SQL of each column's raw value, by column name; `row` is the SQL of the row. A column with SQL of its own finds the
   * row under the name `row`.
   */
  readonly raw: (row: string) => ReadonlyMap<string, string>
  /** SQL of a column's value, of the SQL of its raw value. */
  readonly value: (column: JsonColumn, raw: string) => string
  /** Every row must be an object: no column is the row itself, or an item of it. */
  readonly objects: boolean
}

interface Node {
  readonly children: Map<string, Node>
  terminal: boolean
  json: boolean
}

const newNode = (): Node => ({ children: new Map(), terminal: false, json: false })

/**
 * Asks from_json for every leaf as text, or as JSON where a column is nested, an array's item, or lies inside another
 * column; conversion comes after, where it can fail. from_json itself would round, and give NULL for what does not fit.
 */
export function rowStructure(
  columns: readonly JsonColumn[],
  sqlTypes: ReadonlyMap<string, string> = new Map(),
): RowStructure {
  const root = newNode()
  for (const column of columns) insert(root, asRead(column))
  if (columns.length === 0) root.json = true
  settle(root)
  return {
    structure: structureOf(root),
    raw: (row) => new Map(columns.map((column) => [column.name, rawSql(root, column, row)])),
    value: (column, raw) => {
      const resultType = sqlTypes.get(column.name)
      if (resultType !== undefined) return convertResult(raw, resultType, column.type)
      return needsJson(column.type) ? fromJson(raw, column.type) : fromText(raw, column.type)
    },
    objects: columns.every((column) => column.sql === undefined && typeof column.path[0] === 'string'),
  }
}

/** An expression reads the whole row as JSON. */
function asRead(column: JsonColumn): JsonColumn {
  return column.sql === undefined ? column : { name: column.name, type: 'JSON', path: [] }
}

/** In a scope where `row` is the row as JSON, wherever a column has SQL of its own. */
function rawSql(root: Node, column: JsonColumn, row: string): string {
  return column.sql === undefined ? rawValue(root, column, row) : expressionSql(column.sql)
}

function insert(root: Node, column: JsonColumn): void {
  let node = root
  for (const key of column.path) {
    if (typeof key === 'number') {
      node.json = true
      node.terminal = true
      return
    }
    const child = node.children.get(key) ?? newNode()
    node.children.set(key, child)
    node = child
  }
  node.terminal = true
  node.json ||= needsJson(column.type)
}

/** A node that is a column and holds others is read as JSON, and the others out of it; so is one that no STRUCT can be. */
function settle(node: Node): void {
  if (node.terminal && node.children.size > 0) node.json = true
  const keys = new Set([...node.children.keys()].map((key) => key.toLowerCase()))
  if (keys.size < node.children.size || keys.has('')) node.json = true
  if (node.json) node.children.clear()
  for (const child of node.children.values()) settle(child)
}

/** Written by hand: an object of JavaScript would put number-like keys first. */
function structureOf(node: Node): string {
  if (node.children.size === 0) return node.json ? '"JSON"' : '"VARCHAR"'
  const members = [...node.children].map(([key, child]) => `${JSON.stringify(key)}:${structureOf(child)}`)
  return `{${members.join(',')}}`
}

function rawValue(root: Node, column: JsonColumn, row: string): string {
  let node = root
  let sql = row
  for (const [index, key] of column.path.entries()) {
    const position = [...node.children.keys()].indexOf(String(key))
    const child = node.children.get(String(key))
    if (child === undefined) {
      const rest = extract(sql, column.path.slice(index))
      return needsJson(column.type) ? rest : `json_extract_string(${rest}, '$')`
    }
    // By position: names of struct fields ignore case, keys of JSON do not.
    sql = `struct_extract_at(${sql}, ${position + 1})`
    node = child
  }
  return node.json && !needsJson(column.type) ? `json_extract_string(${sql}, '$')` : sql
}
