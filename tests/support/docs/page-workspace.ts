import { expect } from 'vitest'
import { QuerentError } from '../../../src/errors/querent-error.js'
import { startTicketsApi, type TicketsApi } from '../../../src/surfaces/cli/demo/tickets-api.js'
import { openWorkspace, type OpenedWorkspace } from '../../../src/workspace/open-workspace.js'
import { libraryContext } from '../query-workspace.js'
import type { PageFolder } from './page-folder.js'

/** The workspace behind a page's SQL and tool calls: `examples/shop`, or `examples/demo` with its API. */
export class PageWorkspace {
  readonly workspace: OpenedWorkspace
  readonly #api: TicketsApi | undefined

  private constructor(workspace: OpenedWorkspace, api: TicketsApi | undefined) {
    this.workspace = workspace
    this.#api = api
  }

  static async open(folder: PageFolder, name: 'shop' | 'demo'): Promise<PageWorkspace> {
    const env = { QUERENT_STATE_DIR: `${folder.env['HOME'] ?? ''}/workspace-state` }
    if (name === 'shop')
      return new PageWorkspace(await openWorkspace(`${folder.shop}/querent.yaml`, { env }), undefined)
    const token = 'docs'
    const api = await startTicketsApi({ file: `${folder.demo}/data/tickets.json`, token })
    const demoEnv = { ...env, QUERENT_DEMO_API: api.url, DEMO_TOKEN: token }
    return new PageWorkspace(await openWorkspace(`${folder.demo}/querent.yaml`, { env: demoEnv }), api)
  }

  /** A `sql` block: statements that end in `;`. One below `-- refused: code` must be refused with that code. */
  async runSql(text: string): Promise<void> {
    for (const statement of text.split(/;[ \t]*(?:\n|$)/)) {
      if (statement.trim() === '') continue
      const code = /^-- refused: ([\w.]+)$/m.exec(statement)?.[1]
      expect({ statement, code: await this.#codeOf(statement) }).toEqual({ statement, code })
    }
  }

  async #codeOf(sql: string): Promise<string | undefined> {
    try {
      await this.workspace.query({ sql }, libraryContext)
      return undefined
    } catch (error) {
      return error instanceof QuerentError ? error.code : String(error)
    }
  }

  async close(): Promise<void> {
    await this.workspace.close()
    await this.#api?.close()
  }
}
