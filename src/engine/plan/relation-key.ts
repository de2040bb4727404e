import type { RelationName } from './bound-plan.js'

/** A text that two names share only if they are the same relation. */
export function relationKey({ catalog, schema, table }: RelationName): string {
  return JSON.stringify([catalog, schema, table])
}
