/** JSON of a DOUBLE: a number; NaN and the infinities as strings. */
export function doubleJson(value: number): string {
  if (Number.isFinite(value)) return Object.is(value, -0) ? '-0' : String(value)
  return `"${value}"`
}

/** JSON of a FLOAT: its shortest text, 0.1, where the same bits widened to a double print 0.10000000149011612. */
export function floatJson(value: number): string {
  return doubleJson(Number.isFinite(value) ? shortestFloat(value) : value)
}

const smallestNormalFloat = 2 ** -126

/** Six digits always survive a FLOAT, nine always tell two apart. */
function shortestFloat(value: number): number {
  const size = Math.abs(value)
  if (size < 1e6) {
    if (Number.isInteger(value)) return value
    const rounded = sixDigits(value, size)
    if (isNearest(rounded, value)) return rounded
  }
  for (let digits = size < smallestNormalFloat ? 1 : 6; digits < 9; digits++) {
    const candidate = Number(value.toPrecision(digits))
    if (isNearest(candidate, value)) return candidate
  }
  return Number(value.toPrecision(9))
}

/** true where every reader takes `candidate` for `value`: halfway between two floats readers may differ. */
function isNearest(candidate: number, value: number): boolean {
  if (Math.fround(candidate) !== value) return false
  const opposite = 2 * candidate - value
  return candidate === value || Math.fround(opposite) !== opposite
}

/** `value` to six digits where one multiplication does it, else NaN. */
function sixDigits(value: number, size: number): number {
  if (size < 0.1) return Number.NaN
  let scale = 1e6
  for (let bound = 1; size >= bound; bound *= 10) scale /= 10
  return Math.round(value * scale) / scale
}
