import type { Registry } from 'prom-client'
import type { Workspace } from '../../workspace/workspace.js'
import { toQuerentError } from '../../workspace/error-answer.js'

export interface Metrics {
  readonly contentType: string
  text(): Promise<string>
  /** An answered HTTP request; `route` is a pattern, never a path with values in it. */
  countRequest(request: {
    readonly method: string
    readonly route: string
    readonly status: number
    readonly seconds: number
  }): void
  /** The workspace, with its queries counted. */
  measure(workspace: Workspace): Workspace
}

const secondsBuckets = [0.005, 0.02, 0.1, 0.5, 2, 10, 30, 120]

/** Figures in the Prometheus format. */
export async function openMetrics(sessions: () => number): Promise<Metrics> {
  const { collectDefaultMetrics, Counter, Gauge, Histogram, Registry: NewRegistry } = await import('prom-client')
  const registry: Registry = new NewRegistry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const requests = new Counter({
    name: 'querent_http_requests_total',
    help: 'Answered HTTP requests',
    labelNames: ['method', 'route', 'status'],
    registers,
  })
  const requestSeconds = new Histogram({
    name: 'querent_http_request_duration_seconds',
    help: 'Time from a request to the end of its answer',
    labelNames: ['route'],
    buckets: secondsBuckets,
    registers,
  })
  const queries = new Counter({
    name: 'querent_queries_total',
    help: 'Finished queries; outcome is ok or the code of the error',
    labelNames: ['surface', 'outcome'],
    registers,
  })
  const querySeconds = new Histogram({
    name: 'querent_query_duration_seconds',
    help: 'Time of a query',
    labelNames: ['surface'],
    buckets: secondsBuckets,
    registers,
  })
  new Gauge({
    name: 'querent_mcp_sessions',
    help: 'Open MCP sessions of 2025-era clients',
    registers,
    collect() {
      this.set(sessions())
    },
  })
  return {
    contentType: registry.contentType,
    text: () => registry.metrics(),
    countRequest: ({ method, route, status, seconds }) => {
      requests.inc({ method, route, status })
      requestSeconds.observe({ route }, seconds)
    },
    measure: (workspace) =>
      withQuery(workspace, async (request, context) => {
        const stop = querySeconds.startTimer({ surface: context.surface })
        try {
          const result = await workspace.query(request, context)
          queries.inc({ surface: context.surface, outcome: 'ok' })
          return result
        } catch (error) {
          queries.inc({ surface: context.surface, outcome: toQuerentError(error).code })
          throw error
        } finally {
          stop()
        }
      }),
  }
}

function withQuery(workspace: Workspace, query: Workspace['query']): Workspace {
  return {
    name: workspace.name,
    description: workspace.description,
    query,
    explain: (request, context) => workspace.explain(request, context),
    tables: (request, context) => workspace.tables(request, context),
    describe: (request, context) => workspace.describe(request, context),
    fetchResult: (request, context) => workspace.fetchResult(request, context),
    cancel: (queryId, context) => workspace.cancel(queryId, context),
    check: (signal) => workspace.check(signal),
    onChanged: (listener) => workspace.onChanged(listener),
    close: () => workspace.close(),
  }
}
