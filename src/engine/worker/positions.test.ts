import { describe, expect, it } from 'vitest'
import { characterOfByte, characterOfCodePoint, originalLocation } from './positions.js'

describe('positions', () => {
  it('count UTF-16 units, whatever DuckDB counts', () => {
    const sql = "'é😀' x"
    expect(characterOfByte(sql, 9)).toBe(sql.indexOf('x'))
    expect(characterOfCodePoint(sql, 5)).toBe(sql.indexOf('x'))
    expect([characterOfByte(sql, 99), characterOfCodePoint(sql, 99)]).toEqual([sql.length, sql.length])
  })

  it('find the node of the user’s tree that stands at a place of the printed one', () => {
    const node = (location: number, children: unknown[] = []): unknown => ({
      class: 'F',
      query_location: location,
      children,
    })
    const tree = node(3, [node(10), node(20, [node(30)])])
    const printed = node(1, [node(5), node(6, [node(9)])])
    expect(originalLocation(tree, printed, 9)).toBe(30)
    expect(originalLocation(tree, printed, 7)).toBeUndefined()
  })
})
