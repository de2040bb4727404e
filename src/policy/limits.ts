import { QuerentError } from '../errors/querent-error.js'

/** Characters of SQL, in UTF-16 units. */
export const maxSqlLength = 262_144
/** Parentheses, brackets and braces inside one another. */
export const maxNesting = 250
/** Expressions inside one another: DuckDB's binder takes a second for 400 of them, during which nothing stops it. */
export const maxExpressionDepth = 250
/** Nodes of the parse tree inside one another; a chain of UNIONs or joins is as deep as it is long. */
export const maxTreeDepth = 1_000

/** How much one query may take and give. */
export interface QueryLimits {
  readonly maxRows: number
  /** Length of the answer's text block as it stands escaped in the message. */
  readonly maxChars: number
  readonly timeoutMs: number
}

export const defaultLimits: QueryLimits = { maxRows: 1_024, maxChars: 50_000, timeoutMs: 30_000 }

export interface EffectiveLimits extends QueryLimits {
  /** Wishes above the workspace's cap, which holds instead; empty where every wish was granted. */
  readonly lowered: readonly (keyof QueryLimits)[]
}

const names = ['maxRows', 'maxChars', 'timeoutMs'] as const

/**
 * The workspace's caps and the caller's wishes: a wish lowers a cap and never raises it. Throws `policy.limit` for a
 * wish that is not a whole number from 1 up.
 */
export function effectiveLimits(
  caps: Partial<QueryLimits>,
  wishes: { readonly [Name in keyof QueryLimits]?: number | undefined },
): EffectiveLimits {
  const limits = { ...defaultLimits, ...caps }
  const lowered: (keyof QueryLimits)[] = []
  const granted = { ...limits }
  for (const name of names) {
    const wish = wishes[name]
    if (wish === undefined) continue
    if (!Number.isSafeInteger(wish) || wish < 1) {
      throw new QuerentError('policy.limit', { name, value: wish, max: limits[name] })
    }
    granted[name] = Math.min(wish, limits[name])
    if (wish > limits[name]) lowered.push(name)
  }
  return { ...granted, lowered }
}
