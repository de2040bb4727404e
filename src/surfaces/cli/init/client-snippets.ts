/** How a client starts a program. */
export interface Launch {
  readonly command: string
  readonly args: readonly string[]
}

/** What MCP clients take to start this workspace, as Markdown. */
export function clientSnippets({ command, args }: Launch): string {
  const entry = JSON.stringify({ command, args }, undefined, 2)
  const servers = JSON.stringify({ mcpServers: { querent: { command, args } } }, undefined, 2)
  const vscode = JSON.stringify({ servers: { querent: { type: 'stdio', command, args } } }, undefined, 2)
  const quoted = args.map((arg) => JSON.stringify(arg)).join(', ')
  return `# Connecting clients to this workspace

Claude Desktop (\`claude_desktop_config.json\`) and Cursor (\`.cursor/mcp.json\`):

\`\`\`json
${servers}
\`\`\`

Claude Code:

\`\`\`sh
claude mcp add-json querent '${shellText(entry.replaceAll(/\n\s*/g, ' '))}'
\`\`\`

VS Code (\`.vscode/mcp.json\`):

\`\`\`json
${vscode}
\`\`\`

Codex (\`~/.codex/config.toml\`):

\`\`\`toml
[mcp_servers.querent]
command = ${JSON.stringify(command)}
args = [${quoted}]
\`\`\`
`
}

/** Text inside of single quotes. */
function shellText(text: string): string {
  return text.replaceAll("'", `'\\''`)
}
