/** JSON text of a string. Lone surrogates become escapes, so the answer is always well formed. */
export function quote(text: string): string {
  return JSON.stringify(text)
}

/** Characters of `json` as it stands inside a JSON string. `json` is JSON text: it holds no raw control character. */
export function escapedLength(json: string): number {
  let length = json.length
  for (let index = 0; index < json.length; index++) {
    const code = json.charCodeAt(index)
    if (code === 0x22 || code === 0x5c) length++
  }
  return length
}

const escapedQuotes = 4

/** The longest text that starts like `text`, ends with `suffix`, and takes at most `maxChars` as an escaped JSON string. */
export function cutToEscapedLength(text: string, suffix: string, maxChars: number): string {
  let left = maxChars - escapedQuotes - suffix.length
  let end = 0
  while (end < text.length) {
    const code = text.codePointAt(end) ?? 0
    left -= escapedCost(code)
    if (left < 0) break
    end += code > 0xffff ? 2 : 1
  }
  return text.slice(0, end) + suffix
}

/** Characters that one character takes when its JSON string stands inside a JSON string. */
function escapedCost(code: number): number {
  if (code === 0x22 || code === 0x5c) return 4
  if (code > 0xffff) return 2
  if (code >= 0x20) return code >= 0xd800 && code <= 0xdfff ? 7 : 1
  return code === 0x0a || code === 0x0d || code === 0x09 || code === 0x08 || code === 0x0c ? 3 : 7
}
