import type { RequestListener } from 'node:http'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApiServer, type ApiServer } from './support/api-server.js'
import { TestWorkspace } from './support/query-workspace.js'

const json = { 'content-type': 'application/json' }
const row = '{"a":1,"b":"x"}'

function answer(body: string | Buffer, headers: Record<string, string> = {}, status = 200): RequestListener {
  return (_, response) => response.writeHead(status, { ...json, ...headers }).end(body)
}

/** What a server writes to the socket itself, then ends it. */
function raw(text: string): RequestListener {
  return (_, response) => response.socket?.end(text)
}

/** `first` with a link to a second page, which is `second`. */
function pages(link: string, second: RequestListener): RequestListener {
  return (request, response) => {
    if (request.url?.includes('?') === true) second(request, response)
    else response.writeHead(200, { ...json, link }).end(`[${row}]`)
  }
}

/** The `link` of each answer names the next page by a count that turns at `turn`. */
function counting(turn: number): RequestListener {
  return (request, response) => {
    const at = Number(new URL(request.url ?? '', 'http://x').searchParams.get('p') ?? 0)
    response.writeHead(200, { ...json, link: `<?p=${(at + 1) % turn}>; rel="next"` }).end(`[{"a":${at},"b":"x"}]`)
  }
}

let tries = 0
const failsOnce: RequestListener = (request, response) => {
  if (tries++ === 0) response.writeHead(503).end()
  else answer(`[${row}]`)(request, response)
}

const whole = [[1, 'x']]

