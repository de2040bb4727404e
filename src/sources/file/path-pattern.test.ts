import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { matchesSegment, matchesSegments, parsePathPattern } from './path-pattern.js'

describe('one segment', () => {
  let instance: DuckDBInstance
  let connection: DuckDBConnection

  beforeAll(async () => {
    instance = await DuckDBInstance.create(':memory:')
    connection = await instance.connect()
  })

  afterAll(() => {
    connection.closeSync()
    instance.closeSync()
  })

  it('matches what GLOB of DuckDB matches', async () => {
    const letter = fc.constantFrom('a', 'b', 'c', '-', '.')
    const piece = fc.oneof(
      fc.constantFrom('a', 'b', '*', '?', '-', '.'),
      fc
        .tuple(fc.boolean(), fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 3 }))
        .map(([negated, letters]) => `[${negated ? '!' : ''}${letters.join('')}]`),
      fc.constantFrom('[a-b]', '[!a-b]', '[b-c]'),
    )
    const names = fc.array(letter, { minLength: 1, maxLength: 6 }).map((letters) => letters.join(''))
    const patterns = fc.array(piece, { minLength: 1, maxLength: 6 }).map((pieces) => pieces.join(''))
    await fc.assert(
      fc.asyncProperty(names, patterns, async (name, pattern) => {
        const reader = await connection.runAndReadAll('SELECT $1::VARCHAR GLOB $2::VARCHAR', [name, pattern])
        expect([name, pattern, matchesSegment(pattern, name)]).toEqual([name, pattern, reader.getRows()[0]?.[0]])
      }),
      { numRuns: 1_000 },
    )
  })

  it('takes few steps for patterns made to explode', () => {
    expect(matchesSegment('*a'.repeat(200), 'a'.repeat(5_000))).toBe(true)
    expect(matchesSegment(`${'*a'.repeat(200)}b`, 'a'.repeat(5_000))).toBe(false)
    expect(
      matchesSegments(
        Array.from({ length: 200 }, (_, index) => (index % 2 === 0 ? '**' : '*')),
        Array.from({ length: 200 }, () => 'x'),
      ),
    ).toBe(true)
  })

  it('treats an open bracket without an end as itself', () => {
    expect(matchesSegment('a[b', 'a[b')).toBe(true)
    expect(matchesSegment('a[b', 'ab')).toBe(false)
  })
})

describe('several segments', () => {
  it.each([
    [['**'], [], true],
    [['**'], ['a', 'b'], true],
    [['**', '*.csv'], ['x.csv'], true],
    [['**', '*.csv'], ['a', 'b', 'x.csv'], true],
    [['*', '*.csv'], ['x.csv'], false],
    [['a', '**', 'b'], ['a', 'b'], true],
    [['a', '**', 'b'], ['a', 'b', 'c'], false],
    [['**'], ['.git', 'x'], false],
    [['.*'], ['.env'], false],
    [[], [], true],
    [[], ['a'], false],
  ])('%j %j %j', (segments, names, expected) => {
    expect(matchesSegments(segments, names)).toBe(expected)
  })

  it('the folder before the first wildcard is the base', () => {
    expect(parsePathPattern('../data/x*/**/y.csv', '/ws/conf')).toMatchObject({
      base: '/ws/data',
      segments: ['x*', '**', 'y.csv'],
    })
    expect(parsePathPattern('/**/**/x.csv', '/ws')).toMatchObject({ base: '/', segments: ['**', 'x.csv'] })
    expect(parsePathPattern('./a/../b.csv', '/ws')).toMatchObject({ base: '/ws', plain: '/ws/b.csv', segments: [] })
    expect(parsePathPattern('a/*/../b.csv', '/ws')).toBeUndefined()
  })
})
