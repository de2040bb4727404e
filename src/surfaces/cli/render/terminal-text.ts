/**
 * Text of the data made harmless for a terminal: control characters, among them escape sequences, and characters that
 * reorder or hide text are shown as `\x1b`, `\u202e` or `\u{e0041}`. Line breaks and tabs stay where `multiline` is set.
 */
export function terminalText(text: string, options: { readonly multiline?: boolean } = {}): string {
  return text.replaceAll(unsafe, (character) => {
    if (options.multiline === true && (character === '\n' || character === '\t')) return character
    const named = names[character]
    if (named !== undefined) return named
    const code = character.codePointAt(0) ?? 0
    const hex = code.toString(16)
    if (code < 0x100) return `\\x${hex.padStart(2, '0')}`
    return code < 0x10000 ? `\\u${hex.padStart(4, '0')}` : `\\u{${hex}}`
  })
}

const names: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** Controls, format characters, lone surrogates, separators of lines and paragraphs, and whatever shows as nothing. */
export const unsafe = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu
