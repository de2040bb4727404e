import type { OpenedWorkspace } from '../../../workspace/open-workspace.js'
import { serveStdioWorkspace } from '../../mcp/stdio/serve-stdio.js'
import type { Output } from '../output.js'
import { doorOptions, type ServeOptions } from './serve-options.js'

/** Serves MCP over standard input and output until the client leaves or the process is told to stop. */
export async function serveStdio(workspace: OpenedWorkspace, options: ServeOptions, output: Output): Promise<void> {
  await serveStdioWorkspace(workspace, { ...doorOptions(workspace, options, output), signal: options.signal })
}
