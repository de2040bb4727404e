import { QuerentError } from '../errors/querent-error.js'
import type { ErrorCode, ErrorParams } from '../errors/catalogue.js'
import { isTreeNode, type TreeNode } from '../model/tree.js'
import { JsonNumber } from '../util/lossless-json.js'
import { fileReferenceOf, type FileReference } from './file-reference.js'
import {
  chanceFunctions,
  clockColumns,
  clockFunctions,
  fileFunctions,
  functionHint,
  refusedColumns,
  scalarFunctions,
  tableFunctions,
} from './functions.js'
import { maxExpressionDepth, maxTreeDepth } from './limits.js'
import { isMethodCall, spellMethodCalls } from './method-calls.js'
import { userPosition, type ParsedText } from './position.js'
import { isSystemSchema, isSystemTable, writtenName } from './references.js'
import * as grammar from './tree-grammar.js'

export interface CheckTreeOptions {
  /** The text that was parsed, for the positions of errors. */
  readonly text?: ParsedText
}

export interface CheckedTree {
  /** The tree to go on with: methods are spelled as calls, nothing else differs. */
  readonly tree: TreeNode
  /** File functions in FROM, in document order; `fileReferenceOf` gives the same for a node. */
  readonly files: readonly FileReference[]
  /** Identifiers of parameters in the order of their first use: `1`, `name`. */
  readonly parameters: readonly string[]
  /** The statement asks for the time; its answer holds for one clock only. */
  readonly usesClock: boolean
  /** The statement asks for chance, or samples: no two answers need be equal. */
  readonly usesChance: boolean
}

/**
 * Checks the tree that `json_serialize_sql` printed: every node, key and function by allow-list, so that what nobody
 * has judged is refused. Names of tables are the resolver's to judge, except DuckDB's own. Errors: policy.function,
 * policy.table_function, policy.file_argument, policy.reference, policy.construct, sql.empty, sql.multiple_statements,
 * sql.too_deep.
 */
export function checkTree(document: TreeNode, options: CheckTreeOptions = {}): CheckedTree {
  const statements: unknown = document['statements']
  if (document['error'] !== false || !Array.isArray(statements)) {
    throw new QuerentError('policy.construct', { construct: 'no parse tree' })
  }
  if (statements.length === 0) throw new QuerentError('sql.empty')
  if (statements.length > 1) throw new QuerentError('sql.multiple_statements')
  const checker = new TreeChecker(options.text)
  checker.check(document)
  return { tree: checker.hasMethods ? spellMethodCalls(document) : document, ...checker.findings() }
}

interface Depth {
  readonly nodes: number
  readonly expressions: number
}

class TreeChecker {
  hasMethods = false
  readonly #text: ParsedText | undefined
  readonly #files: FileReference[] = []
  readonly #parameters = new Set<string>()
  readonly #cteNames = new Set<string>()
  readonly #systemTables: TreeNode[] = []
  #usesClock = false
  #usesChance = false
  #location: number | undefined

  constructor(text: ParsedText | undefined) {
    this.#text = text
  }

  check(document: TreeNode): void {
    this.#shape(document, grammar.documentShape, 'statement', { nodes: 0, expressions: 0 })
    for (const node of this.#systemTables) this.#refuseSystemTable(node)
  }

  findings(): Omit<CheckedTree, 'tree'> {
    return {
      files: this.#files,
      parameters: [...this.#parameters],
      usesClock: this.#usesClock,
      usesChance: this.#usesChance,
    }
  }

  #shape(node: TreeNode, shape: grammar.Shape, what: string, depth: Depth): void {
    if (depth.nodes > maxTreeDepth) this.#fail('sql.too_deep', { max: maxTreeDepth })
    const below = { nodes: depth.nodes + 1, expressions: depth.expressions }
    for (const [key, value] of Object.entries(node)) {
      const role = Object.hasOwn(shape, key) ? shape[key] : undefined
      if (role === undefined) this.#refuseConstruct(`${key} of ${what}`)
      this.#value(value, role, `${key} of ${what}`, below)
    }
  }

  #value(value: unknown, role: grammar.Role, what: string, depth: Depth): void {
    if (role === 'constant') return
    if (role === 'scalar' || role === 'names') this.#plain(value, role, what)
    else if (Array.isArray(value)) {
      if (depth.nodes > maxTreeDepth) this.#fail('sql.too_deep', { max: maxTreeDepth })
      for (const item of value) this.#value(item, role, what, { ...depth, nodes: depth.nodes + 1 })
    } else if (isTreeNode(value) && !(value instanceof JsonNumber)) this.#node(value, role, what, depth)
    else this.#refuseConstruct(what)
  }

