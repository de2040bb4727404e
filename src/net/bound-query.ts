/** The address with these query parameters, in place of those of their names: a server that echoes its own address gets each once. */
export function withBoundQuery(url: URL, pairs: readonly (readonly [name: string, value: string])[]): URL {
  if (pairs.length === 0) return url
  const names = new Set(pairs.map(([name]) => name))
  const copy = new URL(url)
  const kept = url.search
    .slice(1)
    .split('&')
    .filter((pair) => pair !== '' && !names.has(nameOf(pair)))
  const added = pairs.map((pair) => pair.map(encodeURIComponent).join('='))
  copy.search = [...kept, ...added].join('&')
  return copy
}

function nameOf(pair: string): string {
  return [...new URLSearchParams(pair).keys()][0] ?? ''
}
