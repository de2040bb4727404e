import type { OpenedWorkspace } from '../../../workspace/open-workspace.js'
import { startHttpServer } from '../../http/start-http-server.js'
import { say, type Output } from '../output.js'
import { usage } from '../usage.js'
import { terminalText } from '../render/terminal-text.js'
import { aborted } from '../signals.js'
import type { Address } from './parse-address.js'
import { doorOptions, type ServeOptions } from './serve-options.js'

/** Serves MCP and the HTTP API until the process is told to stop. */
export async function serveHttp(
  workspace: OpenedWorkspace,
  options: ServeOptions & Partial<Address>,
  output: Output,
): Promise<void> {
  const { server: config } = workspace.loaded
  const port = options.port ?? config.port
  if (port === undefined) throw usage('--http needs a port: name it, or set server.port in the workspace file.')
  const { host, allowed_hosts: allowedHosts, allowed_origins: allowedOrigins, metrics, tokens } = config
  const server = await startHttpServer({
    ...doorOptions(workspace, options, output),
    workspace,
    host: options.host ?? host,
    port,
    tokens,
    allowedHosts,
    allowedOrigins,
    metrics,
  })
  const { url } = server
  await say(output, `Serving ${terminalText(workspace.name)} at ${url} (MCP at ${url}/mcp). Ctrl-C stops it.`)
  await aborted(options.signal)
  await server.close()
}
