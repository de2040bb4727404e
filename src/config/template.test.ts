import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseTemplate } from './template.js'

describe('parseTemplate', () => {
  it.each([
    ['plain', ['plain']],
    ['', []],
    ['${env:A}', [{ kind: 'env', name: 'A' }]],
    ['a${var:b}c', ['a', { kind: 'var', name: 'b' }, 'c']],
    ['${env:A:-}', [{ kind: 'env', name: 'A', fallback: '' }]],
    ['${env:A:-x:?y}', [{ kind: 'env', name: 'A', fallback: 'x:?y' }]],
    ['${secret:A:?no\nvalue}', [{ kind: 'secret', name: 'A', complaint: 'no\nvalue' }]],
    ['${file:../a b.txt}', [{ kind: 'file', name: '../a b.txt' }]],
    ['$${env:A}', ['${', 'env:A}']],
    ['$5 {x} $', ['$5 {x} $']],
  ])('%j', (text, parts) => {
    expect(parseTemplate(text)).toEqual(parts)
  })

  it.each(['${', '${env:A', '${A}', '${env:}', '${ENV:A}', '${env:a b}', '${env:${var:x}}', '${file:}', '${}'])(
    'refuses %j',
    (text) => {
      expect(parseTemplate(text)).toHaveProperty('message')
    },
  )

  it('gives back every text whose references are escaped', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('$', '{', '}', ':', 'a', 'env') }), (text) => {
        const parts = parseTemplate(text.replaceAll('${', () => '$${'))
        expect(Array.isArray(parts) ? parts.join('') : parts).toBe(text)
      }),
    )
  })
})
