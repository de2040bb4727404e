/** Names by which a client on this machine calls a server on loopback, as a URL's host name writes them. */
export const loopbackNames: readonly string[] = ['localhost', '127.0.0.1', '[::1]']

/** Whether a listener on this address is reachable from this machine alone. */
export function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[(.*)\]$/, '$1').toLowerCase()
  return bare === 'localhost' || bare === '::1' || /^127(\.\d{1,3}){3}$/.test(bare)
}

/** An address as a URL's host name. */
export function urlHost(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host
}