/** What the API does, and the code of the error or the rows that must come of it. */
const behaviours: Record<string, readonly [RequestListener, string | readonly (readonly unknown[])[]]> = {
  'half of the promised bytes': [raw(`HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n[${row}]`), 'net.connection_lost'],
  'chunks without an end': [
    raw(`HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n11\r\n[${row}]\r\n`),
    'net.connection_lost',
  ],
  'more bytes than promised': [
    raw(`HTTP/1.1 200 OK\r\ncontent-length: 17\r\n\r\n[${row},${row}]`),
    'source.invalid_json',
  ],
  'no HTTP at all': [raw('garbage\r\n\r\n'), 'net.connection_lost'],
  'a message in place of rows': [answer('{"message":"API rate limit exceeded"}'), 'source.unexpected_shape'],
  'an error with status 200': [answer('{"ok":false,"error":"invalid_auth"}'), 'source.error_answer'],
  'an empty object': [answer('{}'), 'source.unexpected_shape'],
  'one object with a column': [answer('{"a":1}'), [[1, null]]],
  'an empty body': [answer(''), 'source.invalid_json'],
  'null among the rows': [answer(`[${row},null]`), 'engine.shape_mismatch'],
  'rows that are arrays': [answer('[[1,2]]'), 'engine.shape_mismatch'],
  'two documents': [answer(`[${row}][${row}]`), 'source.invalid_json'],
  'one document a line': [answer(`${row}\n${row}\n`), 'source.invalid_json'],
  'a comma too many': [answer(`[${row},]`), 'source.invalid_json'],
  'keys that differ in case': [answer('[{"A":7,"a":1,"B":"y","b":"x"}]'), whole],
  'integers beyond a double': [
    answer('[{"a":9223372036854775807,"b":123456789012345678901234567890}]'),
    [['9223372036854775807', '123456789012345678901234567890']],
  ],
  'an integer beyond its type': [answer('[{"a":9223372036854775808}]'), 'engine.value_mismatch'],
  'a fraction in an integer': [answer('[{"a":1.5}]'), 'engine.value_mismatch'],
  'a type that changes': [answer(`[${row},{"a":"many"}]`), 'engine.value_mismatch'],
  'bytes that are no UTF-8': [answer(Buffer.from('[{"a":1,"b":"\xff"}]', 'latin1')), 'source.invalid_json'],
  'half of a surrogate pair': [answer('[{"a":1,"b":"\\ud800"}]'), 'engine.invalid_json'],
  'another character set': [
    answer(Buffer.from('[{"a":1,"b":"é"}]', 'utf16le'), { 'content-type': 'application/json; charset=utf-16le' }),
    [[1, 'é']],
  ],
  'a NUL in a text': [answer('[{"a":1,"b":"x\\u0000y"}]'), [[1, 'x\u0000y']]],
  'a page for people': [answer('<html>', { 'content-type': 'text/html' }), 'source.not_json'],
  'gzip that ends early': [
    answer(gzipSync(`[${row}]`.repeat(50)).subarray(0, 30), { 'content-encoding': 'gzip' }),
    'net.bad_encoding',
  ],
  'a bomb': [answer(gzipSync(' '.repeat(80_000_000)), { 'content-encoding': 'gzip' }), 'net.body_too_large'],
  'an answer that is accepted only': [answer(`[${row}]`, {}, 202), 'source.unexpected_status'],
  'a part of an answer': [answer(`[${row}]`, {}, 206), 'source.unexpected_status'],
  'rows with status 500': [answer(`[${row}]`, {}, 500), 'source.server_error'],
  'a redirect to itself': [
    (request, response) => response.writeHead(302, { location: request.url ?? '' }).end(),
    'net.too_many_redirects',
  ],
  'a redirect to another host': [answer('', { location: 'http://127.0.0.2:9/' }, 302), 'net.host_refused'],
  'a redirect to a file': [answer('', { location: 'file:///etc/passwd' }, 302), 'net.host_refused'],
  'a day to wait': [answer('', { 'retry-after': '86400' }, 429), 'source.rate_limited'],
  'a failure that goes by': [failsOnce, whole],
  'pages in a circle': [counting(3), 'source.page_loop'],
  'pages without an end': [counting(1e9), 'source.page_limit'],
  'a next page elsewhere': [pages('<http://127.0.0.2:9/>; rel="next"', answer('[]')), 'net.host_refused'],
  'a next page that is no address': [pages('<http://[>; rel="next"', answer('[]')), 'source.next_page'],
  'a next page in a header that is malformed': [pages('?p=1; rel="next"', answer('[]')), 'source.next_page'],
  'a next page in the wrong quotes': [pages("<?p=1>; rel='next'", answer('[]')), 'source.next_page'],
  'a next page that fails': [pages('<?p=1>; rel="next"', answer('[]', {}, 500)), 'source.server_error'],
  'a next page with an error inside': [pages('<?p=1>; rel=next', answer('{"error":"x"}')), 'source.error_answer'],
  'a next page beside others': [
    pages('<?p=9>; rel="prev"; title="a, b", <?p=1>; REL=Next', answer('[{"a":2,"b":"y"}]')),
    [
      [1, 'x'],
      [2, 'y'],
    ],
  ],
  'nesting without an end': [answer('['.repeat(100_000)), 'source.invalid_json'],
}

const names = Object.keys(behaviours)
const test = new TestWorkspace()
let api: ApiServer

beforeAll(async () => {
  api = await startApiServer((request, response) => {
    const index = Number(/^\/(\d+)/.exec(request.url ?? '')?.[1])
    behaviours[names[index] ?? '']?.[0](request, response)
  })
  const schema = [
    { name: 'a', type: 'bigint' },
    { name: 'b', type: 'varchar' },
  ]
  const tables = names.map((_, index) => ({ name: `t${index}`, endpoint: `/${index}`, response: { schema } }))
  const config = { base_url: api.url, retry: { max_retries: 1, base_backoff_ms: 1 } }
  await test.open(JSON.stringify({ version: 1, sources: [{ name: 'api', kind: 'http', config, tables }] }))
})

afterAll(async () => {
  await test.close()
  api.close()
})

describe('an API that answers', () => {
  it.each(names)('%s', async (name) => {
    const expected = behaviours[name]?.[1]
    const found = await test.rows(`SELECT a, b FROM api.t${names.indexOf(name)}`).catch((error: unknown) => error)
    if (typeof expected === 'string') expect(found).toMatchObject({ code: expected })
    else expect(found).toEqual(expected)
  })

  it('wrongly for one table leaves the others right', async () => {
    const table = `api.t${names.indexOf('one object with a column')}`
    expect(await test.rows(`SELECT a FROM ${table}`)).toEqual([[1]])
  })
})
