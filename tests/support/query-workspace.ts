import { localCaller } from '../../src/model/caller.js'
import { openWorkspace, type OpenedWorkspace, type OpenWorkspaceOptions } from '../../src/workspace/open-workspace.js'
import type { CallContext, QueryRequest, QueryResult } from '../../src/workspace/workspace.js'
import { TempFolder } from './temp-folder.js'

export const libraryContext: CallContext = { caller: localCaller, surface: 'library' }

/** A workspace with a folder of its own for its files and its state. */
export class TestWorkspace {
  readonly folder = new TempFolder()
  readonly env: Record<string, string | undefined>
  #opened: OpenedWorkspace | undefined

  constructor(env: Readonly<Record<string, string>> = {}) {
    this.env = { ...env, QUERENT_STATE_DIR: `${this.folder.path}/state` }
  }

  async open(yaml: string, options: OpenWorkspaceOptions = {}): Promise<OpenedWorkspace> {
    const file = this.folder.write('querent.yaml', yaml)
    this.#opened = await openWorkspace(file, { env: this.env, ...options })
    return this.#opened
  }

  get workspace(): OpenedWorkspace {
    if (this.#opened === undefined) throw new TypeError('open the workspace first')
    return this.#opened
  }

  query(sql: string, request: Omit<QueryRequest, 'sql'> = {}, context = libraryContext): Promise<QueryResult> {
    return this.workspace.query({ sql, ...request }, context)
  }

  async rows(sql: string, request: Omit<QueryRequest, 'sql'> = {}): Promise<QueryResult['rows']> {
    return (await this.query(sql, request)).rows
  }

  async close(): Promise<void> {
    await this.#opened?.close()
    this.folder.remove()
  }
}
