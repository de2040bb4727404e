/** Control and format characters: zero-width, bidirectional marks and overrides, soft hyphens, tags; and lone surrogates. */
const unsafe = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029\p{Variation_Selector}]+/gu

const lineBreaks = /[\t\n\v\f\r\u0085\u2028\u2029]/g

/**
 * A text from outside (a name, a description, an API's message) as it may be shown: without control, zero-width and
 * bidirectional characters, its white space folded, cut to `maxLength` characters with `…`.
 */
export function sanitizeText(text: string, maxLength: number): string {
  // A bound on the work, before the patterns run over a text of any size.
  const bounded = text.slice(0, maxLength * 8)
  const clean = bounded.replaceAll(lineBreaks, ' ').replaceAll(unsafe, '').replaceAll(/\s+/g, ' ').trim()
  if (clean.length <= maxLength) return clean
  return `${clean.slice(0, maxLength - 1).replace(/[\ud800-\udbff]$/, '')}…`
}
