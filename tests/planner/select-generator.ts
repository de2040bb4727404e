import type { ExpressionGenerator } from './expression-generator.js'
import type { GeneratedFrom } from './from-generator.js'
import { columnRefs, isScalar, type GeneratedQuery, type GeneratorState, type Scope, type TypedSql } from './scope.js'

/** What a SELECT needs of the other generators. */
export interface SelectParts {
  from(maxJoins: number): GeneratedFrom
  subqueryPredicate(scope: Scope): string
}

/** Writes single SELECTs: plain, aggregated and with windows. */
export class SelectGenerator {
  readonly #state: GeneratorState
  readonly #expressions: ExpressionGenerator
  readonly #parts: SelectParts

  constructor(state: GeneratorState, expressions: ExpressionGenerator, parts: SelectParts) {
    this.#state = state
    this.#expressions = expressions
    this.#parts = parts
  }

  select(isNested: boolean): GeneratedQuery {
    const { random } = this.#state
    const from = this.#parts.from(this.#state.depth > 1 ? 1 : 2)
    const conditions = [...from.where]
    if (random.chance(0.45)) conditions.push(this.#expressions.predicate(from.scope, 2))
    if (random.chance(0.1)) conditions.push(this.#expressions.predicate(from.scope, 1))
    const where = conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`
    const tail = `FROM ${from.sql}${where}`
    const kind = random.next()
    if (kind < 0.2) return this.#aggregated(from.scope, tail)
    if (kind < 0.32) return this.#windowed(from.scope, tail)
    return this.#plain(from.scope, tail, isNested)
  }

  #plain(scope: Scope, tail: string, isNested: boolean): GeneratedQuery {
    const { random } = this.#state
    const items = [...this.#someColumns(scope), ...this.#computed(scope)]
    const distinct = random.chance(0.12) ? 'DISTINCT ' : ''
    let sql = `SELECT ${distinct}${itemList(items, 'c')} ${tail}`
    if (random.chance(isNested ? 0.1 : 0.18)) {
      sql += ` ORDER BY ALL${random.chance(0.5) ? ' DESC' : ''} LIMIT ${random.below(4)}`
      if (random.chance(0.3)) sql += ` OFFSET ${random.below(2)}`
    }
    return { sql, columns: itemColumns(items, 'c') }
  }

  #computed(scope: Scope): readonly TypedSql[] {
    const { random } = this.#state
    const items: TypedSql[] = []
    if (random.chance(0.3)) items.push({ sql: this.#expressions.scalar(scope, 'INTEGER', 2), type: 'INTEGER' })
    if (this.#state.depth < 2 && random.chance(0.12)) items.push(...this.#scalarSubquery(scope))
    if (this.#state.depth < 2 && random.chance(0.06)) {
      items.push({ sql: this.#parts.subqueryPredicate(scope), type: 'BOOLEAN' })
    }
    const [list] = columnRefs(scope, 'INTEGER[]')
    if (list !== undefined && random.chance(0.15)) items.push({ sql: `unnest(${list.sql})`, type: 'INTEGER' })
    return items
  }

  #scalarSubquery(scope: Scope): readonly TypedSql[] {
    const { random } = this.#state
    this.#state.depth++
    const from = this.#parts.from(0)
    const integers = columnRefs(from.scope, 'INTEGER')
    this.#state.depth--
    if (integers.length === 0) return []
    const aggregate = `${random.pick(['max', 'min', 'sum', 'count'])}(${random.pick(integers).sql})::INTEGER`
    const more = random.chance(0.4) ? ` AND ${this.#expressions.predicate(from.scope, 1)}` : ''
    const condition = this.#expressions.joinCondition(scope, from.scope)
    return [{ sql: `(SELECT ${aggregate} FROM ${from.sql} WHERE ${condition}${more})`, type: 'INTEGER' }]
  }

  #aggregated(scope: Scope, tail: string): GeneratedQuery {
    const { random } = this.#state
    const columns = columnRefs(scope)
    const picked = random.times(random.below(3), () => random.pick(columns))
    const groups = picked.filter((group, index) => picked.findIndex(({ sql }) => sql === group.sql) === index)
    const items = [...groups, ...this.#aggregates(scope)]
    const sql = `SELECT ${itemList(items, 'g')} ${tail}${this.#groupBy(groups)}${this.#having(groups)}`
    return { sql, columns: itemColumns(items, 'g') }
  }

  #aggregates(scope: Scope): readonly TypedSql[] {
    const { random } = this.#state
    const columns = columnRefs(scope)
    const integers = columnRefs(scope, 'INTEGER')
    const scalars = columns.filter((column) => isScalar(column.type))
    const items: TypedSql[] = [{ sql: 'count(*)::INTEGER', type: 'INTEGER' }]
    if (integers.length > 0) {
      items.push({ sql: `sum(${random.pick(integers).sql})::BIGINT`, type: 'BIGINT' })
      if (random.chance(0.3))
        items.push({ sql: `count(DISTINCT ${random.pick(columns).sql})::INTEGER`, type: 'INTEGER' })
      if (random.chance(0.3)) {
        const filter = this.#expressions.predicate(scope, 0)
        items.push({ sql: `(sum(${random.pick(integers).sql}) FILTER (WHERE ${filter}))::BIGINT`, type: 'BIGINT' })
      }
    }
    if (scalars.length > 0) {
      const column = random.pick(scalars)
      items.push({ sql: `${random.pick(['max', 'min'])}(${column.sql})`, type: column.type })
    }
    if (random.chance(0.15)) {
      const column = random.pick(columns)
      items.push({ sql: `list(${column.sql} ORDER BY ${column.sql})::VARCHAR`, type: 'VARCHAR' })
    }
    return items
  }

  #groupBy(groups: readonly TypedSql[]): string {
    const { random } = this.#state
    if (groups.length === 0) return ''
    const list = groups.map((group) => group.sql).join(', ')
    if (groups.length === 2 && random.chance(0.2)) return ` GROUP BY ${random.pick(['ROLLUP', 'CUBE'])} (${list})`
    return ` GROUP BY ${list}`
  }

  #having(groups: readonly TypedSql[]): string {
    const { random } = this.#state
    if (!random.chance(0.25)) return ''
    const conditions = ['count(*) > 1', 'count(*) > 0']
    const [alias = '', name = ''] = groups[0]?.sql.split('.') ?? []
    const type = groups[0]?.type
    if (type !== undefined) conditions.push(this.#expressions.predicate([{ alias, columns: [{ name, type }] }], 0))
    return ` HAVING ${random.pick(conditions)}`
  }

  #windowed(scope: Scope, tail: string): GeneratedQuery {
    const { random } = this.#state
    const window = this.#window(scope)
    const items = this.#someColumns(scope)
    const qualify = random.chance(0.5)
      ? ` QUALIFY ${window} ${random.pick(['=', '<=', '>'])} ${1 + random.below(3)}`
      : ''
    const sql = `SELECT ${itemList(items, 'h')}, (${window})::BIGINT AS wn ${tail}${qualify}`
    return { sql, columns: [...itemColumns(items, 'h'), { name: 'wn', type: 'BIGINT' }] }
  }

