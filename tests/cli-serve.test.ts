import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Cli, until } from './support/run-cli.js'

const cli = new Cli()

beforeAll(() => {
  cli.folder.write('sales.csv', 'region,amount\nnorth,10\n')
})

afterAll(() => {
  cli.remove()
})

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '0' } },
}
const query = {
  jsonrpc: '2.0',
  id: 2,
  method: 'tools/call',
  params: { name: 'query', arguments: { sql: 'SELECT range FROM range(10)' } },
}

describe('querent serve', () => {
  it('speaks only the protocol on stdout, within the caps of its flags', async () => {
    const input = [initialize, query].map((message) => `${JSON.stringify(message)}\n`).join('')
    const run = await cli.run(['serve', 'sales.csv', '--max-rows', '3'], { input })
    const messages = run.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: number; result: { structuredContent?: unknown } })
    expect(run.code).toBe(0)
    expect(messages.map(({ id }) => id)).toEqual([1, 2])
    expect(messages[1]?.result.structuredContent).toMatchObject({ rowCount: 3, truncated: true })
  })

  it('serves HTTP until it is told to stop', async () => {
    const server = cli.start(['serve', 'sales.csv', '--http', '0'])
    const said = await until(server.stderr, /at (http:\S+) /)
    const url = /at (http:\S+) /.exec(said)?.[1] ?? ''
    const response = await fetch(`${url}/v1/query`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ sql: 'FROM files.sales' }),
    })
    expect(await response.json()).toMatchObject({ success: true, rows: [['north', 10]] })
    server.kill('SIGTERM')
    expect((await once(server, 'close'))[0]).toBe(0)
  })

  it('refuses what it cannot serve on', async () => {
    expect(await cli.run(['serve', '--http', '99999'])).toMatchObject({ code: 2, stdout: '' })
    const open = await cli.run(['serve', 'sales.csv', '--http', '0.0.0.0:0'])
    expect(open.code).toBe(2)
    expect(open.stderr).toContain('server.token_required')
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const { port } = taken.address() as AddressInfo
    const busy = await cli.run(['serve', 'sales.csv', '--http', String(port)])
    expect(busy.code).toBe(2)
    expect(busy.stderr).toContain('server.listen_failed')
    taken.close()
  })
})

describe('querent shell, from a pipe', () => {
  it('runs each statement, the last without a semicolon too', async () => {
    const input = "SELECT 1 AS a; SELECT ';' AS b;\n-- note;\nSELECT\n  3 AS c;\r\n.describe files.sales\nSELECT 4 AS d"
    const run = await cli.run(['shell', 'sales.csv'], { input })
    expect(run).toMatchObject({ code: 0, stderr: '' })
    expect(run.stdout.match(/^│ (?:\w|;) +│$/gm)?.map((line) => line.replaceAll(/[│ ]/g, ''))).toEqual(
      'a1b;c3d4'.split(''),
    )
    expect(run.stdout).toMatch(/region +│ VARCHAR/)
  })

  it('loses no line', async () => {
    const numbers = Array.from({ length: 100 }, (_, index) => index + 1000)
    const run = await cli.run(['shell'], { input: numbers.map((n) => `SELECT ${n} AS n;\n`).join('') })
    expect(run.stdout.match(/\d{4}/g)?.map(Number)).toEqual(numbers)
  })

  it('goes on after a failure and ends with its code', async () => {
    const run = await cli.run(['shell'], { input: 'SELECT 1 AS n;\nDROP TABLE x;\nSELEC;\n.tabels\nSELECT 2 AS n;\n' })
    expect(run.code).toBe(3)
    expect(run.stdout.match(/\d/g)).toEqual(['1', '2'])
    expect(run.stderr).toContain('policy.statement')
    expect(run.stderr).toContain('Did you mean .tables?')
  })
})

describe('querent audit', () => {
  it('prints what was asked, and follows what comes', async () => {
    const own = new Cli()
    await own.run(['query', "SELECT 'first\u202e'"])
    await own.run(['query', 'DROP TABLE x'])
    const follower = own.start(['audit', '--follow'])
    const seen = until(follower.stdout, /third/)
    await own.run(['query', "SELECT 'third'"])
    const text = await seen
    expect(text).toMatch(/first/)
    follower.kill('SIGINT')
    expect((await once(follower, 'close'))[0]).toBe(0)
    const { stdout, code } = await own.run(['audit', '--caller', 'local', '--since', '2020-01-01'])
    expect(code).toBe(0)
    const records = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(records.map(({ outcome, code: reason }) => [outcome, reason])).toEqual([
      ['ok', undefined],
      ['refused', 'policy.statement'],
      ['ok', undefined],
    ])
    expect(records[0]?.['sql']).toBe("SELECT 'first\u202e'")
    expect(stdout).not.toContain('\u202e')
    own.remove()
  })

  it('follows a log across the files that are put aside', async () => {
    const own = new Cli()
    own.folder.write('querent.yaml', 'version: 1\nname: small\nsources: []\naudit: { maxBytes: 10KB }\n')
    await own.run(['query', "SELECT 'begin'"])
    const follower = own.start(['audit', '--follow'])
    await until(follower.stdout, /begin/)
    const seen = until(follower.stdout, /"finished".*query 5 .*\n/)
    const padding = 'x'.repeat(6_000)
    const statements = [1, 2, 3, 4, 5].map((n) => `/* query ${n} ${padding} */ SELECT ${n};\n`)
    await own.run(['shell'], { input: statements.join('') })
    const events = (await seen)
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { event: string; sql: string })
      .map(({ event, sql }) => `${event} ${/query (\d)/.exec(sql)?.[1] ?? ''}`)
    expect(events).toEqual([1, 2, 3, 4, 5].flatMap((n) => [`started ${n}`, `finished ${n}`]))
    follower.kill('SIGTERM')
    expect((await once(follower, 'close'))[0]).toBe(0)
    own.remove()
  })
})
