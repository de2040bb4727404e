import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import { accounts, orders } from './support/memory-tables.js'
import { MemoryWorkspace } from './support/memory-workspace.js'
import { connectStdio, eras, readMessages, startStdio } from './support/stdio-client.js'

const open: MemoryWorkspace[] = []

function workspace(): MemoryWorkspace {
  const made = new MemoryWorkspace([accounts, orders])
  open.push(made)
  return made
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((made) => made.close()))
})

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '0' } },
}

function call(id: number | string, sql: string): object {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'query', arguments: { sql } } }
}

function lines(...messages: readonly object[]): string {
  return messages.map((message) => `${JSON.stringify(message)}\n`).join('')
}

async function collect(stream: Parameters<typeof readMessages>[0], count: number): Promise<Record<string, unknown>[]> {
  const messages: Record<string, unknown>[] = []
  for await (const message of readMessages(stream)) {
    messages.push(message)
    if (messages.length === count) break
  }
  return messages
}

describe('the end of input', () => {
  it('answers what is in flight before it leaves', async () => {
    const { toServer, fromServer, ended } = startStdio(workspace())
    toServer.end(lines(initialize, call(2, 'SELECT 5'), call(3, 'SELECT * FROM data.accounts')))
    const messages = await collect(fromServer, 3)
    expect(messages.map((message) => message['id'])).toEqual([1, 2, 3])
    await ended
  })

  it('answers a last line without a newline', async () => {
    const { toServer, fromServer, ended } = startStdio(workspace())
    toServer.end(lines(initialize) + JSON.stringify(call(2, 'SELECT 5')))
    expect(await collect(fromServer, 2)).toHaveLength(2)
    await ended
  })

  it('leaves at once when nothing is in flight', async () => {
    const { toServer, ended } = startStdio(workspace())
    toServer.end()
    await ended
  })

  it('cancels what still runs after the grace', async () => {
    const made = workspace()
    const { toServer, ended } = startStdio(made, { drainTimeoutMs: 50 })
    toServer.write(lines(initialize, call(2, 'WAIT 0')))
    await expect.poll(() => made.running).toBe(1)
    toServer.end()
    await ended
    await expect.poll(() => made.stopped).toEqual(['WAIT 0'])
  })

  it('does not wait for a request that the client cancelled', async () => {
    const made = workspace()
    const { toServer, ended } = startStdio(made)
    toServer.write(lines(initialize, call(2, 'WAIT 0')))
    await expect.poll(() => made.running).toBe(1)
    toServer.end(lines({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 2 } }))
    await ended
    await expect.poll(() => made.stopped).toEqual(['WAIT 0'])
  })
})

describe('a client that is gone', () => {
  it('ends the connection and its queries when nothing can be written', async () => {
    const made = workspace()
    const { toServer, fromServer, ended } = startStdio(made)
    toServer.write(lines(initialize, call(2, 'WAIT 0')))
    await expect.poll(() => made.running).toBe(1)
    fromServer.destroy(new Error('EPIPE'))
    await ended
    await expect.poll(() => made.stopped).toEqual(['WAIT 0'])
  })

  it('ends when the signal says so', async () => {
    const made = workspace()
    const controller = new AbortController()
    const { toServer, ended } = startStdio(made, { signal: controller.signal })
    toServer.write(lines(initialize, call(2, 'WAIT 0')))
    await expect.poll(() => made.running).toBe(1)
    controller.abort()
    await ended
    await expect.poll(() => made.stopped).toEqual(['WAIT 0'])
  })
})

describe('input that is no message', () => {
  it('survives a line over 10 MB, and answers it where its id can be seen', async () => {
    const { toServer, fromServer } = startStdio(workspace())
    toServer.write(lines(initialize))
    toServer.write(lines(call('big', `SELECT '${'x'.repeat(20 * 1024 * 1024)}'`)))
    toServer.write(lines({ ...call(0, 'x'.repeat(11 * 1024 * 1024)), id: 77 }))
    toServer.write(lines(call(3, 'SELECT 3')))
    const messages = await collect(fromServer, 4)
    const byId = new Map(messages.map((message) => [message['id'], message]))
    expect([...byId.keys()].map(String).sort()).toEqual(['1', '3', '77', 'big'])
    expect(byId.get('big')).toMatchObject({ error: { code: -32600 } })
    expect(byId.get(77)).toMatchObject({ error: { code: -32600 } })
    expect(byId.get(3)).toHaveProperty('result')
  })

  it('survives what is no JSON and what is no JSON-RPC', async () => {
    const { toServer, fromServer } = startStdio(workspace())
    toServer.write(`${lines(initialize)}\n  \n{oops\n[1]\n"x"\n{"id":9}\n\u0000\n${lines(call(3, 'SELECT 3'))}`)
    const messages = await collect(fromServer, 7)
    const codes = messages.map((message) => (message['error'] as { code?: number } | undefined)?.code)
    expect(codes.filter((code) => code !== undefined)).toEqual([-32700, -32600, -32600, -32600, -32700])
    expect(messages.at(-1)).toMatchObject({ id: 3 })
  })

  it('reads a message that comes byte by byte, cut inside a character', async () => {
    const { toServer, fromServer } = startStdio(workspace())
    const bytes = Buffer.from(lines(initialize, call(2, 'SELECT * FROM "é漢😀"')))
    for (const byte of bytes) toServer.write(Buffer.from([byte]))
    const messages = await collect(fromServer, 2)
    expect(JSON.stringify(messages[1])).toMatch(/é漢😀/)
  })
})

describe.each(eras)('many requests at once, %s era', (era) => {
  it('answers 500 each with its own rows', async () => {
    const { client } = await connectStdio(workspace(), era)
    const rows = await Promise.all(
      Array.from({ length: 500 }, async (_, index) => {
        const result = await client.callTool({ name: 'query', arguments: { sql: `SELECT ${index}` } })
        return (result.structuredContent as { rows: unknown }).rows
      }),
    )
    expect(rows).toEqual(Array.from({ length: 500 }, (_, index) => [[index]]))
  })
})

const claimStdout = fileURLToPath(new URL('../dist/surfaces/mcp/stdio/claim-stdout.js', import.meta.url))

describe('standard output', () => {
  it('belongs to the protocol: whatever a library prints goes to standard error', async () => {
    const script = `
      const { claimStdout } = await import(${JSON.stringify(claimStdout)})
      const protocol = claimStdout()
      console.log('from console')
      console.table([{ a: 1 }])
      process.stdout.write('from a library')
      if (claimStdout() !== protocol) throw new Error('claimed twice')
      protocol.write('protocol only\\n')
    `
    const child = spawn(process.execPath, ['--input-type=module', '-e', script])
    let out = ''
    let err = ''
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()))
    await once(child, 'close')
    expect(out).toBe('protocol only\n')
    expect(err).toMatch(/from console[\s\S]*from a library/)
  })
})
