// A bare server of the MCP SDK with one tool: what no MCP server can be faster than.
import { McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { z } from 'zod'

serveStdio(() => {
  const server = new McpServer({ name: 'echo', version: '1.0.0' })
  server.registerTool(
    'echo',
    { description: 'Answers its text.', inputSchema: z.object({ text: z.string() }) },
    ({ text }) => ({ content: [{ type: 'text', text }] }),
  )
  return server
})
