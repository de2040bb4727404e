// The workspace that the suite is run against: one small table, opened as the product opens it.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openWorkspace } from '../../dist/index.js'

export async function openTestWorkspace() {
  const folder = mkdtempSync(join(tmpdir(), 'querent-conformance-workspace-'))
  writeFileSync(join(folder, 'accounts.csv'), 'id,name\n1,Ada\n2,Grace\n')
  const path = join(folder, 'querent.yaml')
  writeFileSync(
    path,
    `version: 1
name: conformance
sources:
  - name: data
    kind: file
    tables:
      - { name: accounts, path: ./accounts.csv, format: csv }
`,
  )
  const workspace = await openWorkspace(path)
  return {
    workspace,
    close: async () => {
      await workspace.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
