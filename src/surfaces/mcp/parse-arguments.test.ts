import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { QuerentError } from '../../errors/querent-error.js'
import { parseArguments } from './parse-arguments.js'

const schema = z.strictObject({ sql: z.string(), maxRows: z.number().int().min(1).exactOptional() })

function refusal(value: unknown): QuerentError {
  try {
    parseArguments(schema, value, 'query')
  } catch (error) {
    if (error instanceof QuerentError) return error
    throw error
  }
  throw new TypeError('expected a refusal')
}

describe('parseArguments', () => {
  it('gives what the schema gives', () => {
    expect(parseArguments(schema, { sql: 'x', maxRows: 3 }, 'query')).toEqual({ sql: 'x', maxRows: 3 })
  })

  it('names the unknown argument, the near one and all that are valid', () => {
    const error = refusal({ sql: 'x', maxrows: 3 })
    expect(error.message).toBe('query cannot take these arguments: there is no maxrows, did you mean maxRows.')
    expect(error.hint).toBe('query takes sql, maxRows?.')
  })

  it('names every fault at once', () => {
    expect(refusal({ maxRows: 'many', what: 1 }).message).toMatch(/sql: .*maxRows: .*there is no what/)
  })

  it.each([[null], [[]], ['sql'], [7]])('refuses %j, which is no object', (value) => {
    expect(refusal(value).code).toBe('server.invalid_arguments')
  })

  it('does not repeat a very long name', () => {
    expect(refusal({ sql: 'x', ['y'.repeat(10_000)]: 1 }).message.length).toBeLessThan(300)
  })

  it('does not take inherited names for arguments', () => {
    expect(refusal(JSON.parse('{"sql":"x","__proto__":1}')).message).toMatch(/there is no __proto__/)
  })
})
