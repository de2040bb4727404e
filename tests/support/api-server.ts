import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ApiServer {
  readonly url: string
  /** Path and query of each request, in order of arrival. */
  readonly asked: string[]
  close(): void
}

/** A server on a free port of the loopback interface. */
export async function startApiServer(listener: RequestListener): Promise<ApiServer> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    listener(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
