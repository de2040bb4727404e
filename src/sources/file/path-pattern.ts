import path from 'node:path'

/** A path with wildcards, split at its first one. */
export interface PathPattern {
  /** As it was written. */
  readonly text: string
  /** The fixed folder before the first wildcard, absolute; for a path without wildcards the file's folder. */
  readonly base: string
  /** Wildcard segments below `base`; empty for a path without wildcards. */
  readonly segments: readonly string[]
  /** The whole path, absolute, where it has no wildcard. */
  readonly plain: string | undefined
}

/** Addresses such as `s3://bucket/x.csv` and `https://…`. A single letter is a drive. */
export function isRemotePath(text: string): boolean {
  return /^[a-z][a-z0-9+.-]+:/i.test(text)
}

/** Wildcards are those of DuckDB: `*`, `?`, `[ab]`, `[!ab]`, and `**` for any number of folders. */
export function hasWildcard(text: string): boolean {
  return /[*?[]/.test(text)
}

/** Splits a path; relative ones count from `folder`. `..` after a wildcard gives undefined: it could leave the base. */
export function parsePathPattern(text: string, folder: string): PathPattern | undefined {
  const parts = text.split(path.sep === '\\' ? /[\\/]/ : '/')
  const first = parts.findIndex(hasWildcard)
  if (first === -1) {
    const plain = path.resolve(folder, text)
    return { text, base: path.dirname(plain), segments: [], plain }
  }
  const fixed = parts.slice(0, first).join('/')
  const base = path.resolve(folder, first > 0 && fixed === '' ? path.sep : fixed)
  const segments = parts
    .slice(first)
    .filter((part) => part !== '' && part !== '.')
    .filter((part, index, all) => part !== '**' || all[index - 1] !== '**')
  return segments.includes('..') ? undefined : { text, base, segments, plain: undefined }
}

/** Whether names below a base satisfy the wildcard segments. Names that begin with a dot never do. */
export function matchesSegments(segments: readonly string[], names: readonly string[]): boolean {
  // Positions in `segments` that the names so far can have reached: linear, whatever the pattern.
  let reached = closure(new Set([0]), segments)
  for (const name of names) {
    if (name.startsWith('.')) return false
    const next = new Set<number>()
    for (const index of reached) {
      const segment = segments[index]
      if (segment === '**') next.add(index)
      else if (segment !== undefined && matchesSegment(segment, name)) next.add(index + 1)
    }
    reached = closure(next, segments)
  }
  return reached.has(segments.length)
}

function closure(positions: ReadonlySet<number>, segments: readonly string[]): Set<number> {
  const all = new Set(positions)
  for (const position of positions) {
    for (let next = position; segments[next] === '**'; next++) all.add(next + 1)
  }
  return all
}

/** One name against one segment. Linear in steps times the number of `*`: a pattern cannot make it explode. */
export function matchesSegment(segment: string, name: string): boolean {
  const tokens = tokensOf(segment)
  const characters = Array.from(name)
  let token = 0
  let at = 0
  let star: { readonly token: number; at: number } | undefined
  while (at < characters.length) {
    const wanted = tokens[token]
    if (wanted?.kind === 'any') {
      star = { token, at }
      token++
    } else if (wanted?.accepts(characters[at] ?? '') === true) {
      token++
      at++
    } else if (star !== undefined) {
      star.at++
      at = star.at
      token = star.token + 1
    } else return false
  }
  return tokens.slice(token).every((rest) => rest.kind === 'any')
}

type Token =
  | { readonly kind: 'any'; readonly accepts: (character: string) => boolean }
  | { readonly kind: 'one'; readonly accepts: (character: string) => boolean }

const tokenCache = new Map<string, readonly Token[]>()

function tokensOf(segment: string): readonly Token[] {
  const known = tokenCache.get(segment)
  if (known !== undefined) return known
  const tokens = [...segment.matchAll(/\[!?\]?[^\]]*\]|[^]/gu)].map(([text]) => tokenOf(text))
  if (tokenCache.size > 1_000) tokenCache.clear()
  tokenCache.set(segment, tokens)
  return tokens
}

function tokenOf(text: string): Token {
  if (text === '*') return { kind: 'any', accepts: () => true }
  if (text === '?') return { kind: 'one', accepts: () => true }
  if (text.length === 1 || !text.startsWith('[')) return { kind: 'one', accepts: (character) => character === text }
  const negated = text[1] === '!'
  const ranges = [...text.slice(negated ? 2 : 1, -1).matchAll(/([^])-([^])|([^])/gu)].map(
    ([, from, to, single]) => [from ?? single ?? '', to ?? single ?? ''] as const,
  )
  return {
    kind: 'one',
    accepts: (character) => ranges.some(([from, to]) => from <= character && character <= to) !== negated,
  }
}
