import path from 'node:path'
import { createEngine } from '../../src/engine/client/engine.js'
import type { Table } from '../../src/model/table.js'
import { httpKind } from '../../src/sources/http/http-kind.js'
import { startApiServer } from '../support/api-server.js'
import { DirectIntrospection } from '../support/introspection.js'
import { TestWorkspace } from '../support/query-workspace.js'
import { sourceContext } from '../support/source-context.js'
import { remoteRead } from './remote-read.js'
import { sourceContract } from './source-contract.js'

const items = [
  { id: 1, name: 'Ada', status: 'open', due: '2024-01-02', score: 9.5, nested: { kind: 'a' } },
  { id: 2, name: "O'Brien", status: 'closed', due: null, score: null, nested: { kind: null } },
  { id: 3, name: null, status: 'open', due: '1985-02-28', score: -1.25 },
  { id: 4, name: 'ada', status: 'Open', due: '2024-01-02', score: 0, nested: { kind: 'b/c?d=e' } },
  { id: 9007199254740991, name: 'Ärger', status: 'closed', due: '2001-01-01', score: 1e300, nested: { kind: 'a' } },
]

/** An API that matches `status` without regard to case, and pages two by two. */
function startItemsApi() {
  return startApiServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1')
    const status = url.searchParams.get('status')?.toLowerCase()
    const kind = url.searchParams.get('kind')
    const page = Number(url.searchParams.get('page') ?? '1')
    const found = items.filter(
      (item) =>
        (status === undefined || item.status.toLowerCase() === status) && (kind === null || item.nested?.kind === kind),
    )
    if (page * 2 < found.length) {
      url.searchParams.set('page', String(page + 1))
      response.setHeader('link', `<${url.pathname}${url.search}>; rel="next"`)
    }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ data: found.slice((page - 1) * 2, page * 2) }))
  })
}

function entry(url: string): object {
  return {
    name: 'api',
    kind: 'http',
    config: { base_url: url },
    tables: [
      {
        name: 'items',
        endpoint: '/items',
        params: [{ name: 'status' }, { name: 'kind' }],
        pagination: { type: 'link_header' },
        response: {
          path: '$.data',
          schema: [
            { name: 'id', type: 'bigint' },
            { name: 'name', type: 'varchar' },
            { name: 'status', type: 'varchar' },
            { name: 'kind', type: 'varchar', source: '$.nested.kind' },
            { name: 'due', type: 'date' },
            { name: 'score', type: 'double' },
          ],
        },
      },
    ],
  }
}

sourceContract('http', async () => {
  const api = await startItemsApi()
  const workspace = new TestWorkspace()
  await workspace.open(JSON.stringify({ version: 1, sources: [entry(api.url)] }))
  const folder = workspace.folder.path
  const engine = createEngine({
    threads: 1,
    memoryLimitBytes: 512_000_000,
    maxConcurrentQueries: 2,
    stateDir: path.join(folder, 'engine'),
    onLog: () => undefined,
  })
  const config = httpKind.configSchema.parse(entry(api.url))
  const source = await httpKind.open(config, sourceContext(folder, new DirectIntrospection()))
  const name = { source: 'api', table: 'items' }
  const tables: readonly Table[] = await source.describeTables([name], { signal: new AbortController().signal })
  return {
    source,
    tables: [name],
    read: remoteRead({ engine, source, tables: () => tables, folder }),
    outsideCalls: () => api.asked.length,
    runQuery: (sql) => workspace.rows(sql),
    close: async () => {
      await source.close()
      await engine.close()
      await workspace.close()
      api.close()
    },
  }
})
