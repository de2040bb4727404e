/** What MCP clients take to start this workspace, as Markdown. */
export function clientSnippets(file: string): string {
  const args = ['-y', 'querent', 'serve', '--config', file]
  const entry = JSON.stringify({ command: 'npx', args }, undefined, 2)
  const servers = JSON.stringify({ mcpServers: { querent: { command: 'npx', args } } }, undefined, 2)
  const vscode = JSON.stringify({ servers: { querent: { type: 'stdio', command: 'npx', args } } }, undefined, 2)
  const quoted = args.map((arg) => JSON.stringify(arg)).join(', ')
  return `# Connecting clients to this workspace

Claude Desktop (\`claude_desktop_config.json\`) and Cursor (\`.cursor/mcp.json\`):

\`\`\`json
${servers}
\`\`\`

Claude Code:

\`\`\`sh
claude mcp add-json querent '${entry.replaceAll(/\s+/g, ' ')}'
\`\`\`

VS Code (\`.vscode/mcp.json\`):

\`\`\`json
${vscode}
\`\`\`

Codex (\`~/.codex/config.toml\`):

\`\`\`toml
[mcp_servers.querent]
command = "npx"
args = [${quoted}]
\`\`\`
`
}
