import { Agent, request, type Dispatcher } from 'undici'
import { createConnector, type ConnectorOptions } from './connector.js'

export interface HttpAgentOptions extends ConnectorOptions {
  /** Connections to one host at once. */
  readonly concurrency: number
}

export type SendOptions = Omit<Dispatcher.RequestOptions, 'origin' | 'path'>

/** The connections of one source. */
export interface HttpAgent {
  request(url: URL, options: SendOptions): Promise<Dispatcher.ResponseData>
  /** Ends requests in flight. */
  close(): Promise<void>
}

export function openHttpAgent(options: HttpAgentOptions): HttpAgent {
  const agent = new Agent({
    connect: createConnector(options),
    connections: options.concurrency,
    pipelining: 1,
    allowH2: false,
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  return {
    request: (url, send) => request(url, { ...send, dispatcher: agent }),
    close: () => agent.destroy(),
  }
}
