import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { connectServer } from './connect-server.js'
import type { PageFolder } from './page-folder.js'

const server = z.strictObject({
  type: z.literal('stdio').optional(),
  command: z.string(),
  args: z.array(z.string()),
  env: z.record(z.string(), z.string()).optional(),
})
/** What Claude Desktop, Claude Code and Cursor read, and what VS Code reads. */
const config = z.union([
  z.strictObject({ mcpServers: z.record(z.string(), server) }),
  z.strictObject({ servers: z.record(z.string(), server) }),
])

/** Starts every server of a client's configuration as the client would, asks for its tools and stops it. */
export async function startConfigured(folder: PageFolder, value: unknown): Promise<void> {
  const parsed = config.parse(JSON.parse(folder.fromPage(JSON.stringify(value))))
  for (const { command, args, env } of Object.values('servers' in parsed ? parsed.servers : parsed.mcpServers)) {
    await connectServer({ command, args, env: { ...folder.env, ...env }, cwd: folder.env['HOME'] ?? '/' })
  }
}

/** The same for `[mcp_servers.name]` of Codex: a command and its arguments, each a JSON value. */
export async function startToml(folder: PageFolder, text: string): Promise<void> {
  const lines = text.split('\n').filter((line) => line.includes('=') && !line.startsWith('#'))
  const entries = lines.map((line): [string, unknown] => {
    const at = line.indexOf('=')
    return [line.slice(0, at).trim(), JSON.parse(line.slice(at + 1))]
  })
  await startConfigured(folder, { servers: { querent: Object.fromEntries(entries) } })
}

/** Starts the server that a client's own command line was told of: what stands behind `--`. */
export async function startCalled(folder: PageFolder, program: string): Promise<void> {
  const words = (await readFile(join(folder.called, program), 'utf8')).trimEnd().split('\n')
  const [command = '', ...args] = words.slice(words.indexOf('--') + 1)
  await connectServer({ command, args, env: folder.env, cwd: folder.env['HOME'] ?? '/' })
}
