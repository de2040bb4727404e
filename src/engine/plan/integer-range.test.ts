import { describe, expect, it } from 'vitest'
import type { ComparisonOperator, Filter } from '../../model/filter.js'
import { expandIntegerRange } from './integer-range.js'

function bound(operator: ComparisonOperator, text: string, type = 'BIGINT'): Filter {
  return { kind: 'compare', column: 'n', operator, value: { type, text } }
}

function values(...texts: string[]): Filter {
  return { kind: 'in', column: 'n', negated: false, values: texts.map((text) => ({ type: 'BIGINT', text })) }
}

describe('expandIntegerRange', () => {
  const other: Filter = { kind: 'null', column: 'm', negated: true }

  it('lists the values of a closed range (P12)', () => {
    expect(expandIntegerRange([bound('>=', '1'), other, bound('<=', '3')], 'n', 3)).toEqual([
      other,
      values('1', '2', '3'),
    ])
    expect(expandIntegerRange([bound('>', '1'), bound('<', '4'), bound('>', '0')], 'n', 9)).toEqual([values('2', '3')])
  })

  it('keeps values that a double cannot hold', () => {
    const filters = [bound('>=', '9223372036854775806'), bound('<=', '9223372036854775807')]
    expect(expandIntegerRange(filters, 'n', 2)).toEqual([values('9223372036854775806', '9223372036854775807')])
  })

  it.each<[string, Filter[]]>([
    ['open', [bound('>=', '1')]],
    ['too long', [bound('>=', '1'), bound('<=', '4')]],
    ['empty', [bound('>=', '4'), bound('<=', '1')]],
    ['not of integers', [bound('>=', '1', 'DOUBLE'), bound('<=', '2', 'DOUBLE')]],
  ])('leaves a range that is %s', (_, filters) => {
    expect(expandIntegerRange(filters, 'n', 3)).toBe(filters)
  })

  it('leaves the ranges of other columns', () => {
    const filters = [bound('>=', '1'), bound('<=', '3')]
    expect(expandIntegerRange(filters, 'm', 10)).toBe(filters)
  })
})
