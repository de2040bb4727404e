import { usage } from '../usage.js'

export interface Address {
  /** Absent: the workspace's, loopback by default. */
  readonly host?: string
  readonly port: number
}

/** `8080`, `localhost:8080`, `[::1]:8080`. Throws `config.usage`. */
export function parseAddress(text: string): Address {
  const match = /^(?:(\[[0-9a-f:.]+\]|[^:]*):)?(\d{1,5})$/i.exec(text)
  const port = Number(match?.[2])
  if (match === null || port > 65_535) throw usage(`--http takes [host:]port, not ${text}.`)
  const host = (match[1] ?? '').replace(/^\[(.*)\]$/, '$1')
  return host === '' ? { port } : { host, port }
}
