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
  ['config', 'openapi', 'type'],
  ['table', 'cache'],
  ['source', 'cache', 'variables', 'functions', 'raw_table'],
])('what is not obeyed in %s is refused by name', (place, ...keys) => {
  for (const key of keys) {
    expect(faults({ [place]: { [key]: {} } })).toEqual([
      expect.stringMatching(new RegExp(`${key}: .*not supported yet`)),
    ])
  }
})

test.each([[{ safety: { required_predicates: ['a = 1'] } }, 'required_predicates']])('%j is refused', (part, key) => {
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

const int = { name: 'id', type: 'int' }
const at = { name: 'at', type: 'timestamp' }

test.each<[object, string]>([
  [{ config: { auth: { type: 'heder' } } }, 'expected type: header, basic, custom or oauth2'],
  [{ config: { auth: {} } }, 'expected type: header, basic, custom or oauth2'],
  [{ config: { auth: { type: 'header', headers: [] } } }, 'headers'],
  [{ config: { auth: { type: 'header', headers: [{ name: 'x-key' }] } } }, 'exactly one of bearer'],
  [
    { config: { auth: { type: 'header', headers: [{ name: 'x', bearer: 'a', value: 'b' }] } } },
    'exactly one of bearer',
  ],
  [{ config: { auth: { type: 'header', headers: [{ name: 'host', value: 'b' }] } } }, 'set by Querent itself'],
  [{ config: { auth: { type: 'header', headers: [{ name: 'x', value: 'a\nb' }] } } }, 'line breaks'],
  [
    {
      config: {
        auth: {
          type: 'header',
          headers: [
            { name: 'x', value: 'a' },
            { name: 'X', value: 'b' },
          ],
        },
      },
    },
    'given twice',
  ],
  [{ config: { auth: { type: 'basic' } } }, 'username'],
  [{ config: { auth: { type: 'basic', username: 'a:b', password: 'c' } } }, 'cannot hold a colon'],
  [{ config: { auth: { type: 'basic', user: 'a' } } }, 'user'],
  [{ config: { auth: { type: 'custom' } } }, 'would be anonymous'],
  [{ config: { auth: { type: 'custom', query: [{ name: 'k', value: '' }] } } }, 'not empty'],
  [{ config: { auth: { type: 'custom', body: [{ name: 'k', value: 'v' }] } } }, 'asked anonymously'],
  [
    { config: { auth: { type: 'custom', query: [{ name: 'k', value: 'v' }] } }, table: { params: [{ name: 'k' }] } },
    'is set by auth',
  ],
  [{ config: { auth: { type: 'oauth2', token_url: '/token', client_id: 'a', client_secret: 'b' } } }, 'token_url'],
  [{ config: { auth: { type: 'oauth2', token_url: 'https://a.test/t', client_id: 'a' } } }, 'client_secret'],
  [
    {
      config: {
        auth: {
          type: 'oauth2',
          token_url: 'https://a.test/t',
          client_id: 'a',
          client_secret: 'b',
          params: { scope: 'x' },
        },
      },
    },
    'set by auth itself',
  ],
  [
    { config: { auth: { type: 'oauth2', token_url: 'http://a.test/t', client_id: 'a', client_secret: 'b' } } },
    'would travel unencrypted',
  ],
  [{ config: { token: 'a', auth: { type: 'basic', username: 'b' } } }, 'token and auth exclude each other'],
  [{ config: { auth: { type: 'basic', username: 'b' }, headers: { Authorization: 'x' } } }, 'exclude each other'],
  [{ config: { rate_limit: { remaining_header: 'x-left' } } }, 'belong together'],
  [{ config: { rate_limit: { requests_per_second: 0 } } }, 'requests_per_second'],
  [{ table: { response: { schema: [{ ...int, expr: {} }] } } }, 'expected kind: path'],
  [{ table: { response: { schema: [{ ...int, expr: { kind: 'lookup_join' } }] } } }, 'expected kind: path'],
  [
    { table: { response: { schema: [{ ...int, expr: { kind: 'join', exprs: [{ kind: 'path', path: 'x' }] } }] } } },
    'expr.exprs.0.path: expected a path',
  ],
  [{ table: { response: { schema: [{ ...int, sql: 'row', source: '$.x' }] } } }, 'exclude each other'],
  [{ table: { response: { reshape: { kind: 'pivot' } } } }, 'dict_entries or series_points'],
  [{ table: { response: { format: 'csv', path: '$.x' } } }, 'the whole answer'],
  [{ table: { key: ['no'], response: { schema: [int] } } }, 'no is no column'],
  [{ table: { key: ['id'] } }, 'id is no column'],
  [{ table: { response: { error: {} } } }, 'give path or status'],
  [{ table: { response: { error: { status: ['=>400'] } } } }, 'expected a status'],
  [{ table: { response: { error: { path: 'error' } } } }, 'expected a path'],
  [{ table: { body: { template: '{}' } } }, 'a GET has no body'],
  [{ table: { idempotent: true } }, 'always idempotent'],
  [{ table: { params: [{ name: 'a', in: 'body' }] } }, 'a GET has no body'],
  [{ table: { method: 'POST', body: { template: '{"a":' } } }, 'not JSON'],
  [{ table: { method: 'POST', body: { kind: 'form', template: { a: { b: 1 } } } } }, 'a form holds'],
  [{ table: { method: 'DELETE' } }, 'expected GET or POST'],
  [
    {
      table: {
        method: 'POST',
        params: [{ name: 'owner' }],
        body: { template: { query: 'query { repo(owner: "${owner}") { id } }' } },
      },
    },
    'set it in variables',
  ],
  [
    { table: { pagination: { type: 'body_cursor', cursor_path: '$.after', next_path: '$.next' } } },
    'needs method: POST',
  ],
  [{ table: { endpoint: undefined } }, 'give the endpoint'],
  [{ table: { requests: [{ when_filters: ['no'], endpoint: '/x' }] } }, 'not one of the params'],
  [
    { table: { params: [{ name: 'a' }, { name: 'b' }], requests: [{ when_filters: ['a'], endpoint: '/x/{b}' }] } },
    'must be required or have a default',
  ],
  [{ table: { params: [{ name: 'a', accepts: ['like'] }] } }, 'expected one of'],
  [{ table: { params: [{ name: 'a', emit: { '>=': 'since' } }] } }, 'not in accepts'],
  [
    { table: { params: [{ name: 'at', accepts: ['>='] }], response: { schema: [int] } } },
    'a range needs the column at',
  ],
  [
    { table: { params: [{ name: 'at', accepts: ['>=', '<'] }], response: { schema: [at] } } },
    'would stand for more than one operator',
  ],
  [
    {
      table: {
        params: [{ name: 'a', accepts: ['>='] }],
        response: { schema: [{ name: 'a', type: 'varchar' }] },
      },
    },
    'needs exact: true',
  ],
  [{ table: { endpoint: '/x/{id}', params: [{ name: 'id', required: true, explode: true }] } }, 'needs a separator'],
  [
    { table: { params: [{ name: 'a', derive: { kind: 'split', from: 'b', separator: '/', part: 0 } }] } },
    'no parameter b',
  ],
  [{ table: { params: [{ name: 'a', default: 1, derive: { kind: 'ago', seconds: 60 } }] } }, 'the default itself'],
])('%j is a fault too', (entry, message) => {
  expect(faults(entry).join('\n')).toContain(message)
})

test('keys that the field uses together are no fault', () => {
  expect(
    faults({
      config: {
        auth: { type: 'header', headers: [{ name: 'authorization', bearer: 'x' }] },
        rate_limit: { requests_per_second: 5, extra_statuses: [403] },
      },
      table: {
        params: [
          { name: 'full_name', required: true },
          { name: 'owner', derive: { kind: 'split', from: 'full_name', separator: '/', part: 0 } },
          { name: 'created_at', accepts: ['>=', '<'], emit: { '>=': 'since', '<': 'until' }, type: 'timestamp' },
          { name: 'id', explode: true, type: 'bigint' },
        ],
        endpoint: '/repos/{owner}/x',
      },
    }),
  ).toEqual([])
})
