import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startHttpServer } from '../src/surfaces/http/start-http-server.js'
import { Secret } from '../src/util/secret.js'
import { openWorkspace } from '../src/workspace/open-workspace.js'
import { eraOptions, eras, type Era } from './support/stdio-client.js'

const cli = fileURLToPath(new URL('../dist/cli.js', import.meta.url))
const longQuery = 'SELECT count(*) FROM range(1000000) a, range(1000000) b WHERE (a.range * b.range) % 7 = 3'

let folder = ''
let clients: Client[] = []
let children: ChildProcess[] = []

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'querent-e2e-'))
  writeFileSync(path.join(folder, 'accounts.csv'), 'id,name\n1,Ada\n2,Grace\n')
  const nasty = Array.from({ length: 3000 }, (_, index) =>
    JSON.stringify({ id: index, text: `${'"\\'.repeat(20)}\u0001\u001b\n\t${'é漢😀'.repeat(5)}` }),
  )
  writeFileSync(path.join(folder, 'nasty.ndjson'), nasty.join('\n'))
  writeFileSync(
    path.join(folder, 'querent.yaml'),
    `version: 1
name: end-to-end
sources:
  - name: data
    kind: file
    tables:
      - { name: accounts, path: ./accounts.csv, format: csv }
      - { name: nasty, path: ./nasty.ndjson, format: ndjson }
`,
  )
})

afterEach(async () => {
  await Promise.all(clients.map((client) => client.close()))
  for (const child of children) child.kill('SIGKILL')
  clients = []
  children = []
  rmSync(folder, { recursive: true, force: true })
})

function serveArguments(): string[] {
  return [cli, 'serve', '--config', path.join(folder, 'querent.yaml')]
}

function environment(): Record<string, string> {
  const { PATH = '' } = process.env
  return { PATH, HOME: folder, XDG_STATE_HOME: path.join(folder, 'state') }
}

async function connectClient(era: Era): Promise<{ readonly client: Client; readonly pid: number }> {
  const client = new Client({ name: 'test', version: '0.0.0' }, eraOptions(era))
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: serveArguments(),
    env: environment(),
    stderr: 'ignore',
  })
  await client.connect(transport)
  clients.push(client)
  return { client, pid: transport.pid ?? 0 }
}