  #window(scope: Scope): string {
    const { random } = this.#state
    const columns = columnRefs(scope)
    const integers = columnRefs(scope, 'INTEGER')
    const whole = columns.map((column) => column.sql).join(', ')
    const partition = random.chance(0.6) ? `PARTITION BY ${random.pick(columns).sql} ` : ''
    const frame = `ORDER BY ${whole} ROWS BETWEEN 1 PRECEDING AND CURRENT ROW`
    return random.one(
      () => `row_number() OVER (${partition}ORDER BY ${whole})`,
      () => `rank() OVER (${partition}ORDER BY ${random.pick(columns).sql})`,
      () => `count(*) OVER (${partition})`,
      () =>
        integers.length > 0 ? `sum(${random.pick(integers).sql}) OVER (${partition}${frame})` : 'count(*) OVER ()',
    )
  }

  #someColumns(scope: Scope): readonly TypedSql[] {
    const { random } = this.#state
    const columns = columnRefs(scope)
    return random.times(1 + random.below(4), () => random.pick(columns))
  }
}

function itemList(items: readonly TypedSql[], prefix: string): string {
  return items.map((item, index) => `${item.sql} AS ${prefix}${index}`).join(', ')
}

function itemColumns(items: readonly TypedSql[], prefix: string): GeneratedQuery['columns'] {
  return items.map((item, index) => ({ name: `${prefix}${index}`, type: item.type }))
}
