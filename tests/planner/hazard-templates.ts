import type { ExpressionGenerator } from './expression-generator.js'
import type { Random } from './random.js'
import { columnsOf } from './tables.js'

/** Key columns of the tables: integers with few values. */
const keys: Readonly<Record<string, readonly [string, string]>> = {
  r1: ['id', 'k'],
  r2: ['id', 'k'],
  l1: ['k', 'x'],
  l2: ['x', 'y'],
}

/** Writes joins over exactly those constructs through which keys must, or must not, be handed down. */
export class HazardTemplates {
  readonly #random: Random
  readonly #expressions: ExpressionGenerator

  constructor(random: Random, expressions: ExpressionGenerator) {
    this.#random = random
    this.#expressions = expressions
  }

  statement(): string {
    const forms = [
      () => this.#join(),
      () => this.#join(),
      () => this.#twoJoins(),
      () => this.#membership(),
      () => this.#membershipOrOther(),
      () => this.#sharedCte(),
      () => this.#chain(),
      () => this.#lateral(),
      () => this.#recursion(),
    ]
    return this.#random.one(...forms)
  }

  #table(): string {
    return this.#random.pick(Object.keys(keys))
  }

  #keysOf(table: string): readonly [string, string] {
    return keys[table] ?? ['x', 'y']
  }

  #key(table: string): string {
    return this.#random.pick(this.#keysOf(table))
  }

  #outerOrInner(): string {
    return this.#random.pick(['JOIN', 'JOIN', 'LEFT JOIN', 'RIGHT JOIN', 'FULL JOIN'])
  }

  #equals(): string {
    return this.#random.chance(0.75) ? '=' : 'IS NOT DISTINCT FROM'
  }

  #predicate(alias: string, table: string): string {
    return this.#expressions.predicate([{ alias, columns: columnsOf(table) }], 1)
  }

  #where(alias: string, table: string): string {
    return this.#random.chance(0.35) ? ` WHERE ${this.#predicate(alias, table)}` : ''
  }

  #on(alias: string, table: string, derived: string): string {
    const second = this.#random.chance(0.3)
      ? ` AND ${alias}.${this.#key(table)} = ${derived}.${this.#derivedKey()}`
      : ''
    return `${alias}.${this.#key(table)} ${this.#equals()} ${derived}.${this.#derivedKey()}${second}`
  }

  #derivedKey(): string {
    return this.#random.pick(['p', 'q'])
  }

  #afterJoin(): string {
    if (!this.#random.chance(0.4)) return ''
    const value = this.#random.below(3)
    return ` WHERE ${this.#random.pick([`b.p = ${value}`, 'b.q IS NULL', 'b.n > 1', `b.q <> ${value}`, 'b.p IN (0, 2)'])}`
  }

  #join(): string {
    const table = this.#table()
    const join = this.#random.pick(['JOIN', 'JOIN', 'LEFT JOIN', 'RIGHT JOIN', 'FULL JOIN', 'SEMI JOIN', 'ANTI JOIN'])
    const isHalf = join === 'SEMI JOIN' || join === 'ANTI JOIN'
    const outer = `(SELECT *, ${this.#key(table)} AS c0 FROM ${table}) a`
    const columns = `a.${this.#key(table)}, a.c0${isHalf ? '' : ', b.p, b.q, b.n'}`
    const on = this.#on('a', table, 'b')
    return `SELECT ${columns} FROM ${outer} ${join} ${this.#derived()} b ON ${on}${isHalf ? '' : this.#afterJoin()}`
  }

  #twoJoins(): string {
    const table = this.#table()
    const [first, second] = [this.#outerOrInner(), this.#outerOrInner()]
    const between = `b.${this.#derivedKey()} ${this.#equals()} c.${this.#derivedKey()}`
    const on = this.#random.chance(0.5) ? between : this.#on('a', table, 'c')
    return (
      `SELECT a.${this.#key(table)}, b.p, b.n, c.q, c.n FROM ${table} a ` +
      `${first} ${this.#derived()} b ON ${this.#on('a', table, 'b')} ` +
      `${second} ${this.#derived()} c ON ${on}${this.#afterJoin()}`
    )
  }

  #membership(): string {
    const [table, other] = [this.#table(), this.#table()]
    const not = this.#random.chance(0.4) ? 'NOT ' : ''
    const list = `SELECT ${this.#key(other)} FROM ${other} z${this.#where('z', other)}`
    return `SELECT a.${this.#key(table)}, a.${this.#key(table)} ${not}IN (${list}) AS m FROM ${table} a${this.#where('a', table)}`
  }

  #membershipOrOther(): string {
    const [table, other] = [this.#table(), this.#table()]
    const not = this.#random.chance(0.5) ? 'NOT ' : ''
    const correlation = `z.${this.#key(other)} ${this.#equals()} a.${this.#key(table)}`
    const list = `SELECT z.${this.#key(other)} FROM ${other} z WHERE ${correlation}`
    const condition = `a.${this.#key(table)} ${not}IN (${list}) OR ${this.#predicate('a', table)}`
    return `SELECT a.${this.#key(table)} FROM ${table} a WHERE ${condition}`
  }

  #sharedCte(): string {
    const table = this.#table()
    const materialized = this.#random.chance(0.5) ? 'MATERIALIZED ' : ''
    const where = this.#random.chance(0.4) ? ' WHERE q1.p = 1' : ''
    return (
      `WITH q AS ${materialized}(SELECT * FROM ${this.#derived()}) ` +
      `SELECT a.${this.#key(table)}, q1.p, q1.n, q2.q FROM ${table} a ` +
      `${this.#outerOrInner()} q q1 ON ${this.#on('a', table, 'q1')} ` +
      `${this.#outerOrInner()} q q2 ON ${this.#on('a', table, 'q2')}${where}`
    )
  }

  #chain(): string {
    const [a, b, c] = [this.#table(), this.#table(), this.#table()]
    const step = (left: string, leftTable: string, right: string, rightTable: string): string =>
      `${left}.${this.#key(leftTable)} ${this.#equals()} ${right}.${this.#key(rightTable)}`
    const last = this.#random.chance(0.5) ? step('d', a, 'a', a) : step('d', a, 'c', c)
    const where = this.#random.chance(0.4) ? ` WHERE ${this.#predicate('a', a)}` : ''
    return (
      `SELECT a.${this.#key(a)}, b.${this.#key(b)}, c.${this.#key(c)}, d.${this.#key(a)} FROM ${a} a ` +
      `${this.#outerOrInner()} ${b} b ON ${step('a', a, 'b', b)} ` +
      `${this.#outerOrInner()} ${c} c ON ${step('b', b, 'c', c)} ` +
      `${this.#outerOrInner()} ${a} d ON ${last}${where}`
    )
  }

  #lateral(): string {
    const [table, other] = [this.#table(), this.#table()]
    const more = this.#random.chance(0.4) ? ` AND ${this.#predicate('z', other)}` : ''
    const limit = this.#random.chance(0.5) ? ` ORDER BY ALL LIMIT ${1 + this.#random.below(2)}` : ''
    const correlation = `z.${this.#key(other)} ${this.#equals()} a.${this.#key(table)}`
    const inner = `SELECT z.${this.#key(other)} AS p, z.${this.#key(other)} AS q FROM ${other} z WHERE ${correlation}${more}${limit}`
    const [join, on] = this.#random.chance(0.5) ? [',', ''] : [' LEFT JOIN', ' ON true']
    return `SELECT a.${this.#key(table)}, x.* FROM ${table} a${join} LATERAL (${inner}) x${on}`
  }

  #recursion(): string {
    const table = this.#table()
    const where = this.#random.chance(0.3) ? ' WHERE z.q = 1' : ''
    return (
      `WITH RECURSIVE z(p, q) AS (SELECT x, y FROM l2 WHERE x = ${this.#random.below(3)} ` +
      `UNION SELECT l2.x, l2.y FROM l2 JOIN z ON l2.x = z.q) ` +
      `SELECT a.${this.#key(table)}, z.* FROM ${table} a ${this.#outerOrInner()} z ON ${this.#on('a', table, 'z')}${where}`
    )
  }

  /** A derived table with key columns p and q, and n. */
  #derived(): string {
    const table = this.#table()
    const [first, second] = this.#keysOf(table)
    const where = this.#where('s', table)
    const either = (): string => this.#random.pick([first, second])
    const select = (rest: string): string => `(SELECT ${first} AS p, ${second} AS q, ${rest}`
    const from = `FROM ${table} s${where}`
    const order = columnsOf(table)
      .filter((column) => column.type !== 'INTEGER[]')
      .map((column) => column.name)
    return this.#random.one(
      () => select(`row_number() OVER (PARTITION BY ${either()} ORDER BY ${order.join(', ')}) AS n ${from})`),
      () =>
        select(`count(*) AS n ${from} GROUP BY ${this.#random.pick(['CUBE', 'ROLLUP', ''])} (${first}, ${second}))`),
      () =>
        select(`1 AS n ${from} ORDER BY ${first}${this.#direction()}, ${second} LIMIT ${1 + this.#random.below(4)})`),
      () => `(SELECT ${first} AS p, max(${second}) AS q, count(*) AS n ${from} GROUP BY ${first})`,
      () => select(`1 AS n ${from} ${this.#setOperation()})`),
      () => this.#distinctOn(from, first, second),
      () => this.#innerJoin(table, first, second),
      () => select(`sum(${second}) OVER (PARTITION BY ${first}) AS n ${from})`),
      () => `(SELECT ${first} AS p, coalesce(${second}, 0) AS q, 1 AS n ${from})`,
      () => `(SELECT DISTINCT ${first} AS p, ${second} AS q, 2 AS n ${from})`,
      () => `(SELECT unnest([${first}, ${second}]) AS p, ${second} AS q, 2 AS n ${from})`,
      () => this.#correlatedColumn(table, first, second),
      () => select(`rank() OVER (ORDER BY ${first}) AS n ${from} QUALIFY n <= 3)`),
    )
  }

  #direction(): string {
    return this.#random.chance(0.5) ? ' DESC' : ''
  }

  #setOperation(): string {
    const table = this.#table()
    const operation = this.#random.pick(['UNION', 'UNION ALL', 'EXCEPT', 'INTERSECT', 'EXCEPT ALL'])
    return `${operation} SELECT ${this.#keysOf(table).join(', ')}, 1 FROM ${table}`
  }

  #distinctOn(from: string, first: string, second: string): string {
    const [target, other] = this.#random.chance(0.5) ? [first, second] : [second, first]
    return `(SELECT DISTINCT ON (${target}) ${first} AS p, ${second} AS q, 1 AS n ${from} ORDER BY ${target}, ${other})`
  }

  #innerJoin(table: string, first: string, second: string): string {
    const other = this.#table()
    const on = `s.${second} ${this.#equals()} z.${this.#key(other)}`
    return (
      `(SELECT s.${first} AS p, z.${this.#key(other)} AS q, 1 AS n FROM ${table} s ` +
      `${this.#outerOrInner()} ${other} z ON ${on}${this.#where('s', table)})`
    )
  }

  #correlatedColumn(table: string, first: string, second: string): string {
    const other = this.#table()
    const inner = `SELECT max(z.${this.#key(other)}) FROM ${other} z WHERE z.${this.#key(other)} ${this.#equals()} s.${second}`
    return `(SELECT s.${first} AS p, s.${second} AS q, (${inner}) AS n FROM ${table} s${this.#where('s', table)})`
  }
}
