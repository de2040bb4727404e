import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkTree } from '../src/policy/check-tree.js'
import { Judge } from './corpus/judge.js'
import { readHostile, readLegitimate, readWrites } from './corpus/read-corpus.js'

let judge: Judge
beforeAll(async () => {
  judge = await Judge.open()
})
afterAll(() => {
  judge.close()
})

describe('the corpus of legitimate statements', () => {
  const statements = readLegitimate()

  test('has at least 150 statements', () => {
    expect(new Set(statements).size).toBeGreaterThanOrEqual(150)
  })

  test.each(statements)('passes and runs: %s', async (statement) => {
    const sql = statement.replaceAll('$DIR', judge.directory)
    const verdict = await judge.judge(sql)
    expect(verdict).toHaveProperty('passed')
    if (!('passed' in verdict)) return
    const { parameters } = checkTree(verdict.passed)
    const rows = await judge.run(verdict.passed, parameters)
    const direct = sql.replace(/EXPLAIN\s*(ANALYZE|\((?:ANALYZE|FORMAT)[^)]*\))?/, '')
    expect(rows).toEqual(await judge.sorted(direct, parameters))
  })
})

describe('the corpus of writing statements', () => {
  test.each(readWrites())('is refused for reading and taken for writing: %s', async (sql) => {
    expect(await judge.judge(sql)).toEqual({ refused: 'policy.statement' })
    const verdict = await judge.judge(sql, true)
    expect(verdict).toHaveProperty('passedWrite')
    if (!('passedWrite' in verdict)) return
    expect(await judge.outcome(verdict.passedWrite)).toEqual(await judge.outcome(sql))
  })
})

describe('the corpus of hostile statements', () => {
  const statements = readHostile()

  test('has at least 300 statements', () => {
    expect(new Set(statements.map(({ sql, write }) => `${write} ${sql}`)).size).toBeGreaterThanOrEqual(300)
  })

  test.each(statements)('is refused with $expected: $sql', async ({ sql, expected, write }) => {
    expect(await judge.judge(sql, write)).toEqual({ refused: expected })
  })

  test.each(statements.filter(({ sql }) => /\/etc\/passwd|https?:|\bglob\('\/|sniff_csv/.test(sql)))(
    'would not reach a file or the network either: $sql',
    async ({ sql }) => {
      await expect(judge.sorted(sql, [])).rejects.toThrow()
    },
  )
})
