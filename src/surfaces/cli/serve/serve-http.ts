import type { OpenedWorkspace } from '../../../workspace/open-workspace.js'
import { startHttpServer } from '../../http/start-http-server.js'
import { say, type Output } from '../output.js'
import { terminalText } from '../render/terminal-text.js'
import { aborted } from '../signals.js'
import type { Address } from './parse-address.js'
import { doorOptions, type ServeOptions } from './serve-options.js'

/** Serves MCP and the HTTP API until the process is told to stop. */
export async function serveHttp(
  workspace: OpenedWorkspace,
  options: ServeOptions & Address,
  output: Output,
): Promise<void> {
  const {
    host,
    allowed_hosts: allowedHosts,
    allowed_origins: allowedOrigins,
    metrics,
    tokens,
  } = workspace.loaded.server
  const server = await startHttpServer({
    ...doorOptions(workspace, options, output),
    workspace,
    host: options.host ?? host,
    port: options.port,
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
