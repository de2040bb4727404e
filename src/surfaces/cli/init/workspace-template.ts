/** A commented workspace file without sources. `schemaFile`: where the JSON Schema lies, for editors. */
export function workspaceTemplate(name: string, schemaFile: string): string {
  return `# yaml-language-server: $schema=${schemaFile}
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
