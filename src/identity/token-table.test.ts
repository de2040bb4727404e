import { describe, expect, test } from 'vitest'
import { QuerentError } from '../errors/querent-error.js'
import { Secret } from '../util/secret.js'
import { createTokenTable, type NamedToken } from './token-table.js'

const annToken = 'ann-token-0123456789'
const bobToken = 'bob/token+0123456789=='

function named(name: string, token: string, rest: Partial<NamedToken> = {}): NamedToken {
  return { name, token: new Secret(token, name), ...rest }
}

const table = createTokenTable([
  named('ann', annToken, { roles: ['admin'], claims: { team: 'a' } }),
  named('bob', bobToken),
])

function errorOf(tokens: readonly NamedToken[]): QuerentError {
  try {
    createTokenTable(tokens)
  } catch (error) {
    if (error instanceof QuerentError) return error
  }
  throw new Error('nothing was refused')
}

describe('createTokenTable', () => {
  test('knows the caller of a token', () => {
    expect(table.size).toBe(2)
    expect(table.callerFromAuthorization(`Bearer ${annToken}`)).toEqual({
      id: 'ann',
      roles: ['admin'],
      claims: { team: 'a' },
    })
    expect(table.callerFromAuthorization(`bearer  ${bobToken} `)).toEqual({ id: 'bob', roles: [], claims: {} })
  })

  test.each([
    ['no header', undefined],
    ['an empty header', ''],
    ['a token without a scheme', annToken],
    ['another scheme', `Basic ${annToken}`],
    ['no token', 'Bearer '],
    ['a part of a token', `Bearer ${annToken.slice(0, -1)}`],
    ['more than a token', `Bearer ${annToken}x`],
    ['another case', `Bearer ${annToken.toUpperCase()}`],
    ['two tokens', `Bearer ${annToken} ${annToken}`],
    ['two headers joined', `Bearer ${annToken}, Bearer ${annToken}`],
    ['a line break', `Bearer ${annToken}\nx`],
    ['a name in the place of a token', 'Bearer ann'],
    ['a very long one', `Bearer ${'x'.repeat(100_000)}`],
  ])('%s is nobody', (_, header) => {
    expect(table.callerFromAuthorization(header)).toBeUndefined()
  })

  test('without tokens everybody is nobody', () => {
    expect(createTokenTable([]).callerFromAuthorization(`Bearer ${annToken}`)).toBeUndefined()
  })

  test.each([
    ['a short token', [named('ann', 'short')], 'The token of ann has 5 characters.'],
    ['a token with a space', [named('ann', 'a token with spaces in it')], 'cannot have'],
    ['a name twice', [named('ann', annToken), named('ann', bobToken)], 'Two tokens are named ann.'],
    ['the name of local callers', [named('local', annToken)], 'A token is named local.'],
    ['a token twice', [named('ann', annToken), named('bob', annToken)], 'bob and ann have the same token.'],
  ])('refuses %s without showing it', (_, tokens, message) => {
    const error = errorOf(tokens)
    expect(error.code).toBe('config.invalid')
    expect(error.message).toContain(message)
    for (const { token } of tokens) expect(`${error.message} ${String(error.hint)}`).not.toContain(token.reveal())
  })
})
