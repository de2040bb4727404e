import Ajv from 'ajv'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { workspaceJsonSchema } from '../src/config/json-schema.js'
import { loadWorkspace } from '../src/config/load-workspace.js'
import { builtinSchemas } from '../src/sources/builtin.js'
import { TempFolder } from './support/temp-folder.js'

/** The form of docs' first example, which users' files have. */
const example = `# yaml-language-server: $schema=./querent.schema.json
version: 1
name: sql-mode-demo
sources:
  - name: data
    kind: file
    tables:
      - name: accounts
        path: ./data/accounts.csv
        format: csv
      - name: orders
        path: ./data/orders.parquet
        format: parquet
  - name: github
    kind: http
    config:
      base_url: https://api.github.com
      token: \${secret:GITHUB_TOKEN}
    tables:
      - name: pulls
        endpoint: /repos/{owner}/{repo}/pulls
        params:
          - { name: owner, required: true }
          - { name: repo, required: true }
          - { name: state, default: open }
        response:
          path: $
          schema:
            - { name: number, type: bigint }
            - { name: title, type: varchar }
            - { name: state, type: varchar }
            - { name: user_login, type: varchar, source: $.user.login }
`

describe('the workspace schema', () => {
  const schema = workspaceJsonSchema(builtinSchemas)
  const isValid = new Ajv().compile(schema)

  it('is what schema/querent.schema.json holds; `npm run schema` writes it', () => {
    const shipped = readFileSync(new URL('../schema/querent.schema.json', import.meta.url), 'utf8')
    expect(JSON.parse(shipped)).toEqual(JSON.parse(JSON.stringify(schema)))
  })

  it('accepts the form that users have, and loading accepts it unchanged', async () => {
    expect([isValid(parse(example)), isValid.errors]).toEqual([true, null])
    const folder = new TempFolder()
    const path = folder.write('querent.yaml', example)
    const env = { GITHUB_TOKEN: 'ghp_example' }
    const loaded = await loadWorkspace({ path, kinds: builtinSchemas, env, trusted: true })
    expect(loaded.sources.map((source) => `${source.name}: ${source.kind}`)).toEqual(['data: file', 'github: http'])
    expect(JSON.stringify(loaded)).not.toContain('ghp_example')
    folder.remove()
  })

  it.each([
    ['an unknown key', 'version: 1\nsorces: []\n'],
    ['another version', 'version: 2\n'],
    ['a kind that is not there', 'version: 1\nsources: [{ name: a, kind: htp }]\n'],
    ['a key of another kind', 'version: 1\nsources: [{ name: a, kind: file, tables: [{ name: t, endpoint: /x }] }]\n'],
    ['a limit of the wrong type', 'version: 1\nlimits: { rows: many }\n'],
  ])('refuses %s', (_, text) => {
    expect(isValid(parse(text))).toBe(false)
  })

  it('accepts a reference where config wants a number', () => {
    const text =
      'version: 1\nsources: [{ name: a, kind: http, config: { base_url: "http://x", concurrency: "${env:N}" }, tables: [{ name: t, endpoint: /x }] }]\n'
    expect([isValid(parse(text)), isValid.errors]).toEqual([true, null])
  })
})
