/** The text in at most `width` columns of a terminal; one that is too long ends with `…`. */
export function fitWidth(text: string, width: number, widthOf: (text: string) => number): string {
  if (text.length <= width && isNarrow(text)) return text
  if (widthOf(text) <= width) return text
  let kept = ''
  let used = 0
  for (const { segment } of graphemes.segment(text.slice(0, width * maxUnitsPerColumn))) {
    used += widthOf(segment)
    if (used > width - 1) break
    kept += segment
  }
  return `${kept}…`
}

const graphemes = new Intl.Segmenter()
/** A grapheme of many code points is shown in one or two columns. */
const maxUnitsPerColumn = 16

function isNarrow(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text)
}