/** A process and all that it started. */
function familyOf(pid: number): number[] {
  const pairs = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
  const family = [pid]
  for (const member of family)
    for (const [child, parent] of pairs) if (parent === member && child !== undefined) family.push(child)
  return family
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

interface Answer {
  readonly rows: unknown[][]
  readonly rowCount: number
}

async function query(client: Client, sql: string, more: Record<string, unknown> = {}): Promise<Answer> {
  const result = await client.callTool({ name: 'query', arguments: { sql, ...more } })
  if (result.isError === true) throw new TypeError(JSON.stringify(result.content))
  return result.structuredContent as Answer
}

describe.each(eras)('the command line’s server over stdio, %s era', (era) => {
  it('answers queries, keeps messages of nasty rows within bounds, and pages through the rest', async () => {
    const { client } = await connectClient(era)
    expect((await query(client, 'SELECT name FROM data.accounts ORDER BY id')).rows).toEqual([['Ada'], ['Grace']])
    const capped = await client.callTool({ name: 'query', arguments: { sql: 'SELECT * FROM data.nasty ORDER BY id' } })
    const [block] = capped.content as { text: string }[]
    expect(JSON.stringify(block?.text).length - 2).toBeLessThanOrEqual(50_000)
    expect(JSON.stringify(capped).length).toBeLessThan(102_000)
    const { result, rows } = capped.structuredContent as { result: string; rows: unknown[][] }
    const ids = rows.map(([id]) => id)
    let offset: number | undefined = rows.length
    while (offset !== undefined) {
      const page = await client.callTool({ name: 'fetch_result', arguments: { result, offset } })
      if (page.isError === true) throw new TypeError(JSON.stringify(page.content))
      const content = page.structuredContent as { rows: unknown[][]; nextOffset?: number }
      ids.push(...content.rows.map(([id]) => id))
      offset = content.nextOffset
    }
    expect(ids).toEqual(Array.from({ length: 3000 }, (_, index) => index))
  })

  it('links to a whole result as CSV and reads it', async () => {
    const { client } = await connectClient(era)
    const capped = await client.callTool({ name: 'query', arguments: { sql: 'SELECT id FROM data.nasty', maxRows: 1 } })
    const { result } = capped.structuredContent as { result: string }
    const linked = await client.callTool({ name: 'fetch_result', arguments: { result, format: 'csv' } })
    const { uri } = linked.structuredContent as { uri: string }
    const { contents } = await client.readResource({ uri })
    expect((contents[0] as { text: string }).text.trim().split(/\r?\n/)).toHaveLength(3001)
  })

  it('stops a query that the client cancels, and the next runs at once', async () => {
    const { client } = await connectClient(era)
    await query(client, 'SELECT 1')
    const controller = new AbortController()
    const waiting = client.callTool({ name: 'query', arguments: { sql: longQuery } }, { signal: controller.signal })
    waiting.catch(() => undefined)
    setTimeout(() => {
      controller.abort()
    }, 200)
    await expect(waiting).rejects.toThrow()
    expect((await query(client, 'SELECT 42 AS x')).rows).toEqual([[42]])
  })

  it('answers 500 requests at once, each with its own rows or a busy that may be tried again', async () => {
    const { client } = await connectClient(era)
    const answers = await Promise.all(
      Array.from({ length: 500 }, async (_, index) => {
        const result = await client.callTool({ name: 'query', arguments: { sql: `SELECT ${index} AS n` } })
        if (result.isError !== true) return (result.structuredContent as Answer).rows
        const [block] = result.content as { text: string }[]
        return (JSON.parse(block?.text ?? '') as { code: string }).code
      }),
    )
    for (const [index, answer] of answers.entries()) {
      if (answer !== 'server.busy') expect(answer).toEqual([[index]])
    }
    expect(answers.filter((answer) => answer !== 'server.busy').length).toBeGreaterThanOrEqual(100)
    expect((await query(client, 'SELECT 1')).rows).toEqual([[1]])
  })

  it('survives 20 MB of SQL', async () => {
    const { client } = await connectClient(era)
    await expect(
      client.callTool({ name: 'query', arguments: { sql: `SELECT '${'x'.repeat(20_000_000)}'` } }),
    ).rejects.toThrow()
    const large = await client.callTool({ name: 'query', arguments: { sql: `SELECT '${'x'.repeat(5_000_000)}'` } })
    expect(large.isError).toBe(true)
    expect((await query(client, 'SELECT 1')).rows).toEqual([[1]])
  })

  it('keeps a result as a scratch table of the session', async () => {
    const { client } = await connectClient(era)
    await query(client, 'SELECT * FROM data.accounts', { saveAs: 'kept' })
    expect((await query(client, 'SELECT count(*) FROM scratch.kept')).rows).toEqual([[2]])
  })
})

describe('a client that leaves in the middle of a query', () => {
  it('leaves no process behind when it is killed', async () => {
    const script = `
      import { spawn } from 'node:child_process'
      const server = spawn(process.execPath, ${JSON.stringify(serveArguments())}, { stdio: ['pipe', 'pipe', 'ignore'] })
      const send = (message) => server.stdin.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n')
      send({ id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '0' } } })
      send({ id: 2, method: 'tools/call', params: { name: 'query', arguments: { sql: 'SELECT 1' } } })
      let text = ''
      server.stdout.on('data', (chunk) => {
        text += chunk
        if (!text.includes('"id":2')) return
        text = ''
        send({ id: 3, method: 'tools/call', params: { name: 'query', arguments: { sql: ${JSON.stringify(longQuery)} } } })
        console.log(server.pid)
      })
    `
    const killed = spawn(process.execPath, ['--input-type=module', '-e', script], { env: environment() })
    children.push(killed)
    const [pid] = (await once(killed.stdout, 'data')) as [Buffer]
    const family = familyOf(Number(pid.toString()))
    expect(family.length).toBeGreaterThan(1)
    killed.kill('SIGKILL')
    await expect.poll(() => family.filter(isAlive), { timeout: 20_000 }).toEqual([])
  })

  it('gets its answers when it only closes its end, and the server ends with code 0', async () => {
    const server = spawn(process.execPath, serveArguments(), { env: environment(), stdio: ['pipe', 'pipe', 'ignore'] })
    children.push(server)
    const messages = [
      {
        id: 1,
        method: 'initialize',
        params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '0' } },
      },
      { id: 2, method: 'tools/call', params: { name: 'query', arguments: { sql: 'SELECT * FROM data.accounts' } } },
    ]
    server.stdin.end(messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join(''))
    let text = ''
    server.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()))
    const [code] = (await once(server, 'close')) as [number]
    expect(code).toBe(0)
    const replies = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: number; result?: unknown })
    expect(replies.map((reply) => reply.id)).toEqual([1, 2])
    expect(JSON.stringify(replies[1])).toMatch(/Grace/)
  })
})

describe('the HTTP API over a real workspace', () => {
  it('answers 200 distinct queries of two callers at once, none mixed, results apart', async () => {
    const workspace = await openWorkspace(path.join(folder, 'querent.yaml'), { env: environment() })
    const tokens = ['ada', 'bob'].map((name) => ({ name, token: new Secret(`token-of-${name}-0123456789`, name) }))
    const server = await startHttpServer({ workspace, version: '0.0.0', port: 0, tokens })
    const send = async (caller: string, target: string, body?: object): Promise<Response> => {
      for (;;) {
        const response = await fetch(`${server.url}${target}`, {
          method: body === undefined ? 'GET' : 'POST',
          headers: { authorization: `Bearer token-of-${caller}-0123456789`, 'content-type': 'application/json' },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        })
        if (response.status !== 429) return response
        expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
        await response.text()
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    }
    try {
      const rows = await Promise.all(
        Array.from({ length: 200 }, async (_, index) => {
          const caller = index % 2 === 0 ? 'ada' : 'bob'
          const response = await send(caller, '/v1/query', {
            sql: `SELECT ${index} AS n, name FROM data.accounts ORDER BY id`,
          })
          return ((await response.json()) as Answer).rows
        }),
      )
      expect(rows).toEqual(
        Array.from({ length: 200 }, (_, n) => [
          [n, 'Ada'],
          [n, 'Grace'],
        ]),
      )
      const capped = await send('ada', '/v1/query', { sql: 'SELECT id FROM data.nasty', maxRows: 1 })
      const { result } = (await capped.json()) as { result: string }
      expect((await send('bob', `/v1/results/${result}`)).status).toBe(404)
      const csv = await send('ada', `/v1/results/${result}?format=csv`)
      expect((await csv.text()).trim().split(/\r?\n/)).toHaveLength(3001)
      expect((await send('ada', '/v1/query', { sql: 'DROP TABLE data.accounts' })).status).toBe(403)
    } finally {
      await server.close(0)
      await workspace.close()
    }
  })
})
