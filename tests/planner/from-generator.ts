import type { ExpressionGenerator } from './expression-generator.js'
import { columnRefs, maxDepth, newName, type GeneratedQuery, type GeneratorState, type Scope } from './scope.js'
import { columnsOf, literal, tableNames, type TableColumn } from './tables.js'

/** A FROM clause, and conditions of its comma joins that belong into WHERE. */
export interface GeneratedFrom {
  readonly sql: string
  readonly scope: Scope
  readonly where: readonly string[]
}

/** Writes FROM clauses: tables, lists, subqueries, CTEs, and joins of every kind. */
export class FromGenerator {
  readonly #state: GeneratorState
  readonly #expressions: ExpressionGenerator
  readonly #query: () => GeneratedQuery

  constructor(state: GeneratorState, expressions: ExpressionGenerator, query: () => GeneratedQuery) {
    this.#state = state
    this.#expressions = expressions
    this.#query = query
  }

  /** At most `maxJoins` joins, rather more than fewer. */
  from(maxJoins: number): GeneratedFrom {
    const { random } = this.#state
    let from = this.#source()
    const joins = Math.max(random.below(maxJoins + 1), random.below(maxJoins + 1))
    for (let index = 0; index < joins; index++) from = this.#joined(from)
    return from
  }

  #source(): GeneratedFrom {
    const { random, ctes } = this.#state
    const kind = random.next()
    const alias = newName(this.#state, 't')
    if (ctes.length > 0 && kind < 0.3) {
      const cte = random.pick(ctes)
      return plainSource(cte.name, alias, cte.columns)
    }
    if (kind < 0.72 || this.#state.depth >= maxDepth) {
      const table = random.pick(tableNames)
      return plainSource(table, alias, columnsOf(table))
    }
    if (kind < 0.76) return this.#list(alias)
    if (kind < 0.78) {
      const sql = `range(${1 + random.below(4)}) ${alias}(w)`
      return { sql, scope: [{ alias, columns: [{ name: 'w', type: 'BIGINT' }] }], where: [] }
    }
    const query = this.#nested(() => this.#query())
    return plainSource(`(${query.sql})`, alias, query.columns)
  }

  #list(alias: string): GeneratedFrom {
    const { random } = this.#state
    const rows = random.times(1 + random.below(3), () => `(${random.below(4)}, ${literal(random, 'VARCHAR')})`)
    const columns: readonly TableColumn[] = [
      { name: 'k', type: 'INTEGER' },
      { name: 'c', type: 'VARCHAR' },
    ]
    return { sql: `(VALUES ${rows.join(', ')}) ${alias}(k, c)`, scope: [{ alias, columns }], where: [] }
  }

  #nested<Result>(make: () => Result): Result {
    this.#state.depth++
    try {
      return make()
    } finally {
      this.#state.depth--
    }
  }

  #joined(from: GeneratedFrom): GeneratedFrom {
    const { random } = this.#state
    const kind = random.next()
    if (kind < 0.1 && this.#state.depth < maxDepth) return this.#lateral(from)
    const other = this.#source()
    const condition = this.#expressions.joinCondition(from.scope, other.scope)
    const both = [...from.scope, ...other.scope]
    if (kind < 0.14) {
      const using = this.#using(from, other)
      if (using !== undefined) return using
    }
    if (kind < 0.2) {
      const where = random.chance(0.9) ? [...from.where, condition] : from.where
      return { sql: `${from.sql}, ${other.sql}`, scope: both, where }
    }
    const join = random.pick(joinKinds)
    const side = random.chance(0.5) ? other.scope : from.scope
    const on = random.chance(0.25) ? `${condition} AND ${this.#expressions.predicate(side, 1)}` : condition
    const scope = join === 'SEMI JOIN' || join === 'ANTI JOIN' ? from.scope : both
    return { sql: `${from.sql} ${join} ${other.sql} ON ${on}`, scope, where: from.where }
  }

  #using(from: GeneratedFrom, other: GeneratedFrom): GeneratedFrom | undefined {
    const { random } = this.#state
    const [left, right] = [from.scope, other.scope]
    if (left.length !== 1 || right.length !== 1) return undefined
    const rightColumns = right[0]?.columns ?? []
    const common = (left[0]?.columns ?? []).filter((column) =>
      rightColumns.some((candidate) => candidate.name === column.name && candidate.type === column.type),
    )
    if (common.length === 0) return undefined
    const join = random.pick(['JOIN', 'LEFT JOIN', 'FULL JOIN'])
    const sql = `${from.sql} ${join} ${other.sql} USING (${random.pick(common).name})`
    return { sql, scope: [...left, ...right], where: [] }
  }

  #lateral(from: GeneratedFrom): GeneratedFrom {
    const { random } = this.#state
    const alias = newName(this.#state, 'x')
    const { inner, columns } = this.#nested(() => this.#lateralQuery(from.scope))
    const sql = random.chance(0.6)
      ? `${from.sql}, LATERAL (${inner}) ${alias}`
      : `${from.sql} LEFT JOIN LATERAL (${inner}) ${alias} ON true`
    return { sql, scope: [...from.scope, { alias, columns }], where: [] }
  }

  #lateralQuery(outer: Scope): { readonly inner: string; readonly columns: readonly TableColumn[] } {
    const { random } = this.#state
    const source = this.#source()
    const condition = this.#expressions.joinCondition(outer, source.scope)
    const refs = columnRefs(source.scope).slice(0, 4)
    const kind = random.next()
    if (kind >= 0.6) {
      const [first] = refs
      const inner = `SELECT count(*)::INTEGER AS y0, max(${first?.sql ?? '1'}) AS y1 FROM ${source.sql} WHERE ${condition}`
      return {
        inner,
        columns: [
          { name: 'y0', type: 'INTEGER' },
          { name: 'y1', type: first?.type ?? 'INTEGER' },
        ],
      }
    }
    const items = refs.map((ref, index) => `${ref.sql} AS y${index}`)
    const limit = kind < 0.35 ? '' : ` ORDER BY ALL LIMIT ${1 + random.below(2)}`
    const inner = `SELECT ${items.join(', ')} FROM ${source.sql} WHERE ${condition}${limit}`
    return { inner, columns: refs.map((ref, index) => ({ name: `y${index}`, type: ref.type })) }
  }
}

const joinKinds = [
  'JOIN',
  'JOIN',
  'LEFT JOIN',
  'LEFT JOIN',
  'RIGHT JOIN',
  'FULL JOIN',
  'SEMI JOIN',
  'ANTI JOIN',
] as const

function plainSource(name: string, alias: string, columns: readonly TableColumn[]): GeneratedFrom {
  return { sql: `${name} ${alias}`, scope: [{ alias, columns }], where: [] }
}
