import { columnRefs, isScalar, maxDepth, scopeTypes, type GeneratorState, type Scope, type TypedSql } from './scope.js'
import { literal, type ColumnType } from './tables.js'

/** Writes scalars and conditions over a scope. */
export class ExpressionGenerator {
  readonly #state: GeneratorState
  readonly #subqueryPredicate: (scope: Scope) => string

  constructor(state: GeneratorState, subqueryPredicate: (scope: Scope) => string) {
    this.#state = state
    this.#subqueryPredicate = subqueryPredicate
  }

  scalar(scope: Scope, type: ColumnType, levels: number): string {
    const { random } = this.#state
    const columns = columnRefs(scope, type)
    const kind = random.next()
    if (columns.length > 0 && kind < 0.6) return random.pick(columns).sql
    if (kind < 0.75 || levels <= 0) {
      return random.chance(0.05) ? `CAST(NULL AS ${type})` : `CAST(${literal(random, type)} AS ${type})`
    }
    const part = (partType: ColumnType): string => this.scalar(scope, partType, levels - 1)
    switch (type) {
      case 'INTEGER':
        return this.#integer(scope, levels)
      case 'VARCHAR':
        return random.one(
          () => `lower(${part('VARCHAR')})`,
          () => `(${part('VARCHAR')} || 'a')`,
          () => `coalesce(${part('VARCHAR')}, 'a')`,
          () => `${part('INTEGER')}::VARCHAR`,
        )
      case 'BIGINT':
        return `${part('INTEGER')}::BIGINT`
      case 'DATE':
        return random.chance(0.5) ? `(${part('DATE')} + 1)` : `${part('TIMESTAMP')}::DATE`
      default:
        return `CAST(${literal(random, type)} AS ${type})`
    }
  }

  #integer(scope: Scope, levels: number): string {
    const { random } = this.#state
    const part = (): string => this.scalar(scope, 'INTEGER', levels - 1)
    const small = (): number => random.below(4)
    return random.one(
      () => `(${part()} + 1)`,
      () => `coalesce(${part()}, ${small()})`,
      () => `length(${this.scalar(scope, 'VARCHAR', levels - 1)})::INTEGER`,
      () => `(CASE WHEN ${this.predicate(scope, levels - 1)} THEN ${part()} ELSE ${small()} END)`,
      () => `nullif(${part()}, ${small()})`,
      () => `greatest(${part()}, ${part()})`,
    )
  }

  predicate(scope: Scope, levels: number): string {
    const { random } = this.#state
    const types = scopeTypes(scope)
    if (types.length === 0) return random.pick(['true', '1 = 1'])
    const kind = random.next()
    if (levels > 0) {
      const part = (): string => this.predicate(scope, levels - 1)
      if (kind < 0.13) return `(${part()} OR ${part()})`
      if (kind < 0.2) return `(${part()} AND ${part()})`
      if (kind < 0.25) return `NOT (${part()})`
      if (kind < 0.36 && this.#state.depth < maxDepth) return this.#subqueryPredicate(scope)
    }
    return this.#simplePredicate(scope, random.pick(types))
  }

  #simplePredicate(scope: Scope, type: ColumnType): string {
    const { random } = this.#state
    const column = random.chance(0.85) ? random.pick(columnRefs(scope, type)).sql : this.scalar(scope, type, 1)
    const value = (): string => (type === 'DOUBLE' ? `${literal(random, type)}::DOUBLE` : literal(random, type))
    const cast = (): string => `CAST(${literal(random, type)} AS ${type})`
    const list = (most: number): string => {
      const values = random.times(1 + random.below(most), value)
      return [...values, ...(random.chance(0.1) ? ['NULL'] : [])].join(', ')
    }
    const negation = (): string => (random.chance(0.5) ? 'NOT ' : '')
    const equality = (): string => `${column} = ${random.chance(0.5) ? value() : cast()}`
    return random.one(
      equality,
      equality,
      equality,
      () => `${column} ${random.pick(['<', '<=', '>', '>=', '<>'])} ${value()}`,
      () => `${column} IN (${list(5)})`,
      () => `${column} NOT IN (${list(3)})`,
      () => `${column} BETWEEN ${value()} AND ${value()}`,
      () => `${column} IS ${negation()}NULL`,
      () => `${column} IS ${negation()}DISTINCT FROM ${random.chance(0.2) ? 'NULL' : value()}`,
      () => this.#pattern(scope) ?? `${column} = ${value()}`,
      () => `${column} ${random.pick(['=', '<', '>=', '<>'])} ${this.scalar(scope, type, 1)}`,
      () => this.#flag(scope) ?? `${value()} = ${column}`,
    )
  }

  #pattern(scope: Scope): string | undefined {
    const { random } = this.#state
    const texts = columnRefs(scope, 'VARCHAR')
    if (texts.length === 0) return undefined
    const pattern = random.pick(["'a%'", "'%b'", "'a'", "'_b'", "'%'", "'A%'"])
    return `${random.pick(texts).sql} ${random.pick(['LIKE', 'NOT LIKE', 'ILIKE'])} ${pattern}`
  }

  #flag(scope: Scope): string | undefined {
    const { random } = this.#state
    const flags = columnRefs(scope, 'BOOLEAN')
    if (flags.length === 0) return undefined
    return `${random.chance(0.5) ? 'NOT ' : ''}${random.pick(flags).sql}`
  }

  /** A condition between two scopes; mostly equalities. */
  joinCondition(left: Scope, right: Scope): string {
    const { random } = this.#state
    const pairs = joinablePairs(left, right)
    if (pairs.length === 0) return 'true'
    const integers = pairs.filter((pair) => pair.type === 'INTEGER')
    const pair = random.pick(integers.length > 0 && random.chance(0.7) ? integers : pairs)
    const other = random.pick(pairs)
    const equal = random.chance(0.5) ? `${pair.left} = ${pair.right}` : `${pair.right} = ${pair.left}`
    const kind = random.next()
    if (kind < 0.6) return equal
    if (kind < 0.75) return `${equal} AND ${other.left} = ${other.right}`
    if (kind < 0.82) return `${pair.left} ${random.pick(['<', '>=', '<>'])} ${pair.right}`
    if (kind < 0.9) return `${pair.left} IS NOT DISTINCT FROM ${pair.right}`
    if (kind < 0.94) return `(${equal} OR ${other.left} = ${other.right})`
    return `${equal} AND ${this.predicate([...left, ...right], 1)}`
  }
}

interface JoinablePair {
  readonly left: string
  readonly right: string
  readonly type: ColumnType
}

function joinablePairs(left: Scope, right: Scope): readonly JoinablePair[] {
  return columnRefs(left).flatMap((first) =>
    columnRefs(right).flatMap((second) => {
      const type = joinType(first, second)
      return type === undefined ? [] : [{ left: first.sql, right: second.sql, type }]
    }),
  )
}

function joinType(first: TypedSql, second: TypedSql): ColumnType | undefined {
  if (first.type === second.type) return isScalar(first.type) && first.type !== 'BOOLEAN' ? first.type : undefined
  const types = [first.type, second.type]
  return types.includes('INTEGER') && types.includes('BIGINT') ? 'INTEGER' : undefined
}
