import { PassThrough } from 'node:stream'
import { Client, type ClientOptions } from '@modelcontextprotocol/client'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { serveStdioWorkspace, type ServeStdioOptions } from '../../src/surfaces/mcp/stdio/serve-stdio.js'
import type { Workspace } from '../../src/workspace/workspace.js'

export type Era = 'legacy' | 'modern'
export const eras: readonly Era[] = ['legacy', 'modern']

/** Client options that speak one era only. */
export function eraOptions(era: Era): ClientOptions {
  return era === 'legacy' ? {} : { versionNegotiation: { mode: { pin: '2026-07-28' } } }
}

export interface StdioPair {
  readonly toServer: PassThrough
  readonly fromServer: PassThrough
  /** Resolves when the server has ended. */
  readonly ended: Promise<void>
}

/** A server of the workspace on a pair of streams. */
export function startStdio(workspace: Workspace, options: Partial<ServeStdioOptions> = {}): StdioPair {
  const toServer = new PassThrough()
  const fromServer = new PassThrough()
  const ended = serveStdioWorkspace(workspace, { version: '0.0.0', input: toServer, output: fromServer, ...options })
  return { toServer, fromServer, ended }
}

/** A client of one era, connected to a server on streams. */
export async function connectStdio(
  workspace: Workspace,
  era: Era,
  options: Partial<ServeStdioOptions> & { readonly client?: ClientOptions } = {},
): Promise<StdioPair & { readonly client: Client }> {
  const { client: clientOptions, ...rest } = options
  const pair = startStdio(workspace, rest)
  const client = new Client({ name: 'test', version: '0.0.0' }, { ...eraOptions(era), ...clientOptions })
  await client.connect(new StdioServerTransport(pair.fromServer, pair.toServer))
  return { ...pair, client }
}

/** Lines of JSON from a stream, one by one. */
export async function* readMessages(stream: PassThrough): AsyncGenerator<Record<string, unknown>> {
  let text = ''
  for await (const chunk of stream) {
    text += String(chunk)
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n')) {
      const line = text.slice(0, end)
      text = text.slice(end + 1)
      yield JSON.parse(line) as Record<string, unknown>
    }
  }
}
