/** No column is narrower than this, whatever the terminal: a few letters say more than none. */
const minimumWidth = 6

export interface WidthOptions {
  /** Of the whole table, borders included; undefined: as wide as it is. */
  readonly widthColumns: number | undefined
  /** Columns that keep their natural width. */
  readonly fixed: readonly boolean[]
}

/** Widths of a table's columns: the widest give way first, all to the same width. */
export function columnWidths(natural: readonly number[], options: WidthOptions): readonly number[] {
  const { widthColumns, fixed } = options
  if (widthColumns === undefined) return natural
  const borders = 3 * natural.length + 1
  const total = (cap: number): number =>
    borders + natural.reduce((sum, width, index) => sum + widthUnder(cap, width, fixed[index] === true), 0)
  let cap = Math.max(minimumWidth, ...natural)
  if (total(cap) > widthColumns) {
    let low = minimumWidth
    while (low < cap) {
      const middle = Math.ceil((low + cap) / 2)
      if (total(middle) <= widthColumns) low = middle
      else cap = middle - 1
    }
  }
  return natural.map((width, index) => widthUnder(cap, width, fixed[index] === true))
}

function widthUnder(cap: number, width: number, isFixed: boolean): number {
  return isFixed ? width : Math.min(width, cap)
}
