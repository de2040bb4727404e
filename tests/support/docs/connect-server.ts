import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect } from 'vitest'

export interface ServerCommand {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Record<string, string>
  readonly cwd: string
}

/** Starts a server as a client would, asks for its tools and stops it. */
export async function connectServer(server: ServerCommand): Promise<void> {
  const client = new Client({ name: 'docs', version: '0.0.0' })
  await client.connect(new StdioClientTransport({ ...server, args: [...server.args], stderr: 'ignore' }))
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toContain('query')
  await client.close()
}
