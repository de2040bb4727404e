import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApiServer, type ApiServer } from '../../../tests/support/api-server.js'
import { TestWorkspace } from '../../../tests/support/query-workspace.js'

interface Pull {
  readonly number: number
  readonly title: string
  readonly state: string | null
  readonly user: { readonly login: string }
  readonly at: string
}

const pulls: readonly Pull[] = Array.from({ length: 7 }, (_, index) => ({
  number: index + 1,
  title: `pull ${index + 1}`,
  state: index === 6 ? null : index % 2 === 0 ? 'open' : 'closed',
  user: { login: `u${index}` },
  at: '2024-01-15T10:00:00+02:00',
}))

/** Matches as loosely as real APIs: `all` and unknown states give everything. */
function answer(url: URL, response: ServerResponse): void {
  const state = url.searchParams.get('state')
  const known = state === 'open' || state === 'closed'
  const page = Number(url.searchParams.get('page') ?? 1)
  const matching = pulls.filter((pull) => !known || pull.state === state)
  const rest = matching.length > page * 2
  url.searchParams.set('page', String(page + 1))
  response.writeHead(200, {
    'content-type': 'application/json',
    ...(rest ? { link: `<${url.pathname}${url.search}>; rel="next"` } : {}),
  })
  response.end(JSON.stringify(matching.slice((page - 1) * 2, page * 2)))
}

const workspace = new TestWorkspace({ TOKEN: 'canary-77e1' })
let server: ApiServer

beforeAll(async () => {
  server = await startApiServer((request, response) => {
    answer(new URL(request.url ?? '', 'http://x'), response)
  })
  await workspace.open(`
version: 1
name: test
sources:
  - name: api
    kind: http
    config:
      base_url: ${server.url}
      token: \${secret:TOKEN}
    tables:
      - name: pulls
        endpoint: /repos/{owner}/pulls
        params:
          - { name: owner, required: true }
          - { name: state, default: open, any: all }
        response:
          path: $
          schema:
            - { name: number, type: bigint }
            - { name: state, type: varchar }
            - { name: login, type: varchar, source: $.user.login }
            - { name: made_at, type: timestamptz, source: $.at }
      - name: open
        endpoint: /repos/{owner}/any
        params:
          - { name: owner, required: true }
`)
})

afterAll(async () => {
  await workspace.close()
  server.close()
})

test.each<[string, readonly (readonly unknown[])[]]>([
  [`SELECT number FROM api.pulls WHERE owner = 'o' ORDER BY 1`, [[1], [3], [5]]],
  [`SELECT count(*) FROM api.pulls WHERE owner = 'o' AND state = 'all'`, [[7]]],
  [`SELECT number FROM api.pulls WHERE owner = 'o' AND state <> 'open' ORDER BY 1`, [[2], [4], [6]]],
  [
    `SELECT number, count(*) FROM api.pulls WHERE owner = 'o' AND state IN ('open', 'other') GROUP BY 1 ORDER BY 1`,
    [
      [1, 1],
      [3, 1],
      [5, 1],
      // Row 7 says that it has no state: the API ignored the value asked for.
    ],
  ],
  // The value that asks for all rows is one of the list: each row comes once.
  [`SELECT count(*), count(DISTINCT number) FROM api.pulls WHERE owner = 'o' AND state IN ('all', 'open')`, [[3, 3]]],
  [
    `SELECT owner, max(login) FROM api.pulls WHERE owner IN ('a', 'b') GROUP BY 1 ORDER BY 1`,
    [
      ['a', 'u4'],
      ['b', 'u4'],
    ],
  ],
  [`SELECT count(*) FROM (VALUES ('a'), ('b'), ('a')) v(o) JOIN api.pulls p ON p.owner = v.o`, [[9]]],
  [`SELECT made_at FROM api.pulls WHERE owner = 'o' LIMIT 1`, [['2024-01-15 08:00:00+00']]],
  [`SELECT number FROM api.pulls WHERE owner = 'a' AND owner = 'b'`, []],
  [`SELECT sum(number), count(state) FROM api.open WHERE owner = 'o'`, [['28', 6]]],
])('%s', async (sql, rows) => {
  expect(await workspace.rows(sql)).toEqual(rows)
})

test.each([
  [`SELECT * FROM api.pulls`, 'source.required_filter'],
  [`SELECT * FROM api.pulls WHERE owner = '../x'`, 'source.bad_parameter'],
])('%s is refused with %s', async (sql, code) => {
  await expect(workspace.query(sql)).rejects.toMatchObject({ code })
})
