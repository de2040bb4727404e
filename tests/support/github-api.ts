import { startApiServer, type ApiServer } from './api-server.js'

export interface Pull {
  readonly number: number
  readonly title: string
  readonly state: string
  readonly user: { readonly login: string }
}

export const pulls: readonly Pull[] = Array.from({ length: 25 }, (_, index) => ({
  number: index + 1,
  title: `Change ${index + 1}`,
  state: index % 3 === 0 ? 'closed' : 'open',
  user: { login: index % 2 === 0 ? 'ada' : 'lin' },
}))

/** An imitation of GitHub's list of pull requests: `state` filters, ten on a page, pages by Link header. */
export function startGithubApi(token: string): Promise<ApiServer> {
  return startApiServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1')
    const reply = (status: number, body: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }
    if (request.headers.authorization !== `Bearer ${token}`) {
      reply(401, { message: 'Bad credentials' })
      return
    }
    if (!/^\/repos\/acme\/app\/pulls$/.test(url.pathname)) {
      reply(404, { message: 'Not Found' })
      return
    }
    const state = url.searchParams.get('state') ?? 'open'
    const page = Number(url.searchParams.get('page') ?? '1')
    const found = pulls.filter((pull) => state === 'all' || pull.state === state)
    if (page * 10 < found.length) {
      url.searchParams.set('page', String(page + 1))
      response.setHeader('link', `<http://${request.headers.host ?? ''}${url.pathname}${url.search}>; rel="next"`)
    }
    reply(200, found.slice((page - 1) * 10, page * 10))
  })
}
