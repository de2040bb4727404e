import type { Introspection } from '../../src/sources/source-context.js'
import type { ContractFixture } from './source-contract.js'

/** Reads plans in place, by DuckDB. */
export function inPlaceRead(introspection: Introspection): ContractFixture['read'] {
  return async ({ inPlace }, sql) => {
    if (inPlace === undefined) throw new Error('the table is not read in place')
    const { files, attach } = inPlace
    return introspection.query({
      sql: `WITH scan AS (${inPlace.sql}) ${sql}`,
      files,
      ...(attach === undefined ? {} : { attach }),
    })
  }
}
