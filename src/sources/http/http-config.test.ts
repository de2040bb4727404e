import { expect, test } from 'vitest'
import { z } from 'zod'
import { httpConfig } from './http-config.js'

const table = { name: 't', endpoint: '/t' }

function faults(entry: {
  readonly config?: object
  readonly table?: object
  readonly source?: object
}): readonly string[] {
  const result = httpConfig.safeParse({
    name: 'api',
    kind: 'http',
    config: { base_url: 'https://api.example.com', ...entry.config },
    tables: [{ ...table, ...entry.table }],
    ...entry.source,
  })
  return result.error?.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`) ?? []
}

test('the smallest entry is whole', () => {
  expect(faults({})).toEqual([])
})

test('the schema can be written as JSON Schema', () => {
  expect(z.toJSONSchema(httpConfig, { io: 'input', unrepresentable: 'any' })).toMatchObject({ type: 'object' })
})

test.each([
  ['config', 'auth', 'rate_limit', 'openapi', 'type'],
  ['table', 'body', 'requests', 'cache', 'key'],
  ['source', 'cache', 'variables', 'functions', 'raw_table'],
])('what is not obeyed in %s is refused by name', (place, ...keys) => {
  for (const key of keys) {
    expect(faults({ [place]: { [key]: {} } })).toEqual([
      expect.stringMatching(new RegExp(`${key}: .*not supported yet`)),
    ])
  }
})

test.each([
  [{ params: [{ name: 'a', explode: true }] }, 'explode'],
  [{ params: [{ name: 'a', accepts: ['>='] }] }, 'accepts'],
  [{ response: { reshape: { kind: 'dict_entries' } } }, 'reshape'],
  [{ response: { error: {} } }, 'error'],
  [{ response: { schema: [{ name: 'a', type: 'int', expr: {} }] } }, 'expr'],
  [{ pagination: { type: 'body_cursor' } }, 'pagination'],
  [{ method: 'POST' }, 'method'],
  [{ safety: { required_predicates: ['a = 1'] } }, 'required_predicates'],
])('%j is refused', (part, key) => {
  const [fault] = faults({ table: part })
  expect(fault).toContain(key)
  expect(fault).toContain('not supported yet')
})

test.each<[object, string]>([
  [{ table: { endpoint: 't' } }, 'expected a path that begins with one /'],
  [{ table: { endpoint: '//evil.test/x' } }, 'expected a path that begins with one /'],
  [{ table: { endpoint: '/a/%2e%2E/b' } }, '. and .. cannot be segments'],
  [{ table: { endpoint: '/{a}' } }, '{a} is not one of the params'],
  [{ table: { endpoint: '/{a}', params: [{ name: 'a' }] } }, '{a} must be required or have a default'],
  [{ table: { endpoint: '/{a', params: [{ name: 'a' }] } }, 'a brace is not closed'],
  [{ table: { params: [{ name: 'a' }, { name: 'A' }] } }, 'given twice'],
  [{ table: { params: [{ name: 'a', required: true, default: 1 }] } }, 'a required parameter has no default'],
  [{ table: { params: [{ name: 'a', any: 'x' }] } }, 'any needs a default'],
  [{ table: { params: [{ name: 'a', in: 'path' }] } }, '{a} is missing in the path'],
  [{ table: { params: [{ name: 'a', type: 'strnig' }] } }, 'expected a type'],
  [{ table: { params: [{ name: 'a', typ: 'x' }] } }, 'typ'],
  [{ table: { response: { path: 'data' } } }, 'expected a path'],
  [{ table: { response: { path: '$..data' } } }, 'expected a path'],
  [{ table: { response: { schema: [{ name: 'a', type: 'int', source: 'user.login' }] } } }, 'expected a path'],
  [{ table: { response: { schema: [{ name: 'a', type: 'int', source: 'param' }] } } }, 'there is no parameter a'],
  [
    { table: { safety: { require_filters_on: ['ownr'] }, response: { schema: [{ name: 'a', type: 'int' }] } } },
    'no table has a column ownr',
  ],
  [{ config: { base_url: 'ftp://x' } }, 'expected an address'],
  [{ config: { base_url: 'https://u:p@x' } }, 'credentials do not belong'],
  [{ config: { base_url: 'https://x/?a=1' } }, 'must end before'],
  [{ config: { token: '' } }, 'not empty'],
  [{ config: { token: 'a\nb' } }, 'line breaks'],
  [{ config: { token: 'a', headers: { Authorization: 'b' } } }, 'exclude each other'],
  [{ config: { headers: { Host: 'x' } } }, 'set by Querent itself'],
  [{ config: { allowed_hosts: ['*'] } }, 'expected a host'],
  [{ source: { tables: [table, table] } }, 'given twice'],
])('%j is a fault', (entry, message) => {
  expect(faults(entry).join('\n')).toContain(message)
})
