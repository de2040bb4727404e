/**
 * Text of the data made harmless for a terminal: control characters, among them escape sequences, and characters that
 * reorder or hide text are shown as `\x1b` or `\u202e`. Line breaks and tabs stay only where `multiline` is set.
 */
export function terminalText(text: string, options: { readonly multiline?: boolean } = {}): string {
  return text.replaceAll(unsafe, (character) => {
    if (options.multiline === true && (character === '\n' || character === '\t')) return character
    const named = names[character]
    if (named !== undefined) return named
    const code = character.codePointAt(0) ?? 0
    return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`
  })
}

const names: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** C0 and C1 controls, zero-width and bidirectional characters, line and paragraph separators. */
const unsafe =
  // eslint-disable-next-line no-control-regex -- control characters are what is looked for
  /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g
