/** Text that was put into a statement: `length` characters at `at`, both in the text with all insertions. */
export interface Insertion {
  readonly at: number
  readonly length: number
}

/** A text that DuckDB parses, made from the user's: the same length apart from the insertions, which are in order. */
export interface ParsedText {
  readonly sql: string
  readonly insertions: readonly Insertion[]
}

/** DuckDB counts positions in UTF-8 bytes of what it parsed; the answer is an offset into the user's text in UTF-16 units. */
export function userPosition(text: ParsedText, byteOffset: number): number {
  return withoutInsertions(text.insertions, characterOffset(text.sql, byteOffset))
}

function withoutInsertions(insertions: readonly Insertion[], offset: number): number {
  let position = offset
  for (const { at, length } of insertions) {
    if (offset >= at + length) position -= length
    else if (offset > at) position -= offset - at
  }
  return position
}

/** Offset in UTF-16 units of a byte of the text's UTF-8 form; the text's length for a byte beyond its end. */
function characterOffset(text: string, byteOffset: number): number {
  let bytes = 0
  let at = 0
  while (bytes < byteOffset && at < text.length) {
    const code = text.codePointAt(at) ?? 0
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4
    at += code < 0x10000 ? 1 : 2
  }
  return at
}
