// The workspace that the suite is run against: the demo's, with its API, opened as the product opens it.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openWorkspace } from '../../dist/index.js'
import { startTicketsApi } from '../../dist/surfaces/cli/demo/tickets-api.js'

const demo = join(import.meta.dirname, '../../examples/demo')

export async function openTestWorkspace() {
  const folder = mkdtempSync(join(tmpdir(), 'querent-conformance-workspace-'))
  const token = 'token-of-the-demo'
  const api = await startTicketsApi({ file: join(demo, 'data/tickets.json'), token })
  const env = { ...process.env, QUERENT_STATE_DIR: folder, QUERENT_DEMO_API: api.url, DEMO_TOKEN: token }
  const workspace = await openWorkspace(join(demo, 'querent.yaml'), { env })
  return {
    workspace,
    close: async () => {
      await workspace.close()
      await api.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
