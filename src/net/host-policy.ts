import { isIP } from 'node:net'

/**
 * `named`: the workspace names this host, whatever its address. `public`: a pattern covers it, so its address must be
 * public. `refused`: not to be asked.
 */
export type HostTrust = 'named' | 'public' | 'refused'

interface AllowedHost {
  readonly host: string
  readonly port: string | undefined
  /** `*.example.com`: every name below, not the name itself. */
  readonly pattern: boolean
}

/**
 * Which hosts a source may ask: the host of its base URL at that port, and the allowed hosts (`host`, `host:port` or
 * `*.domain`). A URL that would fall back from https to http is refused.
 */
export class HostPolicy {
  readonly #base: URL
  readonly #allowed: readonly AllowedHost[]

  constructor(base: URL, allowedHosts: readonly string[] = []) {
    this.#base = base
    this.#allowed = allowedHosts.map(parseAllowedHost).filter((entry) => entry !== undefined)
  }

  trustOf(url: URL): HostTrust {
    if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'refused'
    if (url.username !== '' || url.password !== '') return 'refused'
    if (this.#base.protocol === 'https:' && url.protocol === 'http:') return 'refused'
    return this.trustOfHost(url.hostname, url.port)
  }

  /** @param port empty for the scheme's own port. */
  trustOfHost(hostname: string, port: string): HostTrust {
    const host = bareHost(hostname)
    if (host === bareHost(this.#base.hostname) && this.#isBasePort(port)) return 'named'
    const matching = this.#allowed.filter((entry) => matches(entry, host, port))
    if (matching.some((entry) => !entry.pattern)) return 'named'
    return matching.length > 0 ? 'public' : 'refused'
  }

  /** Whether credentials may go there: only to the origin that the workspace names for them. */
  isCredentialOrigin(url: URL): boolean {
    return url.origin === this.#base.origin
  }

  #isBasePort(port: string): boolean {
    return isSamePort(port, this.#base.port) || (isDefaultPort(port) && isDefaultPort(this.#base.port))
  }
}

/** undefined for text that is not `host`, `host:port`, `[v6]`, `[v6]:port` or `*.domain`. */
export function parseAllowedHost(text: string): AllowedHost | undefined {
  const pattern = text.startsWith('*.')
  const rest = (pattern ? text.slice(2) : text).trim().toLowerCase()
  if (!/^(?:\[[0-9a-f:.]+\]|[^\s/:?#@[\]\\*]+)(?::\d{1,5})?$/.test(rest)) return undefined
  if (!URL.canParse(`http://${rest}`)) return undefined
  const { hostname } = new URL(`http://${rest}`)
  if (pattern && isIP(bareHost(hostname)) !== 0) return undefined
  return { host: bareHost(hostname), port: /:(\d+)$/.exec(rest.replace(/^\[.*\]/, ''))?.[1], pattern }
}

function matches(entry: AllowedHost, host: string, port: string): boolean {
  if (entry.pattern ? !host.endsWith(`.${entry.host}`) : host !== entry.host) return false
  if (entry.port !== undefined) return isSamePort(port, entry.port)
  return !entry.pattern || isDefaultPort(port)
}

function isSamePort(port: string, other: string): boolean {
  return port === other || (port === '' && isDefaultPort(other)) || (other === '' && isDefaultPort(port))
}

function isDefaultPort(port: string): boolean {
  return port === '' || port === '80' || port === '443'
}

function bareHost(hostname: string): string {
  return hostname
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
}
