import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { tokenize } from '../src/policy/lexer.js'
import { Judge } from './corpus/judge.js'
import { mutationsOf, type Mutation } from './corpus/mutate.js'
import { readHostile, readLegitimate, readWrites } from './corpus/read-corpus.js'

let judge: Judge
beforeAll(async () => {
  judge = await Judge.open()
})
afterAll(() => {
  judge.close()
})

/** More for a longer search, such as before a new version of DuckDB. */
const numRuns = Number(process.env['QUERENT_MUTATIONS'] ?? 1_000)

/** Statements whose characters are the point of them, or that have no tokens to mutate. */
function canMutate(sql: string): boolean {
  try {
    return tokenize(sql).length > 0
  } catch {
    return false
  }
}

function isQuery(sql: string): boolean {
  return /^\s*(?:select|from|values|table|with)\b/i.test(sql)
}

const mutation: fc.Arbitrary<Mutation> = fc.record({
  seeds: fc.infiniteStream(fc.nat(1_000_000)),
  wrap: fc.nat(20),
})

describe('mutations', () => {
  const hostile = readHostile().filter(({ sql }) => canMutate(sql))
  const legitimate = readLegitimate()
    .map((sql) => ({ sql, write: false }))
    .concat(readWrites().map((sql) => ({ sql, write: true })))

  test('of hostile statements are refused', { timeout: 300_000 }, async () => {
    const property = fc.asyncProperty(fc.constantFrom(...hostile), mutation, async (statement, change) => {
      const { sql, write, expected } = statement
      const wrap = !write && isQuery(sql)
      const mutated = mutationsOf(sql, change, { wrap, quoteFunctions: true })
      // Put into another statement, a statement that is no query is a fault of syntax.
      const refusals = wrap ? [expected, 'sql.syntax', 'policy.statement'] : [expected]
      expect(
        refusals.map((refused) => ({ refused })),
        mutated,
      ).toContainEqual(await judge.judge(mutated, write))
    })
    await fc.assert(property, { numRuns })
  })

  test('of legitimate statements pass', { timeout: 300_000 }, async () => {
    const property = fc.asyncProperty(fc.constantFrom(...legitimate), mutation, async ({ sql, write }, change) => {
      const named = sql.replaceAll('$DIR', judge.directory)
      const mutated = mutationsOf(named, change, { wrap: false, quoteFunctions: false })
      expect(await judge.judge(mutated, write), mutated).not.toHaveProperty('refused')
    })
    await fc.assert(property, { numRuns })
  })
})
