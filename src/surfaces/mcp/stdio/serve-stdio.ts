import { randomUUID } from 'node:crypto'
import type { Readable, Writable } from 'node:stream'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { localCaller } from '../../../model/caller.js'
import type { Workspace } from '../../../workspace/workspace.js'
import { createServer } from '../create-server.js'
import { announceChange } from '../announce-change.js'
import { instructionsOf } from '../instructions.js'
import type { ExtendOffer } from '../offer.js'
import { workspaceOffer } from '../workspace-offer.js'
import { claimStdout } from './claim-stdout.js'
import { StdioTransport } from './stdio-transport.js'
import type { ProtocolServer } from '../protocol-server.js'

export interface ServeStdioOptions {
  /** Querent's version, as clients see it. */
  readonly version: string
  /** `query` may write. Default false. */
  readonly readWrite?: boolean
  /** Longest text block of search, describe and fetch answers. Default 50,000. */
  readonly maxChars?: number
  /** Ends the connection: running queries are cancelled. */
  readonly signal?: AbortSignal
  /** Faults of the connection, for the log. */
  readonly onError?: (error: Error) => void
  /** Default: standard input and output, the latter kept for the protocol alone. */
  readonly input?: Readable
  readonly output?: Writable
  readonly extend?: ExtendOffer
  /** After the end of input, how long requests in flight may take. Default 30 s. */
  readonly drainTimeoutMs?: number
}

const maxLineBytes = 10 * 1024 * 1024

/**
 * Serves one MCP client over standard input and output, in the protocol era that it opens with. Resolves when the
 * client has left, its last answers are written and its running queries are cancelled; the caller closes the workspace.
 */
export async function serveStdioWorkspace(workspace: Workspace, options: ServeStdioOptions): Promise<void> {
  const { version, signal, extend, onError } = options
  const own = workspaceOffer(workspace, { readWrite: options.readWrite ?? false, maxChars: options.maxChars ?? 50_000 })
  const offer = extend === undefined ? own : extend(own)
  const identity = { name: 'querent', version, instructions: instructionsOf(workspace) }
  const door = { caller: localCaller, surface: 'mcp-stdio', session: randomUUID() } as const
  const parent = process.ppid
  const transport = new StdioTransport({
    input: options.input ?? process.stdin,
    output: options.output ?? claimStdout(),
    maxLineBytes,
    drainTimeoutMs: options.drainTimeoutMs ?? 30_000,
    isOrphan: () => process.ppid !== parent,
  })
  const servers = new Set<ProtocolServer>()
  const stopListening = workspace.onChanged(() => {
    for (const server of servers) announceChange(server)
  })
  const closed = new Promise<void>((resolve) => {
    const handle = serveStdio(
      ({ era }) => {
        const server = createServer(offer, door, identity)
        if (era === 'modern') servers.add(server)
        else server.oninitialized = () => servers.add(server)
        server.onclose = () => servers.delete(server)
        return server
      },
      { transport, ...(onError === undefined ? {} : { onerror: onError }) },
    )
    const { onclose } = transport
    transport.onclose = () => {
      onclose?.()
      resolve()
    }
    if (signal?.aborted === true) void handle.close()
    signal?.addEventListener('abort', () => void handle.close(), { once: true })
  })
  await closed
  stopListening()
}
