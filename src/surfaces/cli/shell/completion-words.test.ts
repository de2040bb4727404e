import { expect, it } from 'vitest'
import { wordsOf } from './completion-words.js'

const words = wordsOf([
  { name: { source: 'sales', table: 'orders' }, columnNames: ['order_id', 'odd name'] },
  { name: { source: 'sales', table: 'ord\u001b[2J' }, columnNames: ['order\u202e'] },
])

it.each<[string, string[], string]>([
  ['SELECT ord', ['order_id', 'ORDER'], 'ord'],
  ['FROM sales.o', ['sales.orders'], 'sales.o'],
  ['WHERE sales.orders.od', [], 'sales.orders.od'],
  ['WHERE orders.o', ['orders.order_id'], 'orders.o'],
  ['SELECT sum(order_', ['order_id'], 'order_'],
  ['.de', ['.describe'], '.de'],
  ['.describe sal', ['sales.orders'], 'sal'],
  ['SELECT "o', ['"odd name"'], '"o'],
])('%s', (line, candidates, replaced) => {
  expect(words.complete(line)).toEqual([candidates, replaced])
})
