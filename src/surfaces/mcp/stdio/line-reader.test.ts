import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { idOfEnds, LineReader, type Line } from './line-reader.js'

function read(reader: LineReader, chunks: readonly Buffer[]): Line[] {
  return [...chunks.flatMap((chunk) => [...reader.push(chunk)]), ...reader.end()]
}

describe('LineReader', () => {
  it('gives the same lines however the bytes are cut', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' })), fc.array(fc.nat(20)), (texts, cuts) => {
        const lines = texts.map((text) => text.replaceAll('\n', ' '))
        const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''))
        const chunks: Buffer[] = []
        let at = 0
        for (const cut of cuts) {
          chunks.push(bytes.subarray(at, at + cut))
          at += cut
        }
        chunks.push(bytes.subarray(at))
        expect(read(new LineReader(1_000_000), chunks)).toEqual(lines.map((text) => ({ kind: 'line', text })))
      }),
    )
  })

  it('keeps the ends of a line over the limit and reads on', () => {
    const long = `head${'x'.repeat(5000)}tail`
    const bytes = Buffer.from(`a\n${long}\nb\n`)
    for (const size of [1, 7, 4096, bytes.length]) {
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
        bytes.subarray(index * size, (index + 1) * size),
      )
      const lines = read(new LineReader(1000), chunks)
      expect(lines.map((line) => line.kind)).toEqual(['line', 'too-long', 'line'])
      const [, tooLong] = lines
      if (tooLong?.kind !== 'too-long') throw new TypeError('expected the ends of a line')
      expect(tooLong.head).toMatch(/^headx+$/)
      expect(tooLong.tail).toMatch(/^x+tail$/)
      expect(tooLong.head.length).toBeLessThanOrEqual(512)
    }
  })

  it('takes a line of exactly the limit', () => {
    expect(read(new LineReader(3), [Buffer.from('abc\nabcd\n')]).map((line) => line.kind)).toEqual(['line', 'too-long'])
  })
})

describe('idOfEnds', () => {
  it.each([
    ['{"jsonrpc":"2.0","id":12,"method":"x","params":{"a":"', '"}}', 12],
    ['{"id":"a\\"b","method":"x"', '"}}', 'a"b'],
    ['{"method":"x","params":{"a":"', 'zzz"},"jsonrpc":"2.0","id":5}', 5],
    ['{"method":"x","params":{"a":"', 'zzz"},"jsonrpc":"2.0","id":"s"}\r', 's'],
    ['{"method":"x","params":{"a":"', 'zzz","id":5}}', undefined],
    ['{"method":"x","params":{"a":"', ',\\"id\\":5"}', undefined],
    ['{"method":"x","params":{"id":3,', '"}}', undefined],
  ])('of %s … %s is %j', (head, tail, id) => {
    expect(idOfEnds(head, tail)).toBe(id)
  })
})
