import type { Secret } from './secret.js'

const hidden = '***'

/** Shorter values also occur by chance: they are hidden only where they stand as a word of their own. */
const shortLength = 4

/** Base64 that holds fewer characters than this of a value says too little, and would match by chance. */
const base64Length = 6

/**
 * Answers a function that hides every secret in a text: the value itself, and as it looks in a URL, in a JSON string and
 * in base64 (alone or in the middle of a longer text). A last resort for errors and logs, not a reason to print secrets.
 */
export function redactor(secrets: Iterable<Secret>): (text: string) => string {
  const patterns = new Set<string>()
  for (const secret of secrets) for (const form of forms(secret.reveal())) patterns.add(form)
  if (patterns.size === 0) return (text) => text
  const longestFirst = [...patterns].sort((a, b) => b.length - a.length)
  const pattern = new RegExp(longestFirst.join('|'), 'g')
  return (text) => text.replace(pattern, hidden)
}

/** Regular expressions for one value, as sources. */
function forms(value: string): string[] {
  const texts = new Set([value, value.trim()])
  for (const text of [...texts]) {
    texts.add(JSON.stringify(text).slice(1, -1))
    for (const encoded of urlForms(text)) texts.add(encoded)
  }
  const found = [...texts].filter((text) => text !== '').map(whole)
  for (const text of base64Forms(value)) found.push(escape(text))
  return found
}

function whole(text: string): string {
  const escaped = escape(text)
  return text.length < shortLength ? `(?<!\\w)${escaped}(?!\\w)` : escaped
}

function urlForms(text: string): string[] {
  const encoded = encodeURIComponent(Buffer.from(text, 'utf8').toString('utf8'))
  const strict = encoded.replaceAll(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
  const upper = [encoded, strict, strict.replaceAll('%20', '+')]
  return [...upper, ...upper.map((form) => form.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()))]
}

/** The characters that depend on the value alone, for each of the three ways it may lie across groups of three bytes. */
function base64Forms(value: string): string[] {
  const bytes = Buffer.from(value, 'utf8')
  const found: string[] = []
  for (const before of [0, 1, 2]) {
    const padded = Buffer.concat([Buffer.alloc(before), bytes])
    const start = Math.ceil((before * 8) / 6)
    const end = Math.floor((padded.length * 8) / 6)
    if (end - start < base64Length) continue
    for (const encoding of ['base64', 'base64url'] as const) found.push(padded.toString(encoding).slice(start, end))
  }
  return found
}

function escape(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}
