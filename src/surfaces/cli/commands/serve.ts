import type { OpenedWorkspace } from '../../../workspace/open-workspace.js'
import { packageVersion } from '../../../util/package-version.js'
import { startHttpServer } from '../../http/start-http-server.js'
import { serveStdioWorkspace } from '../../mcp/stdio/serve-stdio.js'
import { say, type Output } from '../output.js'
import { terminalText } from '../render/terminal-text.js'
import { usage } from '../workspace-arguments.js'

export interface ServeCommandOptions {
  /** `[host:]port`; absent: MCP over standard input and output. */
  readonly http?: string
  readonly readWrite: boolean
  readonly signal: AbortSignal
}

/** Serves until the client leaves (stdio) or the process is told to stop (HTTP). */
export async function runServe(
  workspace: OpenedWorkspace,
  options: ServeCommandOptions,
  output: Output,
): Promise<void> {
  const { readWrite, signal } = options
  const shared = {
    version: packageVersion(),
    readWrite,
    maxChars: workspace.loaded.limits.maxChars,
    onError: (error: Error) => void say(output, terminalText(`connection: ${error.message}`)),
  }
  if (options.http === undefined) {
    await serveStdioWorkspace(workspace, { ...shared, signal })
    return
  }
  const { host, port } = parseAddress(options.http, workspace)
  const { allowed_hosts: allowedHosts, allowed_origins: allowedOrigins, metrics, tokens } = workspace.loaded.server
  const server = await startHttpServer({
    ...shared,
    workspace,
    host,
    port,
    tokens,
    allowedHosts,
    allowedOrigins,
    metrics,
  })
  await say(
    output,
    `Serving ${terminalText(workspace.name)} at ${server.url} (MCP at ${server.url}/mcp). Ctrl-C stops it.`,
  )
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    else {
      signal.addEventListener('abort', () => {
        resolve()
      })
    }
  })
  await server.close()
}

/** An address without a host takes the workspace's, loopback by default. */
function parseAddress(text: string, workspace: OpenedWorkspace): { host: string; port: number } {
  const match = /^(?:(\[[0-9a-f:.]+\]|[^:]*):)?(\d{1,5})$/i.exec(text)
  const port = Number(match?.[2])
  if (match === null || port > 65_535) throw usage(`--http takes [host:]port, not ${text}.`)
  const host = match[1] ?? ''
  return { host: host === '' ? workspace.loaded.server.host : host.replace(/^\[(.*)\]$/, '$1'), port }
}
