import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { z } from 'zod'

export interface TicketsApi {
  readonly url: string
  /** `GET /tickets?…` of each request that was answered. */
  readonly requests: readonly string[]
  close(): Promise<void>
}

const ticketSchema = z.looseObject({ status: z.string(), priority: z.string() })
type Ticket = z.infer<typeof ticketSchema>

const pageSize = 25

/** A small ticket API on a free loopback port: filters, pages by Link header, a bearer token. */
export async function startTicketsApi(options: { readonly file: string; readonly token: string }): Promise<TicketsApi> {
  const tickets = z.array(ticketSchema).parse(JSON.parse(await readFile(options.file, 'utf8')))
  const requests: string[] = []
  const server = createServer((request, response) => {
    requests.push(`${request.method ?? ''} ${request.url ?? ''}`)
    answer(request, response, tickets, options.token)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve()
        })
        server.closeAllConnections()
      }),
  }
}

function answer(request: IncomingMessage, response: ServerResponse, tickets: readonly Ticket[], token: string): void {
  const url = new URL(request.url ?? '/', 'http://127.0.0.1')
  if (request.headers.authorization !== `Bearer ${token}`) {
    json(response, 401, { message: 'A token is needed.' })
    return
  }
  if (url.pathname !== '/tickets') {
    json(response, 404, { message: 'Not found.' })
    return
  }
  const status = url.searchParams.get('status') ?? 'open'
  const priority = url.searchParams.get('priority')
  const page = Number(url.searchParams.get('page') ?? '1')
  const found = tickets.filter(
    (ticket) => (status === 'all' || ticket.status === status) && (priority === null || ticket.priority === priority),
  )
  if (page * pageSize < found.length) {
    url.searchParams.set('page', String(page + 1))
    response.setHeader('link', `<${url.pathname}${url.search}>; rel="next"`)
  }
  json(response, 200, found.slice((page - 1) * pageSize, page * pageSize))
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
