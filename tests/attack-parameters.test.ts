import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApiServer, type ApiServer } from './support/api-server.js'
import { TestWorkspace } from './support/query-workspace.js'

interface Item {
  readonly id: number
  readonly state: string | null
  readonly kind: string
  readonly n: number
}

const states = ['open', 'closed', 'Open', null, 'all', '']
const kinds = ['a', 'b', 'A', '01', '1']
const items: readonly Item[] = Array.from({ length: 24 }, (_, n) => ({
  id: n % 9,
  state: states[n % states.length] ?? null,
  kind: kinds[n % kinds.length] ?? '',
  n,
}))

/** `state=all` gives all rows, `kind` ignores case, an `id` is compared as a number. */
function answer(url: URL): readonly object[] {
  const [, table, inPath] = url.pathname.split('/')
  if (table === 'bykind') {
    const wanted = decodeURIComponent(inPath ?? '')
    return items.filter(({ kind }) => kind === wanted).map(({ id, state, n }) => ({ id, state, n }))
  }
  const state = url.searchParams.get('state')
  const id = url.searchParams.get('id')
  const kind = url.searchParams.get('kind')
  return items.filter(
    (item) =>
      (state === null || state === 'all' || item.state === state) &&
      (id === null || item.id === Number(id)) &&
      (kind === null || item.kind.toLowerCase() === kind.toLowerCase()),
  )
}

const columns = [
  { name: 'id', type: 'integer' },
  { name: 'state', type: 'varchar' },
  { name: 'kind', type: 'varchar' },
  { name: 'n', type: 'bigint' },
]

function table(name: string, params: readonly object[]): object {
  return { name, endpoint: `/${name}`, params, response: { schema: columns } }
}

const test = new TestWorkspace()
let api: ApiServer

beforeAll(async () => {
  api = await startApiServer((request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(answer(new URL(request.url ?? '', 'http://x'))))
  })
  const byKind = {
    name: 'bykind',
    endpoint: '/bykind/{kind}',
    params: [{ name: 'kind', required: true }],
    response: { schema: columns.filter(({ name }) => name !== 'kind') },
  }
  const id = { name: 'id', type: 'integer' }
  const tables = [
    table('d', [{ name: 'state', default: 'open', any: 'all' }, id]),
    table('noany', [{ name: 'state', default: 'open' }]),
    table('need', [{ ...id, required: true }]),
    table('needk', [{ name: 'kind', required: true }]),
    byKind,
  ]
  const sources = [{ name: 'api', kind: 'http', config: { base_url: api.url }, tables }]
  await test.open(JSON.stringify({ version: 1, sources }))
})

afterAll(async () => {
  await test.close()
  api.close()
})

const count = 'SELECT count(*) FROM api.'

