import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { QuerentError } from '../../../errors/querent-error.js'

/** Writes a commented workspace file and snippets for clients; never over a file that is there. */
export async function runInit(folder: string): Promise<readonly string[]> {
  const target = path.resolve(folder)
  await mkdir(target, { recursive: true })
  const file = path.join(target, 'querent.yaml')
  const clients = path.join(target, 'querent-clients.md')
  await writeNew(file, workspaceTemplate(path.basename(target)))
  await writeNew(clients, clientSnippets(file))
  return [file, clients]
}

async function writeNew(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text, { flag: 'wx' })
  } catch (error) {
    const exists = error instanceof Error && 'code' in error && error.code === 'EEXIST'
    const message = exists ? `${file} is there already.` : `Cannot write ${file}.`
    throw new QuerentError('config.usage', { message }, { cause: error })
  }
}

function workspaceTemplate(name: string): string {
  return `# yaml-language-server: $schema=https://unpkg.com/querent/schema/querent.schema.json
# A Querent workspace. Check it with \`querent check\`, ask it with \`querent query\`, serve it with \`querent serve\`.
version: 1
name: ${JSON.stringify(name)}

sources: []
# Files, read where they lie: CSV, TSV, JSON, NDJSON and Parquet, also compressed.
#  - name: data
#    kind: file
#    tables:
#      - { name: accounts, path: ./data/accounts.csv, description: One row per customer account. }
#
# A DuckDB database, opened for reading and only while a query runs.
#  - name: sales
#    kind: duckdb
#    config: { path: ./sales.duckdb }
#
# A REST API. Parameters are columns: WHERE owner = 'duckdb' AND repo = 'duckdb'.
#  - name: github
#    kind: http
#    config:
#      base_url: https://api.github.com
#      token: \${secret:GITHUB_TOKEN}
#    tables:
#      - name: pulls
#        endpoint: /repos/{owner}/{repo}/pulls
#        params:
#          - { name: owner, required: true }
#          - { name: repo, required: true }
#          - { name: state, default: open, any: all }
#        pagination: { type: link_header }

# Caps of one answer; a caller may ask for less and never for more.
limits:
  rows: 1024
  chars: 50000
  timeout: 30s
`
}

function clientSnippets(file: string): string {
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