  /** A name, number or flag, or lists and records of them: never a node. */
  #plain(value: unknown, role: 'scalar' | 'names', what: string): void {
    if (['string', 'number', 'boolean'].includes(typeof value) || value instanceof JsonNumber) return
    const items: readonly unknown[] = role === 'names' && isTreeNode(value) ? Object.values(value) : []
    const isNode = isTreeNode(value) && ('class' in value || 'type' in value)
    if (role === 'scalar' || isNode || (!Array.isArray(value) && !isTreeNode(value))) this.#refuseConstruct(what)
    for (const item of Array.isArray(value) ? value : items) this.#plain(item, role, what)
  }

  #node(node: TreeNode, role: grammar.Role, what: string, depth: Depth): void {
    if (role === 'expression' || role === 'expressions' || role === 'rows') this.#expression(node, depth)
    else if (role === 'table') this.#table(node, depth)
    else if (role === 'call') this.#tableCall(node, depth)
    else if (role === 'query') this.#byType(node, grammar.queryShapes, 'query', depth)
    else if (role === 'modifier' || role === 'modifiers') {
      this.#byType(node, grammar.modifierShapes, 'modifier', depth)
    } else {
      if (role === 'sample') this.#usesChance = true
      if (role === 'ctes' && 'key' in node) this.#cteNames.add(textOf(node['key']).toLowerCase())
      this.#shape(node, grammar.recordShape(role, node) ?? this.#refuseConstruct(what), what, depth)
    }
  }

  #byType(node: TreeNode, shapes: ReadonlyMap<string, grammar.Shape>, what: string, depth: Depth): void {
    const shape = shapes.get(textOf(node['type']))
    if (shape === undefined) this.#refuseConstruct(`${what} ${textOf(node['type'])}`)
    this.#shape(node, shape, textOf(node['type']), depth)
  }

  #expression(node: TreeNode, depth: Depth): void {
    this.#at(node)
    const kind = textOf(node['class'])
    const shape = grammar.expressionShapes.get(kind)
    if (shape === undefined) this.#refuseConstruct(kind)
    if (depth.expressions > maxExpressionDepth) this.#fail('sql.too_deep', { max: maxExpressionDepth })
    if (kind === 'FUNCTION' || kind === 'WINDOW') this.#call(node)
    else if (kind === 'COLUMN_REF') this.#column(node)
    else if (kind === 'PARAMETER') this.#parameters.add(textOf(node['identifier']))
    else if (kind === 'OPERATOR' && !grammar.operatorTypes.has(textOf(node['type']))) {
      this.#refuseConstruct(textOf(node['type']))
    }
    this.#shape(node, shape, kind, { nodes: depth.nodes, expressions: depth.expressions + 1 })
  }

  #call(node: TreeNode): void {
    const name = textOf(node['function_name']).toLowerCase()
    if (isMethodCall(node)) {
      if (isSystemSchema(node['schema'], node['catalog'])) this.#refuseQualified(node)
      this.hasMethods = true
    }
    if (!scalarFunctions.has(name)) {
      this.#fail('policy.function', { function: textOf(node['function_name']), hint: functionHint(name) })
    }
    if (clockFunctions.has(name)) this.#usesClock = true
    if (chanceFunctions.has(name)) this.#usesChance = true
  }

  #column(node: TreeNode): void {
    const names: unknown = node['column_names']
    if (!Array.isArray(names) || names.length !== 1) return
    const name = textOf(names[0]).toLowerCase()
    if (clockColumns.has(name)) this.#usesClock = true
    if (!refusedColumns.has(name)) return
    const hint = `Qualify it where it is a column: <table>."${name}".`
    this.#fail('policy.reference', { reference: name, hint })
  }

  #table(node: TreeNode, depth: Depth): void {
    this.#at(node)
    switch (node['type']) {
      case 'BASE_TABLE':
        if (isSystemTable(node)) this.#systemTables.push(node)
        break
      case 'SHOW_REF':
        this.#show(node)
        break
      case 'TABLE_FUNCTION':
        this.#file(node)
        break
    }
    this.#byType(node, grammar.tableShapes, 'table', depth)
  }

  /** SHOW TABLES and DESCRIBE come with a name or a query; all other kinds of SHOW list what is DuckDB's. */
  #show(node: TreeNode): void {
    const name = textOf(node['table_name']).replaceAll('"', '').toLowerCase()
    const allowed = isTreeNode(node['query']) || name === 'tables' || name === '__show_tables_expanded'
    if (allowed && node['schema_name'] === undefined && node['catalog_name'] === undefined) return
    const hint = 'Use SHOW TABLES, DESCRIBE <table>, or SELECT from information_schema.tables.'
    this.#fail('policy.reference', { reference: name === '' ? 'SHOW TABLES FROM' : `SHOW ${name.toUpperCase()}`, hint })
  }

  #file(node: TreeNode): void {
    const file = fileReferenceOf(node, this.#position())
    if (file !== undefined) this.#files.push(file)
  }

  /** The function of a table function: it has an allow-list of its own. */
  #tableCall(call: TreeNode, depth: Depth): void {
    this.#at(call)
    if (call['class'] !== 'FUNCTION') this.#refuseConstruct('a table function that is no function')
    if (call['schema'] !== undefined || call['catalog'] !== undefined) this.#refuseQualified(call)
    const written = textOf(call['function_name'])
    const name = written.toLowerCase()
    if (!fileFunctions.has(name) && !tableFunctions.has(name)) {
      this.#fail('policy.table_function', { function: `${written}()`, hint: functionHint(name) })
    }
    this.#shape(call, grammar.functionShape, written, { nodes: depth.nodes, expressions: depth.expressions + 1 })
  }

  #refuseSystemTable(node: TreeNode): void {
    const unqualified = node['schema_name'] === undefined && node['catalog_name'] === undefined
    if (unqualified && this.#cteNames.has(textOf(node['table_name']).toLowerCase())) return
    this.#at(node)
    const hint = 'Use SHOW TABLES, DESCRIBE <table>, information_schema.tables or information_schema.columns.'
    this.#fail('policy.reference', { reference: writtenName(node), hint })
  }

  #refuseQualified(node: TreeNode): never {
    const name = [node['catalog'], node['schema'], node['function_name']].map(textOf).filter(Boolean).join('.')
    return this.#fail('policy.function', { function: name, hint: 'Write the function without a schema.' })
  }

  #refuseConstruct(construct: string): never {
    return this.#fail('policy.construct', { construct })
  }

  #at(node: TreeNode): void {
    const location = node['query_location']
    this.#location = typeof location === 'number' ? location : this.#location
  }

  #fail(code: ErrorCode, params: ErrorParams): never {
    const position = this.#position()
    throw new QuerentError(code, params, position === undefined ? {} : { position })
  }

  #position(): number | undefined {
    if (this.#text === undefined || this.#location === undefined) return undefined
    return userPosition(this.#text, this.#location)
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
