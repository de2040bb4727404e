import type { RelationName } from '../rewrite/relation-names.js'

/** A relation to be made, and which of the query's catalogs holds it. */
export interface AssignedRelation extends RelationName {
  /** 0 is `<queryId>`, n is `<queryId>_<n>`. */
  readonly number: number
  readonly isNew: boolean
}

/**
 * Names for a query's relations. Each reference to a remote table gets a relation of its own; references to one table
 * in place share one. Relations of one name stand in different catalogs, so that `schema.name` binds as it was written.
 */
export class RelationNames {
  readonly #queryId: string
  readonly #taken = new Map<string, number>()
  readonly #shared = new Map<string, RelationName & { readonly number: number }>()

  constructor(queryId: string) {
    this.#queryId = queryId
  }

  /** @param shareKey equal for references that may share a relation; undefined: never shared. */
  assign(schema: string, name: string, shareKey: string | undefined): AssignedRelation {
    const path = JSON.stringify([schema.toLowerCase(), name.toLowerCase()])
    const key = shareKey === undefined ? undefined : `${path} ${shareKey}`
    const existing = key === undefined ? undefined : this.#shared.get(key)
    if (existing !== undefined) return { ...existing, isNew: false }
    const number = this.#taken.get(path) ?? 0
    this.#taken.set(path, number + 1)
    const relation = { catalog: catalogName(this.#queryId, number), schema, name, number }
    if (key !== undefined) this.#shared.set(key, relation)
    return { ...relation, isNew: true }
  }
}

function catalogName(queryId: string, number: number): string {
  return number === 0 ? queryId : `${queryId}_${number}`
}