/** Statements with the one number that they must answer, or the code that they must be refused with. */
const cases: readonly (readonly [string, number | string])[] = [
  // A default holds while nothing is said of the column.
  [`${count}d`, 4],
  [`${count}d a JOIN api.d b ON a.n = b.n`, 4],
  [`${count}d WHERE state = 'all'`, 24],
  [`${count}d WHERE state = 'all' AND n < 3`, 3],
  [`${count}d WHERE state = 'all' AND state = 'closed'`, 4],
  [`${count}d WHERE state = 'closed'`, 4],
  [`${count}d WHERE state IN ('closed', 'open')`, 8],
  [`${count}d WHERE state IN ('all', 'closed')`, 8],
  [`${count}d WHERE state = 'open' AND state = 'closed'`, 0],
  [`${count}d WHERE state <> 'open'`, 16],
  [`${count}d WHERE state IS NULL`, 4],
  [`${count}d WHERE state LIKE 'O%'`, 4],
  [`${count}d WHERE lower(state) = 'open'`, 8],
  [`${count}d WHERE state = 'open' OR n = 3`, 5],
  [`${count}d WHERE state = 'all' OR n = 3`, 5],
  [`${count}d WHERE state IS DISTINCT FROM 'open'`, 20],
  [`SELECT count(*) FILTER (WHERE state = 'closed') FROM api.d`, 4],
  [`SELECT sum(CASE WHEN state = 'closed' THEN 1 ELSE 0 END)::INTEGER FROM api.d`, 4],
  [`SELECT count(*) FROM (SELECT * FROM api.d ORDER BY n LIMIT 100) WHERE state = 'closed'`, 4],
  [`${count}d a JOIN api.d b ON a.n = b.n AND a.state = 'closed'`, 0],
  [`${count}d a LEFT JOIN api.d b ON a.n = b.n AND b.state = 'closed'`, 4],
  [`${count}d a JOIN api.d b ON a.n = b.n AND a.state = b.state`, 20],
  [`SELECT count(*) FROM (VALUES ('open'), ('closed'), ('none')) v(s) LEFT JOIN api.d ON d.state = v.s`, 9],
  // Without a value for all rows, what does not fit the default is refused.
  [`${count}noany`, 4],
  [`${count}noany WHERE state IN ('closed', 'Open', 'none')`, 8],
  [`${count}noany WHERE state = ''`, 4],
  [`${count}noany WHERE state <> 'closed'`, 'source.default_conflict'],
  [`${count}noany WHERE state IS NULL`, 'source.default_conflict'],
  // Required: constants, and keys of a join.
  [`${count}need`, 'source.required_filter'],
  [`${count}need WHERE id = 1 OR n = 2`, 'source.required_filter'],
  [`${count}need WHERE id = 1.5`, 'source.required_filter'],
  [`${count}need WHERE id = '01'`, 3],
  [`${count}need WHERE id IN (1, 2, 3)`, 9],
  [`${count}need WHERE id BETWEEN 1 AND 3`, 9],
  [`${count}need WHERE id IN (1, NULL)`, 3],
  [`${count}need WHERE id = NULL`, 0],
  [`${count}need WHERE (id = 1 AND n = 1) OR (id = 2 AND n > 2)`, 3],
  [`SELECT count(*) FROM (VALUES (1::BIGINT), (2), (99999999999)) v(k) JOIN api.need ON id = k`, 6],
  [`SELECT count(*) FROM (VALUES ('1'), ('01')) v(k) JOIN api.need ON id = k`, 'source.required_filter'],
  [`SELECT count(*) FROM (VALUES (1, 1), (1, 2), (2, 2)) v(x, y) JOIN api.need ON id = x AND id = y`, 6],
  [`${count}need a JOIN api.need b ON a.id = b.id WHERE a.id = 1`, 9],
  [`${count}needk WHERE kind = 'a'`, 5],
  [`${count}needk WHERE kind IN ('a', 'A')`, 10],
  [`${count}needk WHERE kind IN (SELECT DISTINCT kind FROM api.d WHERE state = 'all')`, 24],
  [`${count}needk k, LATERAL (SELECT * FROM api.need n WHERE n.id = k.id) WHERE k.kind = 'a'`, 14],
  // A value that the rows do not carry.
  [`${count}bykind WHERE kind IN ('a', 'A')`, 10],
  [`${count}bykind WHERE kind = '01'`, 5],
  [`${count}bykind WHERE kind = 1`, 'source.required_filter'],
  [`${count}bykind WHERE lower(kind) = 'a'`, 'source.required_filter'],
  [`${count}bykind WHERE kind = ''`, 'source.bad_parameter'],
  [`${count}bykind WHERE kind = '..'`, 'source.bad_parameter'],
  [`${count}bykind WHERE kind = '%2e%2e'`, 'source.bad_parameter'],
  [`${count}bykind WHERE kind = 'a/b?c#d'`, 0],
  [`SELECT count(*) FROM (VALUES ('1'), (NULL), ('a')) v(k) LEFT JOIN api.bykind ON kind = k`, 10],
]

describe('parameters of an API', () => {
  it.each(cases)('%s is %s', async (sql, expected) => {
    if (typeof expected === 'string') await expect(test.query(sql)).rejects.toMatchObject({ code: expected })
    else expect(await test.rows(sql)).toEqual([[expected]])
  })
})
