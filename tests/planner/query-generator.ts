import { ExpressionGenerator } from './expression-generator.js'
import { FromGenerator, type GeneratedFrom } from './from-generator.js'
import type { Random } from './random.js'
import {
  columnRefs,
  isScalar,
  maxDepth,
  newName,
  type GeneratedQuery,
  type GeneratorState,
  type Scope,
  type TypedSql,
} from './scope.js'
import { SelectGenerator } from './select-generator.js'
import { columnsOf, tableNames, type ColumnType, type TableColumn } from './tables.js'

/** A statement; with `base`, any rows of `base` will do, as many as the statement gives. */
export interface GeneratedStatement {
  readonly sql: string
  readonly base?: string
}

const recursiveColumns: readonly TableColumn[] = [
  { name: 'k', type: 'INTEGER' },
  { name: 'x', type: 'INTEGER' },
]

/** Writes whole statements over the tables of `tables.ts`. */
export class QueryGenerator {
  readonly expressions: ExpressionGenerator
  readonly #state: GeneratorState
  readonly #from: FromGenerator
  readonly #selects: SelectGenerator

  constructor(random: Random) {
    this.#state = { random, depth: 0, names: 0, ctes: [] }
    this.expressions = new ExpressionGenerator(this.#state, (scope) => this.#subqueryPredicate(scope))
    this.#from = new FromGenerator(this.#state, this.expressions, () => this.query(true))
    this.#selects = new SelectGenerator(this.#state, this.expressions, {
      from: (maxJoins) => this.#from.from(maxJoins),
      subqueryPredicate: (scope) => this.#subqueryPredicate(scope),
    })
  }

  statement(): GeneratedStatement {
    const { random } = this.#state
    const ctes = random.chance(0.35) ? random.times(1 + random.below(2), () => this.#cte()) : []
    this.#state.depth = 0
    const prefix = ctes.length === 0 ? '' : `WITH RECURSIVE ${ctes.join(', ')} `
    const kind = random.next()
    const { sql, base } = kind < 0.06 ? this.#limited() : kind < 0.12 ? this.#limitedTable() : this.#whole()
    return base === undefined ? { sql: prefix + sql } : { sql: prefix + sql, base: prefix + base }
  }

  /** A query whose rows do not depend on their order. */
  query(isNested: boolean): GeneratedQuery {
    const { random } = this.#state
    if (this.#state.depth < maxDepth && random.chance(0.08)) return this.#setOperation()
    return this.#selects.select(isNested)
  }

  #whole(): GeneratedStatement {
    return { sql: this.query(false).sql }
  }

  #cte(): string {
    const { random } = this.#state
    this.#state.depth = 1
    const name = newName(this.#state, 'q')
    if (random.chance(0.12)) {
      const start = this.expressions.predicate([{ alias: 'l2', columns: columnsOf('l2').slice(0, 2) }], 1)
      this.#state.ctes.push({ name, columns: recursiveColumns })
      return `${name}(k, x) AS (SELECT y, x FROM l2 WHERE ${start} UNION SELECT t.y, q.x FROM l2 t JOIN ${name} q ON t.x = q.k)`
    }
    const query = this.query(true)
    this.#state.ctes.push({ name, columns: query.columns })
    return `${name} AS ${random.pick(['', '', 'MATERIALIZED ', 'NOT MATERIALIZED '])}(${query.sql})`
  }

  #limited(): GeneratedStatement {
    const { sql } = this.query(false)
    // A limit of its own may stand at the end already.
    return / LIMIT \d+( OFFSET \d+)?$/.test(sql) ? { sql } : this.#withLimit(sql, 5)
  }

  #limitedTable(): GeneratedStatement {
    const { random } = this.#state
    const table = random.pick(tableNames)
    const scope: Scope = [{ alias: table, columns: columnsOf(table) }]
    const where = (chance: number): string =>
      random.chance(chance) ? ` WHERE ${this.expressions.predicate(scope, 1)}` : ''
    if (random.chance(0.5)) return this.#withLimit(`SELECT * FROM ${table}${where(0.6)}`, 6)
    const key = random.pick(columnsOf(table).filter((column) => isScalar(column.type))).name
    const order = random.pick(['', 'DESC', 'ASC NULLS FIRST', 'DESC NULLS LAST'])
    const inner = `SELECT ${key} AS key FROM ${table}${where(0.4)}`
    return { sql: `SELECT key FROM (${inner}) ORDER BY key ${order} LIMIT ${random.below(6)}` }
  }

  #withLimit(base: string, bound: number): GeneratedStatement {
    const { random } = this.#state
    const offset = random.chance(0.3) ? random.below(3) : 0
    return { sql: `${base} LIMIT ${random.below(bound)} OFFSET ${offset}`, base }
  }

  #setOperation(): GeneratedQuery {
    const { random } = this.#state
    this.#state.depth++
    const left = this.query(true)
    const right = this.#matching(left)
    this.#state.depth--
    if (right === undefined) return left
    const names = right.columns.slice(0, left.columns.length).map((column) => column.name)
    const operation = random.pick(['UNION', 'UNION ALL', 'EXCEPT', 'INTERSECT', 'EXCEPT ALL', 'INTERSECT ALL'])
    const second = `SELECT ${names.join(', ')} FROM (${right.sql})`
    const sql = `SELECT * FROM ((SELECT * FROM (${left.sql})) ${operation} (${second}))`
    return { sql, columns: left.columns }
  }

  #matching(left: GeneratedQuery): GeneratedQuery | undefined {
    for (let attempt = 0; attempt < 20; attempt++) {
      const right = this.query(true)
      if (left.columns.every((column, index) => right.columns[index]?.type === column.type)) return right
    }
    return undefined
  }

  #subqueryPredicate(scope: Scope): string {
    this.#state.depth++
    try {
      return this.#subquery(scope)
    } finally {
      this.#state.depth--
    }
  }

  #subquery(scope: Scope): string {
    const { random } = this.#state
    const from = this.#from.from(1)
    const tail = `${from.sql}${this.#subqueryWhere(scope, from)}`
    const kind = random.next()
    const not = (): string => (random.chance(0.35) ? 'NOT ' : '')
    const pair = comparablePair(scope, from.scope, random)
    if (kind < 0.35 || pair === undefined) return `${not()}EXISTS (SELECT 1 FROM ${tail})`
    const { outer, inner, type } = pair
    if (kind < 0.7) return `${outer} ${not()}IN (SELECT ${inner} FROM ${tail})`
    if (kind < 0.8) {
      return `${outer} ${random.pick(['>', '=', '<'])} ${random.pick(['ANY', 'ALL'])} (SELECT ${inner} FROM ${tail})`
    }
    if (type === 'BOOLEAN') return `${outer} IN (SELECT ${inner} FROM ${tail})`
    const aggregate = random.pick(['max', 'min'])
    return `${outer} ${random.pick(['=', '>', '<='])} (SELECT ${aggregate}(${inner}) FROM ${tail})`
  }

  #subqueryWhere(outer: Scope, from: GeneratedFrom): string {
    const { random } = this.#state
    const conditions = [...from.where]
    if (random.chance(0.65)) conditions.push(this.expressions.joinCondition(outer, from.scope))
    if (random.chance(0.5)) conditions.push(this.expressions.predicate(from.scope, 1))
    if (random.chance(0.15)) conditions.push(this.expressions.predicate([...outer, ...from.scope], 0))
    return conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`
  }
}

interface ComparablePair {
  readonly outer: string
  readonly inner: string
  readonly type: ColumnType
}

function comparablePair(outer: Scope, inner: Scope, random: Random): ComparablePair | undefined {
  const refs = (scope: Scope, type: ColumnType): readonly TypedSql[] => columnRefs(scope, type)
  const types = [...new Set(columnRefs(outer).map((column) => column.type))].filter(
    (type) => isScalar(type) && refs(inner, type).length > 0,
  )
  if (types.length === 0) return undefined
  const type = random.pick(types)
  return { outer: random.pick(refs(outer, type)).sql, inner: random.pick(refs(inner, type)).sql, type }
}
