import { Client, type ClientOptions } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect } from 'vitest'
import { eras, eraOptions } from '../stdio-client.js'

export interface ServerCommand {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Record<string, string>
  readonly cwd: string
}

/** Starts a server as a client would, in either era, asks for its tools and stops it. */
export async function connectServer(server: ServerCommand, options: ClientOptions = {}): Promise<void> {
  for (const era of eras) {
    const client = new Client({ name: 'docs', version: '0.0.0' }, { ...eraOptions(era), ...options })
    await client.connect(new StdioClientTransport({ ...server, args: [...server.args], stderr: 'ignore' }))
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toContain('query')
    await client.close()
  }
}
