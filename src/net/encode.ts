/** A value ready for its place, or why it cannot stand there. */
export type Encoded = { readonly text: string } | { readonly refused: string }

/** Longest value in a path, a query or a header, in bytes as sent: servers cut or refuse longer ones in their own ways. */
const maxEncodedBytes = 8_192

/**
 * One segment of a path. Dot segments cannot be encoded (`%2e%2e` is one too), and servers that decode before routing
 * would see those between encoded slashes, so a value with such a part is refused.
 */
export function encodePathSegment(value: string): Encoded {
  if (value === '') return { refused: 'it is empty and would name another endpoint' }
  if (/\p{Cc}/u.test(value)) return { refused: 'it contains control characters' }
  if (value.split(/[/\\]/).some((part) => /^(?:\.|%2e)+$/i.test(part))) {
    return { refused: 'it contains . or .. as a part of a path' }
  }
  return percentEncode(value)
}

/** A name or a value in a query string. */
export function encodeQueryPart(value: string): Encoded {
  return percentEncode(value)
}

/** A header's value. */
export function checkHeaderValue(value: string): Encoded {
  if (/[^\t\x20-\x7e\x80-\xff]/.test(value)) {
    return { refused: 'a header cannot carry line breaks, control characters or characters beyond Latin-1' }
  }
  if (value !== value.trim()) return { refused: 'a header cannot carry spaces at its ends' }
  return limited(value)
}

function percentEncode(value: string): Encoded {
  if (/\p{Cs}/u.test(value)) return { refused: 'it is not valid Unicode' }
  if (value.length > maxEncodedBytes) return tooLong
  const text = encodeURIComponent(value).replace(
    /[!'()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return limited(text)
}

const tooLong: Encoded = { refused: `it is longer than ${maxEncodedBytes} bytes when encoded` }

function limited(text: string): Encoded {
  return text.length > maxEncodedBytes ? tooLong : { text }
}
