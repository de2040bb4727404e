import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Batch } from '../../src/model/batch.js'
import type { ScanPlan, ScanRequest, ScanRun, Source } from '../../src/sources/source.js'
import { httpKind } from '../../src/sources/http/http-kind.js'
import { QuerentError } from '../../src/errors/querent-error.js'
import { startApiServer, type ApiServer } from './api-server.js'
import { batchesOf, openSource, planOf, type OpenOptions } from './open-source.js'

export interface ApiRequest {
  readonly method: string
  readonly url: URL
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

export interface HttpApi extends AsyncDisposable {
  readonly server: ApiServer
  readonly source: Source
  /** Every request so far. */
  readonly requests: readonly ApiRequest[]
  plan(table: string, request?: Partial<ScanRequest>): Promise<ScanPlan>
  scan(table: string, request?: Partial<ScanRequest>, run?: Partial<ScanRun>): Promise<readonly Batch[]>
  /** The error of a scan that must fail. */
  failure(table: string, request?: Partial<ScanRequest>): Promise<QuerentError>
}

export interface HttpApiEntry extends OpenOptions {
  readonly config?: object
  readonly tables: readonly object[]
}

/** A local API that answers what `answer` gives, as JSON, and an `http` source named `api` over it. */
export async function openHttpApi(
  answer: (request: ApiRequest, response: ServerResponse) => unknown,
  entry: HttpApiEntry | ((url: string) => HttpApiEntry),
): Promise<HttpApi> {
  const requests: ApiRequest[] = []
  const server = await startApiServer((incoming, response) => {
    void readBody(incoming).then((body) => {
      const { method = '', headers } = incoming
      const request = { method, url: new URL(incoming.url ?? '', 'http://api.test'), headers, body }
      requests.push(request)
      response.setHeader('content-type', 'application/json')
      const value = answer(request, response)
      if (!response.writableEnded) response.end(typeof value === 'string' ? value : JSON.stringify(value))
    })
  })
  const { config, tables, ...options } = typeof entry === 'function' ? entry(server.url) : entry
  const source = await openSource(
    httpKind,
    {
      name: 'api',
      kind: 'http',
      config: { base_url: server.url, retry: { base_backoff_ms: 1, max_backoff_ms: 1 }, ...config },
      tables,
    },
    options,
  )
  return {
    server,
    source,
    requests,
    plan: (table, request) => planOf(source, table, request),
    scan: async (table, request, run) => await batchesOf(source, await planOf(source, table, request), run),
    failure: async (table, request) => {
      try {
        await batchesOf(source, await planOf(source, table, request))
      } catch (error) {
        if (error instanceof QuerentError) return error
        throw error
      }
      throw new TypeError('the scan must fail')
    },
    [Symbol.asyncDispose]: async () => {
      await source[Symbol.asyncDispose]()
      server.close()
    },
  }
}

async function readBody(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}
