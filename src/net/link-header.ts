/** One entry of a Link header (RFC 8288). */
export interface Link {
  /** As written, often relative to the request's URL. */
  readonly target: string
  /** Relation types in lower case. */
  readonly relations: readonly string[]
}

const maxLinks = 64
const targetToken = /\s*<([^>]*)>/y
const parameterToken = /\s*;\s*(?:([!#$%&'*+\-.^_`|~0-9A-Za-z]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]*)))?)?/y
const separatorToken = /\s*,?/y

/** Reads a Link header's value; several headers are joined with commas. Stops at the first entry that is malformed. */
export function parseLinkHeader(value: string): readonly Link[] {
  const links: Link[] = []
  let at = 0
  const take = (pattern: RegExp): RegExpExecArray | undefined => {
    pattern.lastIndex = at
    const match = pattern.exec(value) ?? undefined
    if (match !== undefined) at = pattern.lastIndex
    return match
  }
  while (links.length < maxLinks) {
    const target = take(targetToken)?.[1]
    if (target === undefined) return links
    let relations: readonly string[] | undefined
    for (let match = take(parameterToken); match !== undefined; match = take(parameterToken)) {
      const [, name, quoted, token] = match
      // RFC 8288, 3.3: only the first rel counts.
      if (name?.toLowerCase() !== 'rel' || relations !== undefined) continue
      relations = words(quoted?.replaceAll(/\\(.)/g, '$1') ?? token ?? '')
    }
    links.push({ target: target.trim(), relations: relations ?? [] })
    take(separatorToken)
  }
  return links
}

/** The target of the entry with this relation, if there is one. */
export function linkTarget(value: string, relation: string): string | undefined {
  return parseLinkHeader(value).find((link) => link.relations.includes(relation))?.target
}

function words(text: string): readonly string[] {
  return text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
}
